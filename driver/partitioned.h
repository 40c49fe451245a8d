/* Whether a module that says num_partitions=N was partitioned. Dumps from before and after the SPMD partitioner both
 * say it; before, the arrays are whole, sharding is advice, and the program runs on one device (of each replica). */
#ifndef DRIVER_PARTITIONED_H
#define DRIVER_PARTITIONED_H

#include "ir/hlo.h"

typedef enum { PARTITIONED_AUTO, PARTITIONED_YES, PARTITIONED_NO } PartitionedMode;

/* Settles num_partitions for all that follows: 1 where the module was not partitioned (attrs.advised_partitions then
 * keeps what it said). AUTO: it was not if it holds Sharding, SPMDFullToShardShape, SPMDShardToFullShape or xla.sdy.*
 * custom calls, if its frontend_attributes name xla.sdy.meshes, or if it has the comment `// unpartitioned`. Custom
 * calls that go between whole arrays and shards
 * are refused where they change the shape: false, with errors in diags. */
bool module_settle_partitions(Module *module, PartitionedMode mode, Diags *diags);

#endif
