/* SPDX-License-Identifier: MIT */
/* The vectors of the standard, and every division into pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"

static void expect(const char *wanted, const unsigned char digest[HS_SHA256_SIZE])
{
    char text[2 * HS_SHA256_SIZE + 1];

    for (unsigned i = 0; i < HS_SHA256_SIZE; i++) {
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    }
    assert_string_equal(text, wanted);
}

static void vectors_of_the_standard(void **state)
{
    static const struct {
        const char *message, *digest;
    } vectors[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
         "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    unsigned char digest[HS_SHA256_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        hs_sha256_of(vectors[i].message, strlen(vectors[i].message), digest);
        expect(vectors[i].digest, digest);
    }
}

static void a_million_letters(void **state)
{
    unsigned char digest[HS_SHA256_SIZE], *letters = malloc(1000000);

    (void)state;
    assert_non_null(letters);
    memset(letters, 'a', 1000000);
    hs_sha256_of(letters, 1000000, digest);
    expect("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", digest);
    free(letters);
}

static void pieces_make_no_difference(void **state)
{
    unsigned char message[300], whole[HS_SHA256_SIZE], digest[HS_SHA256_SIZE];
    struct hs_sha256 sum;

    (void)state;
    for (unsigned i = 0; i < sizeof message; i++) {
        message[i] = (unsigned char)(i * 7);
    }
    for (size_t size = 0; size <= sizeof message; size++) {
        hs_sha256_of(message, size, whole);
        for (size_t piece = 1; piece < 140; piece++) {
            hs_sha256_begin(&sum);
            for (size_t at = 0; at < size; at += piece) {
                hs_sha256_add(&sum, message + at, size - at < piece ? size - at : piece);
            }
            hs_sha256_end(&sum, digest);
            assert_memory_equal(digest, whole, sizeof whole);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_the_standard),
        cmocka_unit_test(a_million_letters),
        cmocka_unit_test(pieces_make_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
