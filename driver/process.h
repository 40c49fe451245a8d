/* Child processes: a function, or another program, run apart from us, its output caught. A crash, a hang or an exit in
 * it is a result like any other. POSIX.
 *
 *     Process process = {0};
 *     if (process_run(&process, &(Command){.argv = argv, .seconds = 60})) puts(text_string(&process.out));
 *     process_free(&process);
 *
 * Several at once: process_start each, then process_wait_any until all have ended. */
#ifndef DRIVER_PROCESS_H
#define DRIVER_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/text.h"

typedef struct {
    const char *const *argv;      /* NULL-terminated; argv[0] is looked up in PATH */
    const char *directory;        /* to run in; NULL: here */
    const char *const *variables; /* "NAME=VALUE" to set, or "NAME" to unset; NULL-terminated; NULL: none */
    double seconds;               /* time limit; 0: none */
    bool merge;                   /* standard error goes where standard output goes */
    bool pass_through;            /* output is not caught, it goes where ours goes */
} Command;

typedef struct {
    /* the result, once it has ended */
    int code;        /* exit code; -1 when a signal ended it or it could not be started */
    int signal;      /* the signal, or 0 */
    bool timed_out;  /* ended by us, at its time limit */
    bool not_started; /* no such program, or no more processes: err says why */
    Text out, err;   /* what it wrote; not caught: empty */
    double elapsed;  /* seconds */
    /* private */
    pid_t pid; /* 0: not running */
    int out_fd, err_fd;
    double started, limit;
    bool interrupted;
} Process;

/* Starts body(context) in a child, which ends with what body returns as its exit code. False: could not fork. */
bool process_start(Process *process, int (*body)(void *context), void *context, double seconds, bool merge,
                   bool pass_through);

/* Waits until one of the n processes (entries that do not run are passed over) has ended; its index, or -1 when none
 * runs. */
int process_wait_any(Process *const *processes, int n);

/* Starts a program and waits for it. True when it ended with code 0. */
bool process_run(Process *process, const Command *command);

/* How it ended, for messages: "exit code 3", "signal 11 (Segmentation fault)", "no end within 60 s". */
void process_describe(Text *out, const Process *process);

void process_free(Process *process);

/* A command line for people: words quoted where a shell needs it. */
void command_print(Text *out, const char *const *argv);

double monotonic_seconds(void);

#endif
