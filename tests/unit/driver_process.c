/* driver/process.h, driver/jobs.h, driver/output.h: children, and files that appear whole. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver/jobs.h"
#include "driver/output.h"

static void run_shell(Process *process, const char *script, double seconds, bool merge) {
    const char *argv[] = {"sh", "-c", script, NULL};
    static const char *const variables[] = {"HLOCC_UNIT=seen", "HOME", NULL};
    process_run(process, &(Command){.argv = argv, .directory = "/", .variables = variables, .seconds = seconds,
                                    .merge = merge});
}

static void test_output_and_code(void **state) {
    (void)state;
    Process process;
    run_shell(&process, "echo $HLOCC_UNIT ${HOME-unset}; pwd; echo wrong >&2; exit 3", 10, false);
    assert_int_equal(process.code, 3);
    assert_string_equal(text_string(&process.out), "seen unset\n/\n");
    assert_string_equal(text_string(&process.err), "wrong\n");
    process_free(&process);
    run_shell(&process, "echo a; echo b >&2", 10, true);
    assert_string_equal(text_string(&process.out), "a\nb\n");
    process_free(&process);
}

static void test_much_output(void **state) {
    (void)state;
    Process process;
    run_shell(&process, "head -c 3000000 /dev/zero | tr '\\0' x; head -c 2000000 /dev/zero >&2", 60, false);
    assert_int_equal(process.out.n, 3000000);
    assert_int_equal(process.err.n, 2000000);
    process_free(&process);
}

static void test_bad_ends(void **state) {
    (void)state;
    Process process;
    Text how = {0};
    run_shell(&process, "kill -SEGV $$", 10, false);
    assert_int_equal(process.signal, SIGSEGV);
    process_free(&process);
    run_shell(&process, "exec sleep 100", 0.2, false);
    assert_true(process.timed_out && process.elapsed < 50);
    process_describe(&how, &process);
    assert_string_equal(text_string(&how), "no end within the time limit");
    text_free(&how);
    process_free(&process);
    const char *nothing[] = {"/nonexistent/program", NULL};
    assert_false(process_run(&process, &(Command){.argv = nothing}));
    assert_true(process.not_started);
    assert_non_null(strstr(text_string(&process.err), "cannot run '/nonexistent/program'"));
    process_free(&process);
}

typedef struct {
    int order[8], codes[8], n;
} Seen;

static int job_work(void *context, int job) {
    (void)context;
    printf("job %d", job);
    if (job == 3) abort();
    nanosleep(&(struct timespec){0, (8 - job) * 10000000}, NULL);
    return job;
}

static void job_done(void *context, int job, const Process *process) {
    Seen *seen = context;
    char expected[16];
    snprintf(expected, sizeof expected, "job %d", job);
    if (job != 3) assert_string_equal(text_string(&process->out), expected);
    seen->order[seen->n] = job;
    seen->codes[seen->n++] = process->signal ? -process->signal : process->code;
}

static void test_jobs_are_reported_in_order(void **state) {
    (void)state;
    Seen seen = {0};
    jobs_run(&(Jobs){8, 3, 0, &seen, job_work, job_done});
    assert_int_equal(seen.n, 8);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(seen.order[i], i);
        assert_int_equal(seen.codes[i], i == 3 ? -SIGABRT : i);
    }
}

static void test_files_are_left_alone_when_unchanged(void **state) {
    (void)state;
    char folder[] = "hlocc_unit_XXXXXX";
    assert_true(folder_make_temporary(folder));
    Arena *arena = arena_new();
    const char *path = path_join(arena, folder, "file.c");
    Text why = {0};
    struct stat first, second, third;
    assert_true(output_write(path, "abc", 3, &why));
    assert_int_equal(stat(path, &first), 0);
    assert_true(output_write(path, "abc", 3, &why));
    assert_int_equal(stat(path, &second), 0);
    assert_true(first.st_ino == second.st_ino && first.st_mtim.tv_nsec == second.st_mtim.tv_nsec);
    assert_true(output_write(path, "abcd", 4, &why));
    assert_int_equal(stat(path, &third), 0);
    assert_true(third.st_size == 4 && third.st_ino != first.st_ino);
    assert_false(output_write(path_join(arena, folder, "no/such/file.c"), "abc", 3, &why));
    assert_non_null(strstr(text_string(&why), "cannot write 'hlocc_unit_"));
    assert_false(output_write(folder, "abc", 3, &why));
    assert_true(output_write("/dev/null", "abc", 3, &why));
    folder_remove(folder);
    assert_false(path_exists(folder));
    text_free(&why);
    arena_free(arena);
}

static void test_paths(void **state) {
    (void)state;
    Arena *arena = arena_new();
    assert_string_equal(path_join(arena, "a/", "b"), "a/b");
    assert_string_equal(path_join(arena, ".", "b"), "b");
    assert_string_equal(path_join(arena, "a", "/b"), "/b");
    assert_string_equal(path_folder(arena, "a/b/c.hlo"), "a/b");
    assert_string_equal(path_folder(arena, "c.hlo"), ".");
    assert_string_equal(path_stem(arena, "a.b/c.d.hlo"), "c.d");
    assert_string_equal(path_stem(arena, ".hlo"), ".hlo");
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_and_code), cmocka_unit_test(test_much_output), cmocka_unit_test(test_bad_ends),
        cmocka_unit_test(test_jobs_are_reported_in_order), cmocka_unit_test(test_files_are_left_alone_when_unchanged),
        cmocka_unit_test(test_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
