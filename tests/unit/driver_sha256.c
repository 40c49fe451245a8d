/* SHA-256: the examples of FIPS 180-4, and lengths around the end of a block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "driver/sha256.h"

static void test_known(void **state) {
    static const char a55[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    static const struct {
        const char *text, *digits;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {a55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char digits[SHA256_DIGITS + 1];
        sha256(known[i].text, strlen(known[i].text), digits);
        assert_string_equal(digits, known[i].digits);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
