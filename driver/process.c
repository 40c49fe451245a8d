#define _POSIX_C_SOURCE 200809L
#include "driver/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"

enum { NOT_STARTED = 127, MILLISECONDS_TO_OBEY = 2000 };

double monotonic_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void close_pipe(int ends[2]) {
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0) close(ends[i]);
}

/* In the child: its standard streams, then the work. */
static _Noreturn void be_child(int out[2], int err[2], int (*body)(void *), void *context) {
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    if (out[1] >= 0) dup2(out[1], STDOUT_FILENO);
    if (err[1] >= 0) dup2(err[1], STDERR_FILENO);
    else if (out[1] >= 0) dup2(out[1], STDERR_FILENO);
    close_pipe(out);
    close_pipe(err);
    int code = body(context);
    fflush(NULL);
    _exit(code);
}

/* Pipes must not be inherited by programs that other children become, or their ends would never be seen. */
static bool open_pipe(int ends[2]) {
    if (pipe(ends)) return false;
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return true;
}

bool process_start(Process *process, int (*body)(void *context), void *context, double seconds, bool merge,
                   bool pass_through) {
    *process = (Process){.out_fd = -1, .err_fd = -1, .code = -1};
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    fflush(NULL); /* or the child would write our buffered text again */
    pid_t pid = -1;
    if (pass_through || (open_pipe(out) && (merge || open_pipe(err)))) pid = fork();
    if (pid == 0) be_child(out, err, body, context);
    if (pid < 0) {
        text_printf(&process->err, "cannot start a process: %s", strerror(errno));
        process->not_started = true;
        close_pipe(out);
        close_pipe(err);
        return false;
    }
    if (out[1] >= 0) close(out[1]);
    if (err[1] >= 0) close(err[1]);
    process->out_fd = out[0];
    process->err_fd = err[0];
    process->pid = pid;
    process->started = monotonic_seconds();
    process->limit = seconds > 0 ? process->started + seconds : 0;
    return true;
}

/* Takes what has arrived; false and a closed descriptor at the end. */
static bool take(int *fd, Text *into) {
    char bytes[1 << 16];
    ssize_t got = read(*fd, bytes, sizeof bytes);
    if (got > 0) {
        text_bytes(into, bytes, (size_t)got);
        return true;
    }
    if (got < 0 && errno == EINTR) return true;
    close(*fd);
    *fd = -1;
    return false;
}

/* Output ends before or with the process, except that a grandchild may hold it open: the end of the process counts. */
static bool has_ended(Process *process) {
    int status;
    pid_t got = waitpid(process->pid, &status, WNOHANG);
    if (got == 0) return false;
    if (got > 0 && WIFEXITED(status)) process->code = WEXITSTATUS(status);
    if (got > 0 && WIFSIGNALED(status)) process->signal = WTERMSIG(status);
    process->elapsed = monotonic_seconds() - process->started;
    process->pid = 0;
    struct pollfd rest[2] = {{process->out_fd, POLLIN, 0}, {process->err_fd, POLLIN, 0}};
    while (poll(rest, 2, 0) > 0) {
        if (rest[0].revents && !take(&process->out_fd, &process->out)) rest[0].fd = -1;
        if (rest[1].revents && !take(&process->err_fd, &process->err)) rest[1].fd = -1;
    }
    if (process->out_fd >= 0) close(process->out_fd);
    if (process->err_fd >= 0) close(process->err_fd);
    process->out_fd = process->err_fd = -1;
    return true;
}

/* First politely, so that a runner can end what it started; then for good. */
static void enforce_limit(Process *process, double now) {
    if (!process->limit || now < process->limit) return;
    kill(process->pid, process->interrupted ? SIGKILL : SIGTERM);
    process->limit = now + (process->interrupted ? 3600 : 1e-3 * MILLISECONDS_TO_OBEY);
    process->interrupted = process->timed_out = true;
}

int process_wait_any(Process *const *processes, int n) {
    struct pollfd *polled = base_malloc(sizeof *polled * 2 * (size_t)(n + 1));
    int ended = -1, wait_ms = 1, running = 1;
    while (ended < 0 && running) {
        int k = 0;
        double now = monotonic_seconds();
        running = 0;
        for (int i = 0; i < n; i++) {
            polled[k++] = (struct pollfd){processes[i]->pid ? processes[i]->out_fd : -1, POLLIN, 0};
            polled[k++] = (struct pollfd){processes[i]->pid ? processes[i]->err_fd : -1, POLLIN, 0};
            if (!processes[i]->pid) continue;
            running++;
            enforce_limit(processes[i], now);
        }
        /* A process that is silent or has closed its output ends without a word: look now and then. */
        int got = poll(polled, (nfds_t)k, wait_ms);
        wait_ms = got ? 1 : wait_ms < 20 ? wait_ms + 1 : wait_ms;
        for (int i = 0; i < n; i++) {
            if (got > 0 && polled[2 * i].revents) take(&processes[i]->out_fd, &processes[i]->out);
            if (got > 0 && polled[2 * i + 1].revents) take(&processes[i]->err_fd, &processes[i]->err);
        }
        for (int i = 0; i < n && ended < 0; i++)
            if (processes[i]->pid && has_ended(processes[i])) ended = i;
    }
    base_free(polled);
    return ended;
}

static void set_variable(const char *variable) {
    const char *equals = strchr(variable, '=');
    if (!equals) {
        unsetenv(variable);
        return;
    }
    Text name = {0};
    text_bytes(&name, variable, (size_t)(equals - variable));
    setenv(text_string(&name), equals + 1, 1);
    text_free(&name);
}

static int become(void *context) {
    const Command *command = context;
    if (command->directory && chdir(command->directory)) {
        fprintf(stderr, "cannot enter '%s': %s\n", command->directory, strerror(errno));
        return NOT_STARTED;
    }
    for (int i = 0; command->variables && command->variables[i]; i++) set_variable(command->variables[i]);
    execvp(command->argv[0], (char *const *)(void *)(uintptr_t)command->argv);
    fprintf(stderr, "cannot run '%s': %s\n", command->argv[0], strerror(errno));
    return NOT_STARTED;
}

bool process_run(Process *process, const Command *command) {
    Command copy = *command;
    if (!process_start(process, become, &copy, command->seconds, command->merge, command->pass_through)) return false;
    process_wait_any((Process *const[]){process}, 1);
    process->not_started = process->code == NOT_STARTED;
    return process->code == 0;
}

void process_describe(Text *out, const Process *process) {
    if (process->timed_out) text_put(out, "no end within the time limit");
    else if (process->signal) text_printf(out, "signal %d (%s)", process->signal, strsignal(process->signal));
    else text_printf(out, "exit code %d", process->code);
}

void process_free(Process *process) {
    text_free(&process->out);
    text_free(&process->err);
}

void command_print(Text *out, const char *const *argv) {
    for (int i = 0; argv[i]; i++) {
        if (i) text_char(out, ' ');
        bool plain = argv[i][0] && !argv[i][strcspn(argv[i], " \t\n'\"\\$`&|;<>()*?[]#~!{}")];
        if (!plain) text_char(out, '\'');
        for (const char *c = argv[i]; *c; c++) {
            if (*c == '\'') text_put(out, "'\\''");
            else text_char(out, *c);
        }
        if (!plain) text_char(out, '\'');
    }
}
