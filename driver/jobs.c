#define _POSIX_C_SOURCE 200809L
#include "driver/jobs.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"

typedef struct {
    const Jobs *jobs;
    int job;
} Work;

static int work(void *context) {
    const Work *one = context;
    return one->jobs->work(one->jobs->context, one->job);
}

void jobs_run(const Jobs *jobs) {
    int parallel = jobs->parallel > 1 ? jobs->parallel : 1;
    if (parallel > jobs->n) parallel = jobs->n;
    Process *processes = base_malloc(sizeof *processes * (size_t)(jobs->n + 1));
    Process **running = base_malloc(sizeof *running * (size_t)(parallel + 1));
    bool *ended = base_malloc((size_t)jobs->n + 1);
    for (int i = 0; i < jobs->n; i++) ended[i] = false;
    int n_running = 0, next = 0, reported = 0;
    while (reported < jobs->n) {
        while (n_running < parallel && next < jobs->n) {
            Work one = {jobs, next};
            if (process_start(&processes[next], work, &one, jobs->seconds, false, false))
                running[n_running++] = &processes[next];
            else ended[next] = true;
            next++;
        }
        int at = process_wait_any(running, n_running);
        if (at >= 0) {
            ended[running[at] - processes] = true;
            running[at] = running[--n_running];
        }
        for (; reported < next && ended[reported]; reported++) {
            jobs->done(jobs->context, reported, &processes[reported]);
            process_free(&processes[reported]);
        }
    }
    base_free(ended);
    base_free(running);
    base_free(processes);
}

int processor_count(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
}
