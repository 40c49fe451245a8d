#include "driver/test_run.h"

#include <stdlib.h>
#include <string.h>

#include "driver/check_script.h"
#include "driver/output.h"
#include "driver/process.h"
#include "driver/test_golden.h"
#include "driver/words.h"

enum { MOST_UPDATES = 4 };

typedef struct {
    Arena *arena;
    const TestOptions *options;
    const TestFile *file;
    const char *temporary; /* %t; made when first asked for */
    Text *report;
} Runner;

static const char *const our_tools[] = {"hlocc", "hlocc-run", "hlocc-test", NULL};

static bool complain(Runner *runner, const char *what, const char *word) {
    text_printf(runner->report, "  RUN: %s '%s'\n", what, word);
    return false;
}

static const char *temporary_folder(Runner *runner) {
    if (runner->temporary) return runner->temporary;
    const char *parent = getenv("TMPDIR");
    char *name = arena_printf(runner->arena, "%s/hlocc-test.XXXXXX", parent && *parent ? parent : "/tmp");
    runner->temporary = folder_make_temporary(name) ? name : "/nonexistent";
    return runner->temporary;
}

/* %s, %S, %t in one word. Tests run in the folder of their file, so that messages name the file alone. */
static const char *expand(Runner *runner, const char *word) {
    Text out = {0};
    for (const char *c = word; *c; c++) {
        if (c[0] != '%' || !c[1] || !strchr("sSt%", c[1])) {
            text_char(&out, *c);
            continue;
        }
        c++;
        if (*c == 's') text_put(&out, path_base(runner->file->path));
        else if (*c == 'S') text_char(&out, '.');
        else if (*c == 't') text_printf(&out, "%s/t", temporary_folder(runner));
        else text_char(&out, '%');
    }
    const char *expanded = arena_string(runner->arena, text_string(&out), out.n);
    text_free(&out);
    return expanded;
}

/* The tool of ours that argv[0] names, by its path. */
static bool find_tool(Runner *runner, Words *argv) {
    for (int k = 0; argv->n && our_tools[k]; k++)
        if (strcmp(argv->at[0], our_tools[k]) == 0) {
            argv->at[0] = path_join(runner->arena, runner->options->tools, our_tools[k]);
            words_end(runner->arena, argv);
            return true;
        }
    return complain(runner, "not one of hlocc, hlocc-run, hlocc-test:", argv->n ? argv->at[0] : "");
}

/* One RUN line. */
typedef struct {
    Words argv;
    bool merge;      /* 2>&1 */
    bool by_script;  /* piped into FileCheck */
    CheckOptions check;
} RunLine;

static bool read_command(Runner *runner, const char *line, RunLine *run) {
    Words *argv = &run->argv;
    Words words = {0};
    int piped_at = 0;
    if (!words_split(runner->arena, &words, line)) return complain(runner, "a quote is not closed in", line);
    for (int i = 0; i < words.n; i++) {
        const char *word = words.at[i];
        if (strcmp(word, "|") == 0) {
            run->by_script = i + 1 < words.n && strcmp(path_base(words.at[i + 1]), "FileCheck") == 0;
            piped_at = i + 2;
            if (run->by_script) break;
            return complain(runner, "only a pipe into FileCheck is known in", line);
        }
        if (strcmp(word, "2>&1") == 0) run->merge = true;
        else if (strcmp(word, ">") == 0 || strcmp(word, "<") == 0 || strcmp(word, "&&") == 0 || strcmp(word, ";") == 0)
            return complain(runner, "this is no shell; use several RUN lines and -o %t instead of", word);
        else words_add(runner->arena, argv, expand(runner, word));
    }
    bool good = !run->by_script || check_options_read(runner->arena, &words, piped_at, &run->check, runner->report);
    if (!good) return false;
    return find_tool(runner, argv);
}

/* Runs one command; its output in *output (with what it says to standard error behind, when it is to fail), or NULL
 * when it was piped into FileCheck and is checked already. */
