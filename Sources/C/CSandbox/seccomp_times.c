#define _GNU_SOURCE 1
#include "CSandbox.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/// Calls for finding a file beneath a folder without opening it, setting its times, and one socket.
/// Whether openat2 opens a file cannot be seen here, so Landlock refuses that.
static const int allowed[] = {
  SCMP_SYS(close),
  // The socket: every other descriptor is a place, to which nothing can be written.
  SCMP_SYS(write), SCMP_SYS(poll), SCMP_SYS(ppoll),
  // Memory.
  SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise),
  // The state of the only thread, and its end.
  SCMP_SYS(futex), SCMP_SYS(rseq), SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(sched_yield),
  SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
  SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(clock_gettime),
};

static int allow_with_arguments(scmp_filter_ctx filter, int folder) {
  const uint32_t allow = SCMP_ACT_ALLOW;
  int failure = seccomp_rule_add(
    filter, allow, SCMP_SYS(openat2), 1, SCMP_A0_32(SCMP_CMP_EQ, (uint32_t)folder));
  // Only of a file that is found already: AT_EMPTY_PATH alone.
  if (!failure) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(utimensat), 2, SCMP_A0_32(SCMP_CMP_LE, INT32_MAX),
      SCMP_A3_32(SCMP_CMP_EQ, AT_EMPTY_PATH));
  }
  if (!failure) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(mmap), 2, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
      SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS, MAP_ANONYMOUS));
  }
  if (!failure) failure = csandbox_filter_allow_messages(filter);
  // Only bytes can be sent to the coordinator, and no descriptor.
  if (!failure) failure = csandbox_filter_allow_bytes(filter);
  if (!failure) failure = csandbox_filter_allow_abort(filter);
  return failure;
}

int csandbox_seccomp_times(int folder) {
  scmp_filter_ctx filter = csandbox_filter_start(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return -ENOMEM;
  int failure = csandbox_filter_add(
    filter, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed);
  if (!failure) failure = allow_with_arguments(filter, folder);
  return csandbox_filter_finish(filter, failure);
}

int csandbox_set_modified(int folder, const char *path, int64_t seconds, int64_t nanoseconds) {
  int file = csandbox_open_path_beneath(folder, path);
  if (file < 0) return file;
  struct timespec times[2] = {
    {.tv_nsec = UTIME_OMIT}, {.tv_sec = seconds, .tv_nsec = nanoseconds}};
  int result = utimensat(file, "", times, AT_EMPTY_PATH) ? -errno : 0;
  close(file);
  return result;
}
