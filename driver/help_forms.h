/* Man pages and completions, from the tables of options that --help prints. */
#ifndef DRIVER_HELP_FORMS_H
#define DRIVER_HELP_FORMS_H

#include "driver/options.h"

typedef struct {
    const char *name, *title, *synopsis;
    const char *suffix; /* of the files it takes: "hlo" */
    const char *text;   /* what --help says before the options: usage, then paragraphs */
    const OptionTable *tables;
    int n_tables;
    const char *const *exits; /* code, meaning, code, meaning ...; NULL ends */
} ToolHelp;

extern const char *const help_forms[]; /* "man", "bash", "zsh", "fish"; NULL-terminated */

/* False: form is none of them. */
bool help_print_form(Text *out, const char *form, const ToolHelp *tool);

#endif
