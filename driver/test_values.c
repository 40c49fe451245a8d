#include "driver/test_run.h"

bool test_values(Arena *arena, const TestOptions *options, const TestFile *file, Text *report) {
    (void)arena, (void)options, (void)file;
    text_put(report, "  INPUT and EXPECT are not supported yet\n");
    return false;
}

bool test_case(Arena *arena, const TestOptions *options, const char *folder, Text *report) {
    (void)arena, (void)options, (void)folder;
    text_put(report, "  cases are not supported yet\n");
    return false;
}
