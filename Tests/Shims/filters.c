// The filters of CSandbox as this architecture gets them. They are written into memory in place of the kernel, and
// answer each call by a reading of their instructions: qemu-user enforces none.
#define _GNU_SOURCE 1
#include "shims.h"

#include <CSandbox.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <linux/usbdevice_fs.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

enum { maximum_programs = 4, maximum_steps = 2048, own_pid = 1 << 21, folder = 7, listener = 7 };

static struct {
  struct sock_filter steps[maximum_steps];
  size_t count;
} programs[maximum_programs];
static int program_count, is_writing;

// These three take the place of the libraries' own (ld --wrap).
int __wrap_seccomp_load(const scmp_filter_ctx filter);
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
pid_t __real_getpid(void);
pid_t __wrap_getpid(void);

int __wrap_seccomp_load(const scmp_filter_ctx filter) {
  int file = memfd_create("filter", MFD_CLOEXEC);
  int failure = file < 0 ? -errno : seccomp_export_bpf(filter, file);
  if (!failure) {
    ssize_t count = pread(file, programs[program_count].steps, sizeof programs->steps, 0);
    if (count < 0) failure = -errno;
    else programs[program_count++].count = (size_t)count / sizeof(struct sock_filter);
  }
  close(file);
  return failure;
}

