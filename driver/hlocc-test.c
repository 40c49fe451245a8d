/* hlocc-test: runs test files and cases (tests/README.md, spec command-line.md). */
#include <stdio.h>
#include <string.h>

#include "driver/discover.h"
#include "driver/help_forms.h"
#include "driver/jobs.h"
#include "driver/junit.h"
#include "driver/options.h"
#include "driver/output.h"
#include "driver/test_run.h"
#include "driver/tool_paths.h"
#include "driver/version.h"

enum { EXIT_USAGE = 2, EXIT_DIFFERENT = 4, DEFAULT_SECONDS = 300 };

typedef struct {
    bool update, verbose, version;
    const char *help; /* "man" and so on; NULL: not asked for */
    int jobs;
    double seconds;
    const char *junit;
} Options;

#define MEMBER(m) offsetof(Options, m)
static const OptionRow rows[] = {
    {"--update", NULL, TAKES_NOTHING, SETS_TRUE, MEMBER(update), NULL, "options", "rewrite the CHECK lines", NULL, 0},
    {"-j", "--jobs", TAKES_VALUE, SETS_COUNT, MEMBER(jobs), "N", "options", "tests at a time (default: all cores)",
     NULL, 0},
    {"--junit", NULL, TAKES_VALUE, SETS_STRING, MEMBER(junit), "FILE", "options", "write the results as JUnit XML",
     NULL, 0},
    {"--timeout", NULL, TAKES_VALUE, SETS_NUMBER, MEMBER(seconds), "SECONDS", "options",
     "limit for each command (default 300)", NULL, 0},
    {"-v", "--verbose", TAKES_NOTHING, SETS_TRUE, MEMBER(verbose), NULL, "options", "name what passes, show commands",
     NULL, 0},
    {"--help", "-h", TAKES_OPTIONAL, SETS_STRING, MEMBER(help), "FORM", "options",
     "this text; man, bash, zsh, fish: a man page, completions", help_forms, 0},
    {"--version", NULL, TAKES_NOTHING, SETS_TRUE, MEMBER(version), NULL, "options", "the version", NULL, 0},
    {0},
};

typedef struct {
    TestOptions test;
    Words paths;
    Junit junit;
    bool verbose;
    Arena *arena;
    Words failed;
} Session;

/* In a child process; what is printed is the report. */
static int work(void *context, int job) {
    const Session *session = context;
    Text report = {0};
    bool passed = test_run(&session->test, session->paths.at[job], &report);
    fwrite(text_string(&report), 1, report.n, stdout);
    text_free(&report);
    return passed ? 0 : EXIT_DIFFERENT;
}

static void done(void *context, int job, const Process *process) {
    Session *session = context;
    const char *path = session->paths.at[job];
    bool passed = process->code == 0;
    Text report = {0};
    text_put(&report, text_string(&process->out));
    text_put(&report, text_string(&process->err));
    if (!passed && process->code != EXIT_DIFFERENT) {
        text_put(&report, "  the test itself ended with ");
        process_describe(&report, process);
        text_char(&report, '\n');
    }
    if (report.n && report.at[report.n - 1] != '\n') text_char(&report, '\n');
    if (!passed || session->verbose || report.n)
        printf("%s %s\n%s", passed ? "PASS" : "FAIL", path, text_string(&report));
    junit_add(&session->junit, path, process->elapsed, passed ? NULL : text_string(&report));
    if (!passed) words_add(session->arena, &session->failed, path);
    text_free(&report);
}

static int usage_error(const char *what) {
    fprintf(stderr, "hlocc-test: %s\n", what);
    return EXIT_USAGE;
}

static const char help[] =
    "usage: hlocc-test [options] PATH...\n\n"
    "Runs .hlo files that say in comments how to test them, and case folders.\n"
    "  // RUN: hlocc --emit=hlo %s     a command: %s is the file, %t a temporary name\n"
    "  // EXIT: 1                      its exit code, when that is not 0\n"
    "  // CHECK: ...                   the first line of its output\n"
    "  // CHECK-NEXT: ...              every further line\n"
    "  // CHECK-LABEL, -SAME, -NOT, -DAG, -EMPTY, -COUNT-n: as FileCheck reads them;\n"
    "                                  so is everything behind `RUN: ... | FileCheck %s`\n"
    "  // INPUT 0: {1, 2}              a parameter: a literal, or a .npy file\n"
    "  // EXPECT 0: {2, 4}             a result, by the evaluator and as C\n"
    "  // tolerance: rtol=1e-5 atol=0  for floating-point results; or exact\n\n";
static const char *const exits[] = {"0", "all tests passed", "2", "usage", "4", "a test failed", NULL};

static int print_help(const OptionTable *table, const char *form) {
    Text text = {0};
    ToolHelp tool = {.name = "hlocc-test", .title = "runs tests of HLO text: its compilation, its values",
                     .synopsis = "[options] PATH...", .suffix = "hlo", .text = help, .tables = table, .n_tables = 1,
                     .exits = exits};
    if (!help_print_form(&text, form, &tool)) {
        text_put(&text, help);
        options_print(&text, table, 1, "all");
        text_put(&text, "\nexit: 0; 2 usage; 4 a test failed\n");
    }
    fputs(text_string(&text), stdout);
    text_free(&text);
    return 0;
}

static bool write_junit(const Session *session, const char *path) {
    Text xml = {0}, why = {0};
    junit_print(&session->junit, &xml);
    bool written = output_write(path, xml.at, xml.n, &why);
    if (!written) fprintf(stderr, "hlocc-test: %s\n", text_string(&why));
    text_free(&xml);
    text_free(&why);
    return written;
}

/* After many reports: what to look at. */
static void print_summary(const Session *session) {
    enum { FEW = 2 };
    if (session->failed.n > FEW) puts("\nfailed:");
    for (int i = 0; session->failed.n > FEW && i < session->failed.n; i++) printf("  %s\n", session->failed.at[i]);
    printf("%d passed, %d failed\n", session->paths.n - session->failed.n, session->failed.n);
}

static int run_tests(Session *session, const Options *options) {
    Jobs jobs = {session->paths.n, options->jobs ? options->jobs : processor_count(), 0, session, work, done};
    jobs_run(&jobs);
    print_summary(session);
    bool written = !options->junit || write_junit(session, options->junit);
    junit_free(&session->junit);
    if (!written) return 1;
    return session->failed.n ? EXIT_DIFFERENT : 0;
}

static int run(Arena *arena, int argc, char **argv, Text *error) {
    Options options = {.seconds = DEFAULT_SECONDS};
    OptionTable table = {rows, &options};
    Words paths = {0};
    if (!options_read(arena, &table, 1, NULL, argc, argv, &paths, error)) return usage_error(text_string(error));
    if (options.help) return print_help(&table, options.help);
    if (options.version) return printf("hlocc-test %s\n", HLOCC_VERSION) < 0;
    if (!paths.n) return usage_error("no tests given; try --help");
    Session session = {.test = {tool_folder(arena, argv[0]), options.update, options.verbose, options.seconds},
                       .verbose = options.verbose, .arena = arena};
    for (int i = 0; i < paths.n; i++)
        if (!discover_tests(arena, paths.at[i], &session.paths, error)) return usage_error(text_string(error));
    return run_tests(&session, &options);
}

int main(int argc, char **argv) {
    Arena *arena = arena_new();
    Text error = {0};
    int code = run(arena, argc, argv, &error);
    text_free(&error);
    arena_free(arena);
    return code;
}
