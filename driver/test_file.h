/* Test files: .hlo files whose comments say how to test them (tests/README.md).
 *
 *     // RUN: hlocc --emit=hlo %s        a command; %s is the file, %S its folder, %t a temporary name
 *     // EXIT: 1                         the exit code that the last command is to have (default 0)
 *     // CHECK: first line of output     the output in full: CHECK for the first line of a command's output,
 *     // CHECK-NEXT: second line         CHECK-NEXT for every further one
 *     // CHECK-DAG: ...                with this and its like, or with `| FileCheck %s`: as FileCheck reads them
 *     // INPUT 0: {1, 2, 3}              parameter leaf 0: a literal as constant(...) holds it, or a .npy file
 *     // EXPECT 0: {2, 4, 6}             result leaf 0, likewise; 0.dev2: on device 2 of several only
 *     // tolerance: rtol=1e-5 atol=1e-6  or exact, as in cases */
#ifndef DRIVER_TEST_FILE_H
#define DRIVER_TEST_FILE_H

#include "base/vec.h"
#include "driver/notes.h"

typedef struct {
    int line;
    bool first; /* CHECK, not CHECK-NEXT */
    const char *text;
} CheckLine;

typedef struct {
    int line;
    int leaf;
    int device; /* -1: all */
    const char *text;
} TestValue;

typedef struct {
    const char *path;
    const char *bytes; /* the whole file */
    size_t size;
    VEC(const char *) runs;
    VEC(CheckLine) checks;
    VEC(TestValue) inputs;
    VEC(TestValue) expects;
    Tolerance tolerance;
    int exit_code;
    bool is_script; /* has CHECK-SAME: and the like: FileCheck's meaning (check_script.h) */
    bool checks_stand_first; /* before the first line that is neither comment nor empty */
} TestFile;

/* Reads a test file. NULL: why says what is wrong (a directive that we do not know, a file that cannot be read). */
TestFile *test_file_read(Arena *arena, const char *path, Text *why);

/* The file's text with its CHECK lines replaced by those of output (of every command, NULL-terminated): where they
 * stood when they stood before the program, else at the end. */
void test_file_rewrite(const TestFile *file, const char *const *outputs, Text *out);

#endif
