# SPDX-License-Identifier: MIT
"""`hipgen add-release` is the only step that adds a release."""

import json
import re
import unittest
from pathlib import Path

from case import HipgenCase, runtimes_directory

from hipgen import apitext
from hipgen.model import ApiSet, Release
from hipgen.project import Project
from hipgen.releases import Entry


def declared(project: Project) -> dict[Release, ApiSet]:
    """What each known release declares."""
    return {e.release: project.committed(e) for e in project.entries}


def without_release(tree: Path, version: str) -> None:
    """Removes a release from a copy of the tree."""
    path = tree / "generator/apis/hip/releases.toml"
    head, *entries = re.split(r"(?m)^\[\[release\]\]\n", path.read_text())
    kept = [e for e in entries if f'version = "{version}"' not in e]
    assert len(kept) == len(entries) - 1
    path.write_text(head + "".join("[[release]]\n" + e for e in kept))
    project = Project(tree)
    left = {r: s for r, s in declared(HipgenCase.project).items() if str(r) != version}
    keys = apitext.in_order([], list(left.values()))
    project.api_file.write_text(apitext.text_of(project.api.name, left, keys))
    (tree / f"bindings/bindings_{version.split('.')[-1]}.h").unlink()


def check_published(case: HipgenCase, entry: Entry, *source: str | Path) -> None:
    """A release of published bindings that is removed and added again changes nothing."""
    tree = case.copy_of_tree()
    before = {path: path.read_text() for path in tree.rglob("*.[hct]*") if path.is_file()}
    without_release(tree, str(entry.release))
    done = case.hipgen(
        *("--root", tree, "add-release", *source, "--neighbour", entry.neighbour),
        *("--rocm", entry.rocm, "--origin", entry.origin),
    )
    case.assertEqual(done.returncode, 0, done.stderr)
    for path, text in before.items():
        case.assertEqual(path.read_text(), text, path)


