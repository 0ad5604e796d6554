#define _GNU_SOURCE 1
#include "filter.h"

#include "CSandbox.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int csandbox_seccomp_available(void) {
  uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 ? 1 : 0;
}

scmp_filter_ctx csandbox_filter_start(uint32_t otherwise) {
  errno = 0;
  scmp_filter_ctx filter = seccomp_init(otherwise);
  if (!filter) return NULL;
  int failure = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
  // Return the kernel's own errno instead of libseccomp's ECANCELED.
  if (!failure) failure = seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1);
  // 2 selects a binary tree instead of a list.
  if (!failure) failure = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
  if (!failure) return filter;
  seccomp_release(filter);
  return NULL;
}

int csandbox_filter_add(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count) {
  for (size_t index = 0; index < count; index++) {
    if (calls[index] < 0) continue;
    int failure = seccomp_rule_add(filter, action, calls[index], 0);
    if (failure) return failure;
  }
  return 0;
}

int csandbox_filter_finish(scmp_filter_ctx filter, int failure) {
  // libseccomp 2.5 goes on behind some failing allocations with a filter that lacks a rule; malloc has said so in errno.
  if (errno == ENOMEM) return -ENOMEM;
  if (!failure) failure = seccomp_load(filter);
  if (errno == ENOMEM) failure = -ENOMEM;
  // Behind one, it would free parts of the filter twice. The process does not go on without a filter.
  if (!failure) seccomp_release(filter);
  return failure;
}

int csandbox_filter_allow_bytes(scmp_filter_ctx filter) {
  return seccomp_rule_add(
    filter, SCMP_ACT_ALLOW, SCMP_SYS(sendto), 2, SCMP_A3(SCMP_CMP_MASKED_EQ, MSG_OOB, 0),
    SCMP_A4(SCMP_CMP_EQ, 0));
}

int csandbox_filter_allow_messages(scmp_filter_ctx filter) {
  return seccomp_rule_add(
    filter, SCMP_ACT_ALLOW, SCMP_SYS(recvmsg), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, MSG_OOB, 0));
}

int csandbox_filter_allow_abort(scmp_filter_ctx filter) {
  return seccomp_rule_add(
    filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0_32(SCMP_CMP_EQ, (uint32_t)getpid()));
}
