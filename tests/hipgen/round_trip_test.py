# SPDX-License-Identifier: MIT
"""A bindings header parses into the API set that it was written from."""

import unittest

from case import VENDOR_TREES, HipgenCase

from hipgen import bindings, compare
from hipgen.headers import parse_bindings, parse_headers
from hipgen.releases import derive


class RoundTrip(HipgenCase):
    """That the other generated files are current, too, is checked by bad_input_test.Check."""

    def test_every_bindings_header_renders_itself(self) -> None:
        """The text is that of the header, so it parses into the same API set, too."""
        for entry in self.project.entries:
            with self.subTest(release=str(entry.release)):
                path = self.project.bindings / entry.bindings_name
                api_set = self.project.committed(entry)
                text = bindings.text_of(self.project, api_set, entry)
                self.assertEqual(text, path.read_text())

    def test_every_release_says_its_own_version(self) -> None:
        """That of a header with an API set of its own is compared whenever it is read."""
        self.assertGreater(len(self.project.api_sets), 1)
        for entry in self.project.entries:
            if not entry.own_api_set:
                with self.subTest(release=str(entry.release)):
                    path = self.project.bindings / entry.bindings_name
                    found = parse_bindings(self.project.api, path)
                    self.assertEqual(found.release, entry.release)

    def test_a_changed_declaration_does_not_go_unseen(self) -> None:
        path = self.project.bindings / "bindings_21153.h"
        copy = self.scratch / path.name
        text = path.read_text().replace("    char name[256];", "    char name[255];", 1)
        text = text.replace("_Static_assert(condition, #condition)", '_Static_assert(1, "")')
        copy.write_text(text)
        sets = [parse_bindings(self.project.api, p) for p in (path, copy)]
        difference = compare.compare(*sets)
        self.assertIn("hipDeviceProp_t", difference["record"]["changed"])


class VendorHeaders(HipgenCase):
    def test_fresh_headers_equal_the_committed_bindings(self) -> None:
        for name in VENDOR_TREES:
            with self.subTest(tree=name):
                fresh = parse_headers(self.project.api, self.vendor_tree(name))
                entry = self.project.find(fresh.release)
                self.assertIsNotNone(entry, f"HIP {fresh.release} is not in releases.toml")
                assert entry is not None
                difference = compare.compare(self.project.committed(entry), fresh)
                self.assertTrue(compare.is_empty(difference), compare.as_text(difference))

    def test_derived_releases_follow_from_their_parent(self) -> None:
        parent = parse_headers(self.project.api, self.vendor_tree("6.4"))
        for entry in self.project.entries:
            if entry.derived_from == str(parent.release):
                with self.subTest(release=str(entry.release)):
                    self.assertEqual(derive(parent, entry), self.project.committed(entry))


if __name__ == "__main__":
    unittest.main()
