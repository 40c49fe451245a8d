/* Many independent pieces of work on a few cores, each in a process of its own, so that one that crashes or hangs is
 * one failure among results. */
#ifndef DRIVER_JOBS_H
#define DRIVER_JOBS_H

#include "driver/process.h"

typedef struct {
    int n;        /* jobs */
    int parallel; /* at most this many at a time; 0: one */
    double seconds; /* time limit of each; 0: none */
    void *context;
    int (*work)(void *context, int job);                           /* in the child; what it prints is caught */
    void (*done)(void *context, int job, const Process *process); /* here, in the order of the jobs */
} Jobs;

void jobs_run(const Jobs *jobs);

/* Processors that we may use. */
int processor_count(void);

#endif
