#define _XOPEN_SOURCE 700
#include "driver/crash.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "base/arena.h"

#if !defined(__SANITIZE_ADDRESS__)

enum { EXIT_INTERNAL = 70, STACK_BYTES = 1 << 16 };

static void report(int signal) {
    static const char text[] = "hlocc: internal error: the compiler crashed\n"
                               "This is a fault of hlocc, not of your program. Please report it with the .hlo file (or "
                               "the smallest part of\nit that still shows it) and the command line.\n";
    (void)signal;
    ssize_t put = write(STDERR_FILENO, text, sizeof text - 1);
    _exit(put < 0 ? EXIT_INTERNAL : EXIT_INTERNAL);
}

void crash_report_install(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    /* A stack of its own: the usual one may be what ran out. */
    stack_t stack = {.ss_sp = base_malloc(STACK_BYTES), .ss_size = STACK_BYTES};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = report, .sa_flags = SA_ONSTACK | SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
}

#else

void crash_report_install(void) {}

#endif
