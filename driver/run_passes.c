#include "driver/run_passes.h"

#include <stdio.h>
#include <string.h>

#include "driver/process.h"
#include "passes/passes.h"

static bool contains(const Words *words, const char *name) {
    for (int i = 0; i < words->n; i++)
        if (strcmp(words->at[i], name) == 0) return true;
    return false;
}

static bool is_wanted(const Pass *pass, const CompileOptions *options, int *n_optional) {
    if (pass->always) return true;
    if (options->level == LEVEL_0 || (options->passes.n && !contains(&options->passes, pass->name))) return false;
    if (options->opt_bisect_limit < 0) return true;
    bool within = (*n_optional)++ < options->opt_bisect_limit;
    fprintf(stderr, "pass %d (%s): %s\n", *n_optional, pass->name, within ? "runs" : "does not run");
    return within;
}

static void dump(const Module *module, const char *pass) {
    Text text = {0};
    hlo_print(&text, module, (HloPrintOptions){.elide_above = 0});
    fprintf(stderr, "// after %s\n%s\n", pass, text_string(&text));
    text_free(&text);
}

bool run_passes(Module *module, const CompileOptions *options, Diags *diags) {
    int n, n_optional = 0;
    const Pass *table = passes_table(&n);
    for (int i = 0; i < n; i++) {
        if (!is_wanted(&table[i], options, &n_optional)) continue;
        double started = monotonic_seconds();
        table[i].run(module, diags);
        report_time(options, table[i].name, started);
        if (diags->n_errors) return false;
        if (options->verify_each) hlo_check(module, table[i].name);
        if (contains(&options->dump_after, table[i].name)) dump(module, table[i].name);
    }
    return true;
}

static bool check_names(const Words *names, const char *option, Text *error) {
    enum { MOST_PASSES = 256 };
    int n;
    const Pass *table = passes_table(&n);
    const char *known[MOST_PASSES];
    for (int i = 0; i < n && i < MOST_PASSES; i++) known[i] = table[i].name;
    for (int k = 0; k < names->n; k++) {
        bool found = false;
        for (int i = 0; i < n; i++) found |= strcmp(names->at[k], table[i].name) == 0;
        if (found) continue;
        const char *nearest = nearest_word(names->at[k], known, n < MOST_PASSES ? n : MOST_PASSES);
        text_printf(error, "%s: no pass '%s'", option, names->at[k]);
        if (nearest) text_printf(error, "; did you mean '%s'?", nearest);
        else text_put(error, "; --list-passes names them");
        return false;
    }
    return true;
}

bool check_pass_names(const CompileOptions *options, Text *error) {
    return check_names(&options->passes, "--passes", error) &&
           check_names(&options->dump_after, "--dump-after", error);
}

void list_passes(Text *out) {
    int n;
    const Pass *table = passes_table(&n);
    for (int i = 0; i < n; i++)
        text_printf(out, "%-12s%-4s%s\n", table[i].name, table[i].always ? "-O0" : "", table[i].what);
}

double report_time(const CompileOptions *options, const char *what, double started) {
    double now = monotonic_seconds();
    if (options->time) fprintf(stderr, "%10.3f ms  %s\n", 1e3 * (now - started), what);
    return now;
}
