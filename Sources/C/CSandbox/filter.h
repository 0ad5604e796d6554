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
/// Allows sending bytes over a connected socket, and no descriptor.
int csandbox_filter_allow_bytes(scmp_filter_ctx filter);
/// Allows receiving messages, with descriptors.
int csandbox_filter_allow_messages(scmp_filter_ctx filter);
/// Allows the signal to this process that abort() needs.
int csandbox_filter_allow_abort(scmp_filter_ctx filter);
/// Loads the filter unless `failure`, and frees it.
///
/// -ENOMEM may come behind a filter that was loaded: it lacks a rule, and the process must end.
int csandbox_filter_finish(scmp_filter_ctx filter, int failure);

#endif
