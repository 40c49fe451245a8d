/* Command lines, GNU style: --long=value or --long value, short ones as cc has them (-o FILE, -oFILE, -O2, -MD), `--`
 * ends options, `-` is a file. What a tool takes is a table; several tables may be taken together (hlocc-run takes its
 * own and the compiler's). Every row sets one member of an options struct. */
#ifndef DRIVER_OPTIONS_H
#define DRIVER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "driver/words.h"

typedef enum {
    TAKES_NOTHING,
    TAKES_VALUE,    /* --name=VALUE, --name VALUE, -nVALUE, -n VALUE */
    TAKES_OPTIONAL, /* --name, --name=VALUE */
    TAKES_JOINED,   /* -nVALUE, -n: the value may be empty and is never the next word */
    TAKES_MANY,     /* --name A B C: words up to the next option */
} OptionTakes;

typedef enum {
    SETS_TRUE,    /* bool */
    SETS_FALSE,   /* bool */
    SETS_STRING,  /* const char *; an optional value that is absent gives "" */
    SETS_COUNT,   /* int, 0 or more */
    SETS_NUMBER,  /* double, 0 or more; an optional value that is absent gives the row's otherwise */
    SETS_WORD,    /* int: index into the row's words */
    SETS_WORDS,   /* Words: every value is appended, split at commas when the row takes one value */
    SETS_LATER,   /* a flag of the specification that is refused as not supported yet */
} OptionSets;

typedef struct {
    const char *name;  /* with its dashes */
    const char *other; /* a second name, or NULL */
    OptionTakes takes;
    OptionSets sets;
    size_t offset;     /* of the member, in the tool's struct */
    const char *value; /* what the value is, in --help: "FILE" */
    const char *topic; /* for --help=TOPIC; NULL: not shown */
    const char *help;  /* one line */
    const char *const *words; /* SETS_WORD, and checked for SETS_WORDS: NULL-terminated */
    double otherwise;
} OptionRow;

typedef struct {
    const OptionRow *rows; /* ended by a row without a name */
    void *options;         /* the struct that offsets refer to */
} OptionTable;

/* Reads a command line into the tables' structs and its other words into files. First reads the words of the
 * environment variable named `variable` (NULL: none), as if they stood in front. The first fault is described in error
 * (without the tool's name): then false, which means exit 2. Strings point into argv or the arena. */
bool options_read(Arena *arena, const OptionTable *tables, int n_tables, const char *variable, int argc,
                  char *const *argv, Words *files, Text *error);

/* The rows of a topic ("all": of every topic), for --help. */
void options_print(Text *out, const OptionTable *tables, int n_tables, const char *topic);
/* The topics, in the order of the tables, separated by commas. */
void options_print_topics(Text *out, const OptionTable *tables, int n_tables);

#endif
