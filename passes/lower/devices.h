/* Who takes part in a collective: groups of replica_groups and pairs of source_target_pairs as numbers of devices. */
#ifndef PASSES_LOWER_DEVICES_H
#define PASSES_LOWER_DEVICES_H

#include "base/diag.h"
#include "ir/hlo.h"

/* Groups in order, members in the order that gives them their numbers in the group. Device r * num_partitions + p is
 * replica r's partition p. Of pairs every group is (source, target). */
typedef struct {
    int n_groups, n_members; /* members of all groups together */
    int *sizes, *members;
} DeviceGroups;

DeviceGroups device_groups(Arena *arena, const Instr *collective);
DeviceGroups device_pairs(Arena *arena, const Instr *collective); /* collective-permute, send, recv-done */

/* The module has a device for every id in groups and pairs: a header may leave out how many there are, but who runs it
 * must know. False: reported, at the attributes. */
bool devices_are_there(const Module *module, Diags *diags);

#endif
