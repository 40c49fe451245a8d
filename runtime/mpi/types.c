/* MPI types for arrays of bytes: counts beyond an int, pieces at a stride. */
#include "runtime/mpi/mpi_comm.h"

int mpi_bytes_type(size_t bytes, MPI_Datatype *type) {
    MPI_Datatype chunk, parts[2], made;
    MPI_Aint places[2] = {0, 0};
    int lengths[2] = {1, 0}, code;
    if (bytes <= MOST_BYTES) {
        code = MPI_Type_contiguous((int)bytes, MPI_BYTE, type);
        return code == MPI_SUCCESS ? MPI_Type_commit(type) : code;
    }
    code = MPI_Type_contiguous(MOST_BYTES, MPI_BYTE, &chunk);
    if (code != MPI_SUCCESS) return code;
    code = MPI_Type_contiguous((int)(bytes / MOST_BYTES), chunk, &made);
    MPI_Type_free(&chunk);
    if (code != MPI_SUCCESS) return code;
    parts[0] = made;
    parts[1] = MPI_BYTE;
    lengths[1] = (int)(bytes % MOST_BYTES);
    places[1] = (MPI_Aint)(bytes - bytes % MOST_BYTES);
    code = MPI_Type_create_struct(2, lengths, places, parts, type);
    MPI_Type_free(&made);
    return code == MPI_SUCCESS ? MPI_Type_commit(type) : code;
}

int mpi_pieces_type(size_t piece, size_t stride, ptrdiff_t outer, MPI_Datatype *type) {
    MPI_Datatype one, all;
    int code;
    if (outer == 1 || piece == stride) return mpi_bytes_type(piece * (size_t)outer, type);
    code = mpi_bytes_type(piece, &one);
    if (code != MPI_SUCCESS) return code;
    code = MPI_Type_create_hvector((int)outer, 1, (MPI_Aint)stride, one, &all);
    MPI_Type_free(&one);
    if (code != MPI_SUCCESS) return code;
    code = MPI_Type_create_resized(all, 0, (MPI_Aint)piece, type);
    MPI_Type_free(&all);
    return code == MPI_SUCCESS ? MPI_Type_commit(type) : code;
}
