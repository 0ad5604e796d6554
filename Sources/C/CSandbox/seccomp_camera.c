#define _GNU_SOURCE 1
#include "CSandbox.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/// Calls for a driver in a shared object, one USB device, one socket, and a file that was handed over.
static const int allowed[] = {
  // The socket, the device, and the file that is written.
  SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev),
  SCMP_SYS(lseek), SCMP_SYS(close), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select),
  SCMP_SYS(pselect6),
  // Finding libraries and the device; Landlock restricts which can be read.
  SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(statx),
  SCMP_SYS(fstatfs), SCMP_SYS(statfs), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2),
  SCMP_SYS(getdents64), SCMP_SYS(getcwd), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
  // What libusb waits with.
  SCMP_SYS(eventfd2), SCMP_SYS(pipe2), SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime),
  // Memory.
  SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise),
  // Threads: libusb has one that notices devices.
  SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(get_robust_list), SCMP_SYS(rseq),
  SCMP_SYS(set_tid_address), SCMP_SYS(gettid), SCMP_SYS(sched_yield), SCMP_SYS(getcpu),
  SCMP_SYS(membarrier),
  // Signals to this process, and its end.
  SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
  SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group),
  // Time, random numbers and identifiers.
  SCMP_SYS(alarm), SCMP_SYS(setitimer), SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
  SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(getrandom), SCMP_SYS(uname), SCMP_SYS(getpid),
  SCMP_SYS(getppid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
  SCMP_SYS(sysinfo),
};

/// Allows opening what is there; Landlock restricts writing to the device.
static int allow_open(scmp_filter_ctx filter) {
  const scmp_datum_t flags = O_CREAT | O_TRUNC | O_APPEND | O_PATH | (O_TMPFILE & ~O_DIRECTORY);
  int failure = seccomp_rule_add(
    filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, flags, 0));
  if (!failure && SCMP_SYS(open) >= 0) {
    failure = seccomp_rule_add(
      filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, flags, 0));
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

/// The descriptor of the coordinator's socket.
enum { coordinator_socket = 3 };

/// Allows the commands of usbfs (their type is 'U') and the socket by which the kernel tells of devices.
///
/// libusb does not start without that socket. It carries nothing to other processes: the filter has no
/// call that names whom a message is for.
static int allow_usb(scmp_filter_ctx filter) {
  const uint32_t allow = SCMP_ACT_ALLOW;
  int failure = seccomp_rule_add(
    filter, allow, SCMP_SYS(ioctl), 1, SCMP_A1_32(SCMP_CMP_MASKED_EQ, 0xff00, 'U' << 8));
  if (!failure) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(socket), 2, SCMP_A0_32(SCMP_CMP_EQ, AF_NETLINK),
      SCMP_A2_32(SCMP_CMP_EQ, NETLINK_KOBJECT_UEVENT));
  }
  // Not the coordinator's socket, which could get an abstract name; no descriptor can be copied.
  const int calls[] = {SCMP_SYS(bind), SCMP_SYS(setsockopt)};
  for (size_t index = 0; !failure && index < sizeof calls / sizeof *calls; index++) {
    failure = seccomp_rule_add(
      filter, allow, calls[index], 1, SCMP_A0_32(SCMP_CMP_NE, coordinator_socket));
  }
  if (!failure) failure = seccomp_rule_add(filter, allow, SCMP_SYS(getsockname), 0);
  return failure;
}

static int allow_with_arguments(scmp_filter_ctx filter) {
  const uint32_t allow = SCMP_ACT_ALLOW;
  // Shared anonymous memory is not counted by the limit; usbfs maps its buffers shared.
  int failure = seccomp_rule_add(
    filter, allow, SCMP_SYS(mmap), 1, SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED, 0));
  if (!failure) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(mmap), 1, SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, 0));
  }
  if (!failure) failure = csandbox_filter_allow_messages(filter);
  // Only bytes can be sent to the coordinator, and no descriptor.
  if (!failure) failure = csandbox_filter_allow_bytes(filter);
  if (!failure) failure = csandbox_filter_allow_abort(filter);
  if (!failure) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(prlimit64), 2, SCMP_A0_32(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0));
  }
  if (!failure) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(prctl), 1, SCMP_A0_32(SCMP_CMP_EQ, PR_SET_NAME));
  }
  const uint32_t commands[] = {F_GETFD, F_SETFD, F_GETFL, F_SETFL};
  for (size_t index = 0; !failure && index < sizeof commands / sizeof *commands; index++) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(fcntl), 1, SCMP_A1_32(SCMP_CMP_EQ, commands[index]));
  }
  // A filter cannot read flags that are in memory: libc falls back to clone and openat.
  if (!failure) failure = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  if (!failure) failure = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0);
  return failure;
}

int csandbox_seccomp_camera(int port) {
  scmp_filter_ctx filter = csandbox_filter_start(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return -ENOMEM;
  int failure = csandbox_filter_add(
    filter, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed);
  if (!failure) failure = allow_open(filter);
  if (!failure) failure = allow_threads(filter);
  if (!failure) failure = allow_with_arguments(filter);
  if (!failure) failure = allow_usb(filter);
  if (!failure && port) failure = csandbox_seccomp_allow_loopback(filter);
  return csandbox_filter_finish(filter, failure);
}
