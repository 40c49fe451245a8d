/* Communicators over MPI (libhlocc-rt-mpi; link it before libhlocc-rt). C only. */
#ifndef HLOCC_RT_MPI_H
#define HLOCC_RT_MPI_H

#include <mpi.h>

#include "hlocc/rt_comm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The communicator of this process's rank in `given`, of which it makes a duplicate: what is sent here meets nothing of
 * the caller's. Every rank of `given` calls it; MPI must have been initialised, and hlocc_comm_free must be called, by
 * every rank, before it is finalised. Neither MPI_Init nor MPI_Finalize is ever called here, and no other communicator
 * used.
 *
 * Threads: MPI_THREAD_FUNNELED is enough where the thread that initialised MPI makes all calls, MPI_THREAD_SERIALIZED
 * where they come from several threads one at a time; several communicators at once in different threads need
 * MPI_THREAD_MULTIPLE. Errors of MPI come back as HLOCC_ECOMM, with MPI's words in the context's message.
 *
 * Returns HLOCC_OK, HLOCC_EARGUMENT (MPI is not initialised, or the communicator is an inter-communicator), HLOCC_ECOMM
 * or HLOCC_EMEMORY. */
int hlocc_comm_create_mpi(MPI_Comm given, hlocc_comm **comm);

#ifdef __cplusplus
}
#endif

#endif
