/* base/decimal.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"

static const char *shown(Decimal decimal) {
    static char buffer[64];
    Text text = {0};
    decimal_print(&text, &decimal);
    snprintf(buffer, sizeof buffer, "%s", text_string(&text));
    text_free(&text);
    return buffer;
}

static void floats_print_short(void **state) {
    (void)state;
    assert_string_equal(shown(decimal_from_float(0.1f)), "0.1");
    assert_string_equal(shown(decimal_from_float(-0.0f)), "-0");
    assert_string_equal(shown(decimal_from_float(42)), "42");
    assert_string_equal(shown(decimal_from_float(1e10f)), "1e+10");
    assert_string_equal(shown(decimal_from_float(3.40282347e38f)), "3.4028235e+38");
    assert_string_equal(shown(decimal_from_float(0.0001f)), "0.0001");
    assert_string_equal(shown(decimal_from_float(0.00001f)), "1e-05");
    assert_string_equal(shown(decimal_from_float(1e-45f)), "1e-45");
    assert_string_equal(shown(decimal_from_float(16777217.0f)), "16777216");
    assert_string_equal(shown(decimal_from_double(0.1)), "0.1");
    assert_string_equal(shown(decimal_from_double(1.0 / 3)), "0.3333333333333333");
    assert_string_equal(shown(decimal_from_double(5e-324)), "5e-324");
    assert_string_equal(shown(decimal_from_double(1e22)), "1e+22");
    assert_string_equal(shown(decimal_from_double(1.7976931348623157e308)), "1.7976931348623157e+308");
}

static uint64_t next(uint64_t *seed) { /* xorshift */
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* Of all exponents, or near 1, as weights are. */
static void every_value_reads_back(void **state) {
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = next(&seed);
        uint32_t half = (uint32_t)bits;
        if (i & 1) {
            bits = (bits & ~(UINT64_C(0x7ff) << 52)) | (UINT64_C(1000) + (bits >> 58)) << 52;
            half = (half & ~(UINT32_C(0xff) << 23)) | (UINT32_C(110) + (half >> 28)) << 23;
        }
        double wide;
        float single;
        memcpy(&wide, &bits, sizeof wide);
        memcpy(&single, &half, sizeof single);
        if (isfinite(wide)) {
            const char *text = shown(decimal_from_double(wide));
            assert_true(decimal_read(text, strlen(text)) == wide);
            assert_true(strtod(text, NULL) == wide);
        }
        if (isfinite(single)) {
            const char *text = shown(decimal_from_float(single));
            assert_true((float)decimal_read(text, strlen(text)) == single);
        }
    }
}

static void reading_is_exact(void **state) {
    (void)state;
    static const char *const texts[] = {"0",
                                        "1",
                                        "-1",
                                        "1.",
                                        ".5",
                                        "1e5",
                                        "3e+2",
                                        "1.E-3",
                                        "123456789012345678901234567890",
                                        "1e400",
                                        "-1e400",
                                        "1e-400",
                                        "4.9e-324",
                                        "9007199254740993",
                                        "0.1000000000000000055511151231257827",
                                        "179769313486231580793e289"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(decimal_read(texts[i], strlen(texts[i])) == strtod(texts[i], NULL));
    assert_true(signbit(decimal_read("-0", 2)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_print_short),
        cmocka_unit_test(every_value_reads_back),
        cmocka_unit_test(reading_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