long __wrap_syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long values[6];
  for (int index = 0; index < 6; index++) values[index] = va_arg(list, long);
  va_end(list);
  if (is_writing && number == SYS_seccomp) {
    const struct sock_fprog *program = (const struct sock_fprog *)values[2];
    memcpy(programs[program_count].steps, program->filter, program->len * sizeof *program->filter);
    programs[program_count++].count = program->len;
    return 0;
  }
  return __real_syscall(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

pid_t __wrap_getpid(void) { return is_writing ? own_pid : __real_getpid(); }

static const char *const kinds[] = {"coordinator", "worker", "picker", "page", "times", "watcher", "camera"};

static int write_filters(const char *kind) {
  program_count = 0;
  is_writing = 1;
  int failure = -EINVAL;
  if (!strcmp(kind, "coordinator")) failure = csandbox_seccomp_coordinator();
  if (!strcmp(kind, "worker")) failure = csandbox_seccomp_worker();
  if (!strcmp(kind, "picker")) failure = csandbox_seccomp_picker();
  if (!strcmp(kind, "page")) failure = csandbox_seccomp_page(listener);
  if (!strcmp(kind, "times")) failure = csandbox_seccomp_times(folder);
  if (!strcmp(kind, "watcher")) failure = csandbox_seccomp_watcher();
  if (!strcmp(kind, "camera")) failure = csandbox_seccomp_camera(0);
  is_writing = 0;
  return failure;
}

/// Runs one program as the kernel does: the instructions that libseccomp and seccomp_coordinator.c write, and no
/// others. Source: Linux kernel/seccomp.c, seccomp_check_filter.
static uint32_t run(const struct sock_filter *steps, size_t count, const struct seccomp_data *data) {
  uint32_t sum = 0;
  for (size_t at = 0; at < count; at++) {
    const struct sock_filter *step = &steps[at];
    int holds;
    switch (step->code) {
      case BPF_LD | BPF_W | BPF_ABS:
        if (step->k > sizeof *data - sizeof sum) return SECCOMP_RET_KILL_PROCESS;
        memcpy(&sum, (const char *)data + step->k, sizeof sum);
        continue;
      case BPF_ALU | BPF_AND | BPF_K: sum &= step->k; continue;
      case BPF_JMP | BPF_JA: at += step->k; continue;
      case BPF_RET | BPF_K: return step->k;
      case BPF_JMP | BPF_JEQ | BPF_K: holds = sum == step->k; break;
      case BPF_JMP | BPF_JGT | BPF_K: holds = sum > step->k; break;
      case BPF_JMP | BPF_JGE | BPF_K: holds = sum >= step->k; break;
      case BPF_JMP | BPF_JSET | BPF_K: holds = (sum & step->k) != 0; break;
      default: return SECCOMP_RET_KILL_PROCESS;
    }
    at += holds ? step->jt : step->jf;
  }
  return SECCOMP_RET_KILL_PROCESS;
}

/// The answer of all programs of a process: of two actions the kernel takes the lower one, as a signed number.
static uint32_t answer_of(const struct seccomp_data *data) {
  uint32_t answer = SECCOMP_RET_ALLOW;
  for (int index = program_count - 1; index >= 0; index--) {
    uint32_t one = run(programs[index].steps, programs[index].count, data);
    if ((int32_t)(one & SECCOMP_RET_ACTION_FULL) < (int32_t)(answer & SECCOMP_RET_ACTION_FULL)) answer = one;
  }
  return answer;
}

static void print(const char *kind, const char *call, const char *what, const struct seccomp_data *data) {
  uint32_t answer = answer_of(data);
  uint32_t action = answer & SECCOMP_RET_ACTION_FULL;
  const char *word = action == SECCOMP_RET_ALLOW ? "allow"
    : action == SECCOMP_RET_ERRNO ? csandbox_errno_name((int)(answer & SECCOMP_RET_DATA)) : "kill";
  printf("%s %s %s %s\n", kind, call, what, word);
}

/// Arguments whose numbers this architecture may have for itself; every call is asked with zeros besides.
static const struct {
  const char *call;
  const char *what;
  uint64_t args[6];
} probes[] = {
#define OPENING(name, at) \
  {name, "read", {[at] = O_RDONLY | O_CLOEXEC | O_NOFOLLOW}}, {name, "folder", {[at] = O_RDONLY | O_DIRECTORY}}, \
  {name, "write", {[at] = O_WRONLY}}, {name, "create", {[at] = O_RDONLY | O_CREAT}}, \
  {name, "truncate", {[at] = O_RDONLY | O_TRUNC}}, {name, "append", {[at] = O_RDONLY | O_APPEND}}, \
  {name, "path", {[at] = O_PATH}}, {name, "unnamed", {[at] = O_RDWR | O_TMPFILE}}
  OPENING("open", 1), OPENING("openat", 2),
  {"openat2", "own-folder", {folder}}, {"openat2", "other-folder", {folder + 1}},
  {"clone", "thread", {CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS}},
  {"clone", "process", {CLONE_VM | CLONE_VFORK | SIGCHLD}}, {"clone", "network", {CLONE_NEWNET | SIGCHLD}},
  {"clone", "users", {CLONE_NEWUSER | SIGCHLD}}, {"clone", "thread-and-users", {CLONE_THREAD | CLONE_NEWUSER}},
  {"unshare", "one-thread", {CLONE_THREAD}}, {"unshare", "users", {CLONE_NEWUSER}},
  {"mmap", "private", {0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS}},
  {"mmap", "program", {0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE}},
  {"mmap", "program-in-memory", {0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS}},
  {"mmap", "shared-file", {0, 4096, PROT_READ, MAP_SHARED}},
  {"mmap", "shared-memory", {0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS}},
  {"mmap", "in-place", {4096, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED}},
  {"mprotect", "write", {4096, 4096, PROT_READ | PROT_WRITE}}, {"mprotect", "program", {4096, 4096, PROT_EXEC}},
  {"socket", "network", {AF_INET, SOCK_STREAM}}, {"socket", "unix", {AF_UNIX, SOCK_STREAM}},
  {"socket", "devices", {AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT}},
  {"socket", "routes", {AF_NETLINK, SOCK_RAW, NETLINK_ROUTE}},
  {"socketpair", "streams", {AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC}},
  {"socketpair", "datagrams", {AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC}},
  {"socketpair", "packets", {AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK}},
  {"sendto", "bytes", {3, 4096, 1, MSG_NOSIGNAL}}, {"sendto", "urgent", {3, 4096, 1, MSG_OOB}},
  {"sendto", "address", {3, 4096, 1, 0, 4096, 16}}, {"recvmsg", "message", {3, 4096, MSG_CMSG_CLOEXEC}},
  {"recvmsg", "urgent", {3, 4096, MSG_OOB}}, {"recvfrom", "bytes", {3, 4096, 1, MSG_DONTWAIT}},
  {"recvfrom", "urgent", {3, 4096, 1, MSG_OOB}},
  {"bind", "coordinator", {3}}, {"bind", "other", {4}},
  {"listen", "own", {listener}}, {"listen", "other", {listener + 1}},
  {"ioctl", "terminal", {0, TCGETS}}, {"ioctl", "size", {0, TIOCGWINSZ}}, {"ioctl", "type", {0, TIOCSTI}},
  {"ioctl", "waiting", {0, FIONREAD}}, {"ioctl", "flags", {0, FS_IOC_SETFLAGS}}, {"ioctl", "share", {0, FICLONE}},
  {"ioctl", "usb", {0, USBDEVFS_BULK}}, {"ioctl", "usb-claim", {0, USBDEVFS_CLAIMINTERFACE}},
  {"fcntl", "getfd", {3, F_GETFD}}, {"fcntl", "setfd", {3, F_SETFD}}, {"fcntl", "getfl", {3, F_GETFL}},
  {"fcntl", "setfl", {3, F_SETFL}}, {"fcntl", "copy", {3, F_DUPFD_CLOEXEC}}, {"fcntl", "owner", {3, F_SETOWN}},
  {"fcntl", "owner-ex", {3, F_SETOWN_EX}}, {"fcntl", "signal", {3, F_SETSIG}}, {"fcntl", "notify", {3, F_NOTIFY}},
  {"fcntl", "lease", {3, F_SETLEASE}}, {"fcntl", "lock", {3, F_OFD_SETLK}},
  {"tgkill", "own", {own_pid, own_pid, SIGABRT}}, {"tgkill", "other", {own_pid + 1, own_pid + 1, SIGABRT}},
  {"getpgrp", "own", {0}}, {"getpgid", "own", {0}}, {"getpgid", "other", {own_pid + 1}},
  {"prctl", "name", {PR_SET_NAME}}, {"prctl", "dumpable", {PR_SET_DUMPABLE, 1}},
  {"prlimit64", "read", {0, 7, 0, 4096}}, {"prlimit64", "read-other", {own_pid + 1, 7, 0, 4096}},
  {"prlimit64", "set", {0, 7, 4096, 0}},
  {"utimensat", "found", {folder, 4096, 4096, AT_EMPTY_PATH}}, {"utimensat", "by-name", {folder, 4096, 4096, 0}},
  {"utimensat", "here", {(uint32_t)AT_FDCWD, 4096, 4096, AT_EMPTY_PATH}},
  {"inotify_add_watch", "elsewhere", {3, 4096}}, {"statx", "elsewhere", {folder, 4096}},
};

void shims_print_filters(void) {
  const uint32_t machine = seccomp_arch_native();
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
    if (write_filters(kinds[kind])) {
      printf("%s none none failure\n", kinds[kind]);
      continue;
    }
    for (int number = 0; number < 600; number++) {
      char *name = seccomp_syscall_resolve_num_arch(machine, number);
      if (!name) continue;
      struct seccomp_data data = {.nr = number, .arch = machine};
      print(kinds[kind], name, "zeros", &data);
      for (size_t index = 0; index < sizeof probes / sizeof *probes; index++) {
        if (strcmp(probes[index].call, name)) continue;
        for (int at = 0; at < 6; at++) data.args[at] = probes[index].args[at];
        print(kinds[kind], name, probes[index].what, &data);
      }
      free(name);
    }
  }
}

void shims_test_filters(const char *place, const char *samples) {
  (void)place, (void)samples;
  const uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
    CHECK(write_filters(kinds[kind]) == 0);
    CHECK(program_count == (kind == 0 ? 3 : 1));
    struct seccomp_data data = {.nr = SYS_write, .arch = seccomp_arch_native()};
    CHECK(answer_of(&data) == SECCOMP_RET_ALLOW);
    data.nr = SYS_ptrace;
    CHECK(answer_of(&data) == refused);
    // What no list knows: a number that no kernel has, and those of other entries to this one.
    data.nr = 100000;
    CHECK(answer_of(&data) == refused);
    data.nr = SYS_write | 0x40000000;
    CHECK(answer_of(&data) == refused);
    const uint32_t others[] = {AUDIT_ARCH_I386, AUDIT_ARCH_X86_64, AUDIT_ARCH_ARM, AUDIT_ARCH_AARCH64};
    for (size_t index = 0; index < sizeof others / sizeof *others; index++) {
      data = (struct seccomp_data){.nr = SYS_write, .arch = others[index]};
      CHECK(answer_of(&data) == (others[index] == seccomp_arch_native() ? SECCOMP_RET_ALLOW : refused));
    }
  }
}
