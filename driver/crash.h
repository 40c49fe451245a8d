/* A crash of the compiler is a fault of ours: it is said so, and the exit code is 70. */
#ifndef DRIVER_CRASH_H
#define DRIVER_CRASH_H

/* From now on SIGSEGV and its like (also the end of the stack) end the process with a message and code 70. Does
 * nothing in builds with sanitizers, which report better. */
void crash_report_install(void);

#endif
