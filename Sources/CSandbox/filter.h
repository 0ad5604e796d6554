// Functions shared by the seccomp lists.
#ifndef CSANDBOX_FILTER_H
#define CSANDBOX_FILTER_H

#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>

/// Makes an empty filter for this machine's own calls; other entries (32-bit, x32) answer EPERM.
scmp_filter_ctx csandbox_filter_start(uint32_t otherwise);
/// Adds one action for all of `calls`, ignoring those that this architecture does not have.
int csandbox_filter_add(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count);
/// Loads the filter unless `failure`, and frees it.
int csandbox_filter_finish(scmp_filter_ctx filter, int failure);

#endif
