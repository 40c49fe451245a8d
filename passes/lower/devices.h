/* Who takes part in a collective: groups of replica_groups and pairs of source_target_pairs as numbers of devices. */
#ifndef PASSES_LOWER_DEVICES_H
#define PASSES_LOWER_DEVICES_H

#include "ir/hlo.h"

/* Groups in order, members in the order that gives them their numbers in the group. Device r * num_partitions + p is
 * replica r's partition p. Of pairs every group is (source, target). */
typedef struct {
    int n_groups, n_members; /* members of all groups together */
    int *sizes, *members;
} DeviceGroups;

DeviceGroups device_groups(Arena *arena, const Instr *collective);
DeviceGroups device_pairs(Arena *arena, const Instr *collective); /* collective-permute, send, recv-done */

#endif
