// What both seccomp lists share.
#ifndef CSANDBOX_FILTER_H
#define CSANDBOX_FILTER_H

#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>

/// An empty filter for this machine's own calls; its other entries (32-bit, x32) answer EPERM.
scmp_filter_ctx csandbox_filter_start(uint32_t otherwise);
/// One action for all of `calls`; one that this architecture does not have is passed over.
int csandbox_filter_add(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count);
/// Loads the filter unless `failure`, and frees it.
int csandbox_filter_finish(scmp_filter_ctx filter, int failure);

#endif
