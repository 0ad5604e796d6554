#define _GNU_SOURCE 1
#include "CSandbox.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/// Calls for answering connections of sockets that were there before, on one thread.
///
/// Nothing opens, nothing makes, binds or connects a socket, and nothing starts a thread or a program.
static const int allowed[] = {
  SCMP_SYS(accept4), SCMP_SYS(read), SCMP_SYS(recvfrom), SCMP_SYS(write), SCMP_SYS(writev),
  SCMP_SYS(close), SCMP_SYS(shutdown), SCMP_SYS(getsockname), SCMP_SYS(getpeername),
  SCMP_SYS(getsockopt), SCMP_SYS(setsockopt),
  // The loop of events, its clock and its bell.
  SCMP_SYS(epoll_create), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait),
  SCMP_SYS(eventfd2), SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime),
  // Memory.
  SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
  // The state of the only thread, and its end.
  SCMP_SYS(futex), SCMP_SYS(rseq), SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(sched_yield),
  SCMP_SYS(sched_getaffinity), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
  SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall), SCMP_SYS(exit),
  SCMP_SYS(exit_group), SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(getrandom),
};

static int allow_with_arguments(scmp_filter_ctx filter) {
  const uint32_t allow = SCMP_ACT_ALLOW;
  int failure = seccomp_rule_add(
    filter, allow, SCMP_SYS(mmap), 2, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
    SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS, MAP_ANONYMOUS));
  if (!failure) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  }
  // Only bytes can be sent, and no descriptor.
  if (!failure) failure = csandbox_filter_allow_bytes(filter);
  if (!failure) failure = csandbox_filter_allow_abort(filter);
  const uint32_t commands[] = {F_GETFD, F_SETFD, F_GETFL, F_SETFL};
  for (size_t index = 0; !failure && index < sizeof commands / sizeof *commands; index++) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(fcntl), 1, SCMP_A1_32(SCMP_CMP_EQ, commands[index]));
  }
  return failure;
}

int csandbox_seccomp_page(int listener) {
  scmp_filter_ctx filter = csandbox_filter_start(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return -ENOMEM;
  int failure = csandbox_filter_add(
    filter, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed);
  if (!failure) failure = allow_with_arguments(filter);
  // The server calls it once more for a socket that listens already.
  if (!failure && listener >= 0) {
    failure = seccomp_rule_add(
      filter, SCMP_ACT_ALLOW, SCMP_SYS(listen), 1, SCMP_A0_32(SCMP_CMP_EQ, (uint32_t)listener));
  }
  return csandbox_filter_finish(filter, failure);
}