class AddRelease(HipgenCase):
    def headers_of(self, patch: int) -> Path:
        """A header tree with the declarations of a committed bindings header."""
        return self.header_tree((self.project.bindings / f"bindings_{patch}.h").read_text())

    def new_patch(self, old: int, new: int) -> str:
        """A committed bindings header with another patch number."""
        text = (self.project.bindings / f"bindings_{old}.h").read_text()
        return text.replace(str(old), str(new))

    def contents(self, tree: Path) -> dict[str, str]:
        files = {str(p): p.read_text() for p in (tree / "bindings").rglob("*.*")}
        files["releases.toml"] = (tree / "generator/apis/hip/releases.toml").read_text()
        return files

    def test_a_release_can_be_removed_and_added(self) -> None:
        tree = self.copy_of_tree()
        before = self.contents(tree)
        without_release(tree, "5.3.22062")
        done = self.hipgen("--root", tree, "generate")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotEqual(self.contents(tree), before)
        entry = self.project.by_release[Release(5, 3, 22062)]
        done = self.hipgen(
            *("--root", tree, "add-release", "--headers", self.headers_of(22062)),
            *("--rocm", entry.rocm, "--origin", entry.origin),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.contents(tree), before)
        self.assertIn("- hipRegisterApiCallback", done.stdout)
        self.assertIn("to look at by hand", done.stdout)

    def test_words_that_a_file_cannot_hold_are_refused(self) -> None:
        tree = self.copy_of_tree()
        before = self.contents(tree)
        headers = self.header_tree(self.new_patch(43482, 43499))
        for option, text in (
            ("--origin", 'the "new" one'),
            ("--rocm", "6.4 */"),
            ("--rocm", "a\nb"),
        ):
            with self.subTest(text):
                done = self.hipgen(
                    *("--root", tree, "add-release", "--headers", headers, option, text)
                )
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"6.4.43499: `{option[2:]}` must be one line", done.stderr)
        self.assertTrue(self.contents(tree) == before)

    def test_a_release_whose_api_set_others_share_stays(self) -> None:
        tree = self.copy_of_tree()
        without_release(tree, "7.2.53211")
        done = self.hipgen("--root", tree, "generate")
        self.assertEqual(done.returncode, 1)
        self.assertIn("7.2.26015: `api_set` 7.2.53211 is not known", done.stderr)

    def test_a_release_with_a_known_api_set_gets_a_short_header(self) -> None:
        tree = self.copy_of_tree()
        text = (self.project.bindings / "bindings_41133.h").read_text()
        headers = self.header_tree(text.replace("VERSION_PATCH 41133", "VERSION_PATCH 41199"))
        done = self.hipgen("--root", tree, "add-release", "--headers", headers)
        self.assertEqual(done.returncode, 0, done.stderr)
        header = (tree / "bindings/bindings_41199.h").read_text()
        self.assertIn('#include "bindings_41133.h"', header)
        self.assertIn("nothing to decide", done.stdout)
        self.assertIn("6.2.41199 41133", (tree / "bindings/releases.list").read_text())

    def test_the_same_release_again_changes_nothing(self) -> None:
        tree = self.copy_of_tree()
        before = self.contents(tree)
        headers = self.headers_of(43484)
        done = self.hipgen("--root", tree, "add-release", "--headers", headers, process=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("already known", done.stdout)
        self.assertEqual(self.contents(tree), before)

    def refused(self, text: str, *saying: str, process: bool = False) -> None:
        tree = self.copy_of_tree()
        before = self.contents(tree)
        headers = self.header_tree(text)
        done = self.hipgen("--root", tree, "add-release", "--headers", headers, process=process)
        self.assertEqual(done.returncode, 1, done.stdout)
        for part in saying:
            self.assertIn(part, done.stderr)
        self.assertEqual(self.contents(tree), before)

    def test_a_known_release_with_another_api_set_is_refused(self) -> None:
        text = (self.project.bindings / "bindings_43484.h").read_text()
        self.refused(
            text.replace("hipError_t hipInit(unsigned int flags);", ""),
            "6.4.43484 is already known with another API set",
            "hipInit",
        )

    def test_a_taken_patch_number_is_refused(self) -> None:
        text = (self.project.bindings / "bindings_43484.h").read_text()
        text = text.replace("VERSION_MINOR 4", "VERSION_MINOR 5")
        self.refused(text, "43484", "taken", process=True)

    def test_a_change_without_a_rule_is_refused_by_name(self) -> None:
        text = (self.project.bindings / "bindings_53211.h").read_text()
        text = text.replace("VERSION_PATCH 53211", "VERSION_PATCH 53999")
        text = re.sub(r"HIPSHIM_ASSERT\(.*\);", "", text)
        changed = text.replace(
            "    size_t sharedSizeBytes;\n", "    size_t one;\n    size_t two;\n"
        )
        self.assertNotEqual(text, changed)
        self.refused(changed, "hipFuncGetAttributes: attr", "no rule covers it")

    def test_the_library_gives_the_export_baseline(self) -> None:
        tree = self.copy_of_tree()
        library = runtimes_directory() / "6.4/usr/lib/x86_64-linux-gnu/libamdhip64.so.6"
        self.vendor_tree("6.4")
        without_release(tree, "6.4.43484")
        (tree / "generator/apis/hip/exports/libamdhip64-6.4.43484.txt").unlink(missing_ok=True)
        headers = self.headers_of(43484)
        done = self.hipgen(
            "--root", tree, "add-release", "--headers", headers, "--library", library
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        baseline = (
            (tree / "generator/apis/hip/exports/libamdhip64-6.4.43484.txt").read_text().split()
        )
        self.assertIn("hipMalloc@@hip_4.2", baseline)
        self.assertIn("hipGetDevicePropertiesR0600@@hip_6.0", baseline)
        committed = self.project.root / "generator/apis/hip/exports/libamdhip64-6.4.43484.txt"
        self.assertEqual(baseline, committed.read_text().split())

    def test_a_file_that_is_no_library_is_refused(self) -> None:
        tree = self.copy_of_tree()
        without_release(tree, "5.3.22062")
        text = self.scratch / "text.so"
        text.write_text("no library")
        headers = self.headers_of(22062)
        done = self.hipgen("--root", tree, "add-release", "--headers", headers, "--library", text)
        self.assertEqual(done.returncode, 1)
        self.assertIn("text.so", done.stderr)


class Diff(HipgenCase):
    def test_a_program_reads_what_changed(self) -> None:
        done = self.hipgen("diff", "--json", "31921", "32830")
        self.assertEqual(done.returncode, 0, done.stderr)
        difference = json.loads(done.stdout)
        self.assertIn("hipGetDevicePropertiesR0600", difference["function"]["added"])
        self.assertIn("hipGLGetDevices", difference["function"]["removed"])
        notes = difference["record"]["changed"]["HIP_MEMCPY3D"]
        self.assertIn("size 128 -> 184", notes)
        self.assertIn("srcPitch moved 48 -> 64", notes)
        notes = difference["enum"]["changed"]["hipMemoryType"]
        self.assertIn("hipMemoryTypeHost 0 -> 1", notes)
        notes = difference["macro"]["changed"]["hipIpcMemLazyEnablePeerAccess"]
        self.assertEqual(notes, ["was: 0", "now: 0x01"])

    def test_a_person_reads_what_changed(self) -> None:
        done = self.hipgen("diff", "6.4.43484", "7.2.53211")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("HIP 6.4.43484 -> 7.2.53211", done.stdout)
        self.assertIn("  * hipCtxGetApiVersion", done.stdout)
        self.assertIn("unsigned int *apiVersion", done.stdout)

    def test_symbols_are_compared_where_the_libraries_are_known(self) -> None:
        done = self.hipgen("diff", "--json", "43484", "53211")
        symbols = json.loads(done.stdout)["symbol"]
        self.assertIn("hipGetDriverEntryPoint@@hip_7.1", symbols["added"])

    def test_a_minor_number_is_its_newest_release(self) -> None:
        done = self.hipgen("diff", "6.4", "7.2")
        self.assertIn("HIP 6.4.43484 -> 7.2.53211", done.stdout)

    def test_equal_releases_have_no_difference(self) -> None:
        done = self.hipgen("diff", "41133", "41134")
        self.assertIn("no difference", done.stdout)


if __name__ == "__main__":
    unittest.main()