static bool run_command(Runner *runner, const char *line, int exit_code, const char **output) {
    RunLine run = {0};
    if (!read_command(runner, line, &run)) return false;
    static const char *const variables[] = {"HLOCC_FLAGS", "NO_COLOR=1", "LC_ALL=C", NULL};
    Command command = {.argv = run.argv.at,
                       .directory = path_folder(runner->arena, runner->file->path),
                       .variables = variables,
                       .seconds = runner->options->seconds,
                       .merge = run.merge};
    Process process;
    process_run(&process, &command);
    bool good = process.code == exit_code;
    if (!good || runner->options->verbose) {
        text_printf(runner->report, "  RUN: %s\n", line);
    }
    if (!good) {
        text_put(runner->report, "  ");
        process_describe(runner->report, &process);
        text_printf(runner->report, ", expected exit code %d\n%s", exit_code, text_string(&process.err));
        if (run.merge) text_put(runner->report, text_string(&process.out));
    }
    *output = arena_printf(runner->arena, "%s%s", text_string(&process.out),
                           exit_code ? text_string(&process.err) : "");
    process_free(&process);
    if (!good || !run.by_script) return good;
    good = check_script_run(runner->arena, &run.check, runner->file->path, runner->file->bytes, *output,
                            runner->report);
    if (!good && !runner->options->verbose) text_printf(runner->report, "  RUN: %s\n", line);
    *output = NULL; /* done with */
    return good;
}

static bool run_commands(Runner *runner, const char **outputs) {
    const TestFile *file = runner->file;
    bool good = true;
    for (int i = 0; i < file->runs.n && good; i++)
        good = run_command(runner, file->runs.at[i], i + 1 == file->runs.n ? file->exit_code : 0, &outputs[i]);
    if (runner->temporary) folder_remove(runner->temporary);
    runner->temporary = NULL;
    return good;
}

/* The outputs that no FileCheck took, moved together. Whether one did. */
static bool keep_outputs(const char **outputs, int n) {
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (outputs[i]) outputs[kept++] = outputs[i];
    for (int i = kept; i < n; i++) outputs[i] = NULL;
    return kept < n;
}

static bool check_as_script(Runner *runner, const char *const *outputs) {
    Text all = {0};
    CheckOptions check = {0};
    for (int i = 0; outputs[i]; i++) text_put(&all, outputs[i]);
    bool good = check_script_run(runner->arena, &check, runner->file->path, runner->file->bytes, text_string(&all),
                                 runner->report);
    text_free(&all);
    return good;
}

static bool run_golden(Arena *arena, const TestOptions *options, const TestFile *file, Text *report) {
    Runner runner = {arena, options, file, NULL, report};
    const char **outputs = NEW_ARRAY(arena, const char *, file->runs.n + 1);
    if (!run_commands(&runner, outputs)) return false;
    bool piped = keep_outputs(outputs, file->runs.n);
    if (piped && !outputs[0]) return true;
    if (file->is_script || piped) return check_as_script(&runner, outputs);
    if (!file->checks.n && !options->update) return true;
    Text difference = {0};
    bool same = golden_compare(arena, file, outputs, &difference);
    /* CHECK lines above the program move it, and with it the lines that messages name: once more, until it is stable.
     * */
    for (int round = 0; !same && options->update && round < MOST_UPDATES; round++) {
        Text text = {0};
        test_file_rewrite(file, outputs, &text);
        bool good = output_write(file->path, text.at, text.n, report);
        text_free(&text);
        if (!good) break;
        if (!round) text_put(report, "  golden text rewritten\n");
        text_clear(&difference);
        file = runner.file = test_file_read(arena, file->path, report);
        if (!file || !run_commands(&runner, outputs)) break;
        same = golden_compare(arena, file, outputs, &difference);
    }
    text_put(report, text_string(&difference));
    text_free(&difference);
    return same;
}

static bool run_file(Arena *arena, const TestOptions *options, const char *path, Text *report) {
    TestFile *file = test_file_read(arena, path, report);
    if (!file) return false;
    bool has_values = file->inputs.n || file->expects.n;
    if (!file->runs.n && !has_values) {
        text_put(report, "  nothing to test: neither RUN nor INPUT nor EXPECT lines\n");
        return false;
    }
    if (file->runs.n && !run_golden(arena, options, file, report)) return false;
    return !has_values || test_values(arena, options, file, report);
}

bool test_run(const TestOptions *options, const char *path, Text *report) {
    Arena *arena = arena_new();
    bool good = path_is_folder(path) ? test_case(arena, options, path, report) : run_file(arena, options, path, report);
    arena_free(arena);
    return good;
}
