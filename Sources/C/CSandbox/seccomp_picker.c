#define _GNU_SOURCE 1
#include "CSandbox.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/// Calls for a terminal whose modes are set already, and two sockets. Nothing is opened, by whatever name.
static const int allowed[] = {
  // The terminal and the sockets. Without ioctl nothing can be typed into the terminal.
  SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(close), SCMP_SYS(poll), SCMP_SYS(ppoll),
  // Memory.
  SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise),
  // The state of the only thread, and its end.
  SCMP_SYS(futex), SCMP_SYS(rseq), SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(sched_yield),
  SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
  SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group),
  SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep), SCMP_SYS(getrandom),
};

static int allow_with_arguments(scmp_filter_ctx filter) {
  const uint32_t allow = SCMP_ACT_ALLOW;
  int failure = seccomp_rule_add(
    filter, allow, SCMP_SYS(mmap), 2, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
    SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS, MAP_ANONYMOUS));
  // Only bytes can be sent to the parent and the viewer, and no descriptor.
  if (!failure) failure = csandbox_filter_allow_bytes(filter);
  if (!failure) failure = csandbox_filter_allow_abort(filter);
  const uint32_t commands[] = {F_GETFD, F_SETFD, F_GETFL};
  for (size_t index = 0; !failure && index < sizeof commands / sizeof *commands; index++) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(fcntl), 1, SCMP_A1_32(SCMP_CMP_EQ, commands[index]));
  }
  return failure;
}

int csandbox_seccomp_picker(void) {
  scmp_filter_ctx filter = csandbox_filter_start(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return -ENOMEM;
  int failure = csandbox_filter_add(
    filter, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed);
  if (!failure) failure = allow_with_arguments(filter);
  return csandbox_filter_finish(filter, failure);
}
