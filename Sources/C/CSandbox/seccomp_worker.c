#define _GNU_SOURCE 1
#include "CSandbox.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/// Calls for decoding from memory and for one socket, allowed with any arguments.
static const int allowed[] = {
  // The socket and the descriptor of the job.
  SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(lseek),
  SCMP_SYS(close), SCMP_SYS(fadvise64), SCMP_SYS(poll), SCMP_SYS(ppoll),
  // Finding a decoder's modules; Landlock restricts which can be read.
  SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(statx),
  SCMP_SYS(fstatfs), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2),
  SCMP_SYS(getdents64), SCMP_SYS(getcwd),
  // Memory.
  SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise),
  // Threads. Without sched_getaffinity a codec cannot count the processors and starts no threads;
  // the pool of workers is the parallelism.
  SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(get_robust_list), SCMP_SYS(rseq),
  SCMP_SYS(set_tid_address), SCMP_SYS(gettid), SCMP_SYS(sched_yield), SCMP_SYS(getcpu),
  SCMP_SYS(membarrier),
  // Signals to this process, and its end.
  SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
  SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group),
  // Time, random numbers and identifiers.
  SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
  SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(getrusage), SCMP_SYS(getrandom),
  SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(getuid),
  SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(getrlimit),
};

/// Allows opening for reading: only O_RDONLY, no creation, no truncation, no O_PATH.
static int allow_open(scmp_filter_ctx filter) {
  const scmp_datum_t mask =
    O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | O_PATH | (O_TMPFILE & ~O_DIRECTORY);
  int failure = seccomp_rule_add(
    filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, mask, O_RDONLY));
  if (!failure && SCMP_SYS(open) >= 0) {
    failure = seccomp_rule_add(
      filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, mask, O_RDONLY));
  }
  return failure;
}

/// Refuses shared anonymous memory, which RLIMIT_DATA does not count.
static int allow_map(scmp_filter_ctx filter) {
  int failure = seccomp_rule_add(
    filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED, 0));
  if (!failure) {
    failure = seccomp_rule_add(
      filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, 0));
  }
  return failure;
}

static int allow_threads(scmp_filter_ctx filter) {
  const scmp_datum_t mask = CLONE_THREAD | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS
                            | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
  return seccomp_rule_add(
    filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
    SCMP_A0(SCMP_CMP_MASKED_EQ, mask, CLONE_THREAD));
}

/// Allows sending without an address and without urgent data, a rarely used part of the kernel's
/// UNIX sockets. sendmsg is refused, because it can pass a descriptor, and a worker passes none.
static int allow_talking(scmp_filter_ctx filter) {
  const uint32_t allow = SCMP_ACT_ALLOW;
  int failure = csandbox_filter_allow_messages(filter);
  if (!failure) failure = csandbox_filter_allow_bytes(filter);
  if (!failure) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(recvfrom), 1, SCMP_A3(SCMP_CMP_MASKED_EQ, MSG_OOB, 0));
  }
  return failure;
}

/// Calls that are allowed with some arguments only.
static int allow_with_arguments(scmp_filter_ctx filter) {
  const uint32_t allow = SCMP_ACT_ALLOW;
  // abort() needs it.
  int failure = csandbox_filter_allow_abort(filter);
  // Reading a limit of this process.
  if (!failure) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(prlimit64), 2, SCMP_A0_32(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0));
  }
  if (!failure) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(prctl), 1, SCMP_A0_32(SCMP_CMP_EQ, PR_SET_NAME));
  }
  const uint32_t commands[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC};
  for (size_t index = 0; !failure && index < sizeof commands / sizeof *commands; index++) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(fcntl), 1, SCMP_A1_32(SCMP_CMP_EQ, commands[index]));
  }
  return failure;
}

/// Error numbers that make a library fall back to another call, where EPERM would be a failure.
static int answer_gently(scmp_filter_ctx filter) {
  const struct {
    int call;
    uint16_t error;
  } answers[] = {
    // A filter cannot read flags that are in memory: libc falls back to clone and openat.
    {SCMP_SYS(clone3), ENOSYS},
    {SCMP_SYS(openat2), ENOSYS},
    // "Not a link" makes realpath() keep the name.
    {SCMP_SYS(readlink), EINVAL},
    {SCMP_SYS(readlinkat), EINVAL},
  };
  for (size_t index = 0; index < sizeof answers / sizeof *answers; index++) {
    if (answers[index].call < 0) continue;
    int failure = seccomp_rule_add(
      filter, SCMP_ACT_ERRNO(answers[index].error), answers[index].call, 0);
    if (failure) return failure;
  }
  // isatty() gets "no terminal". Typing into one is EPERM, like every call that no library makes.
  return seccomp_rule_add(
    filter, SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl), 1, SCMP_A1(SCMP_CMP_NE, TIOCSTI));
}

int csandbox_seccomp_worker(void) {
  scmp_filter_ctx filter = csandbox_filter_start(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return -ENOMEM;
  int failure = csandbox_filter_add(
    filter, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed);
  if (!failure) failure = allow_open(filter);
  if (!failure) failure = allow_map(filter);
  if (!failure) failure = allow_threads(filter);
  if (!failure) failure = allow_talking(filter);
  if (!failure) failure = allow_with_arguments(filter);
  if (!failure) failure = answer_gently(filter);
  return csandbox_filter_finish(filter, failure);
}
