#define _GNU_SOURCE 1
#include "CSandbox.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Every call that a coordinator, its worker until it confines itself further, and the libraries of
/// both make. What is not here is EPERM, also what a later kernel adds.
///
/// A run makes about 45 of these; the others are the same work by another version of libc or SQLite, or an
/// older entry to it.
static const int needed[] = {
  // Files by descriptor.
  SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(pwrite64),
  SCMP_SYS(lseek), SCMP_SYS(close), SCMP_SYS(close_range), SCMP_SYS(dup), SCMP_SYS(dup2),
  SCMP_SYS(fcntl), SCMP_SYS(fadvise64), SCMP_SYS(ftruncate), SCMP_SYS(fsync), SCMP_SYS(fdatasync),
  SCMP_SYS(syncfs), SCMP_SYS(sync_file_range), SCMP_SYS(copy_file_range), SCMP_SYS(sendfile),
  SCMP_SYS(ioctl), SCMP_SYS(fstat), SCMP_SYS(fstatfs),
  // Files by name; Landlock restricts which.
  SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(newfstatat), SCMP_SYS(stat),
  SCMP_SYS(lstat), SCMP_SYS(statx), SCMP_SYS(statfs), SCMP_SYS(access), SCMP_SYS(faccessat),
  SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getdents64),
  SCMP_SYS(getcwd), SCMP_SYS(mkdir), SCMP_SYS(mkdirat), SCMP_SYS(rmdir), SCMP_SYS(unlink),
  SCMP_SYS(unlinkat), SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(link),
  SCMP_SYS(linkat),
  // Memory.
  SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect),
  SCMP_SYS(madvise),
  // Sockets of workers, which are made in pairs.
  SCMP_SYS(socketpair), SCMP_SYS(sendmsg), SCMP_SYS(recvmsg), SCMP_SYS(sendto), SCMP_SYS(recvfrom),
  SCMP_SYS(pipe2), SCMP_SYS(poll), SCMP_SYS(ppoll),
  // The thread that libdispatch starts when a queue ends; without these it ends the process.
  SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait),
  SCMP_SYS(eventfd2), SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime),
  // Workers, and what a program does as it starts.
  SCMP_SYS(clone), SCMP_SYS(clone3), SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(setsid),
  SCMP_SYS(wait4), SCMP_SYS(kill), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_send_signal),
  SCMP_SYS(arch_prctl), SCMP_SYS(set_tid_address), SCMP_SYS(set_robust_list),
  SCMP_SYS(get_robust_list), SCMP_SYS(rseq), SCMP_SYS(futex), SCMP_SYS(membarrier),
  SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(getcpu), SCMP_SYS(exit),
  SCMP_SYS(exit_group),
  // Confining a worker further, and looking at what confines this process.
  SCMP_SYS(prctl), SCMP_SYS(seccomp), SCMP_SYS(landlock_create_ruleset),
  SCMP_SYS(landlock_add_rule), SCMP_SYS(landlock_restrict_self), SCMP_SYS(capget), SCMP_SYS(capset),
  SCMP_SYS(unshare), SCMP_SYS(prlimit64), SCMP_SYS(getrlimit), SCMP_SYS(setrlimit),
  // Signals to this process and its workers.
  SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
  SCMP_SYS(rt_sigtimedwait), SCMP_SYS(rt_sigpending), SCMP_SYS(rt_sigsuspend),
  SCMP_SYS(sigaltstack), SCMP_SYS(tgkill), SCMP_SYS(restart_syscall),
  // Time, random numbers and identifiers.
  SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
  SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(getrusage), SCMP_SYS(getrandom),
  SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(gettid),
  SCMP_SYS(getpgrp), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
  SCMP_SYS(umask),
};

/// Calls that neither the coordinator nor a worker needs after confinement: those of the worst
/// effect, refused once more, whatever the list above has.
static const int denied[] = {
  // The network, and sockets that reach other programs. sendmsg and recvmsg stay allowed, because
  // they pass descriptors, and the only sockets are those of workers.
  SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept),
  SCMP_SYS(accept4),
  // Other processes' memory and descriptors.
  SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
  SCMP_SYS(pidfd_getfd), SCMP_SYS(kcmp), SCMP_SYS(process_madvise), SCMP_SYS(migrate_pages),
  SCMP_SYS(move_pages),
  // Other processes' shared memory, queues and semaphores, which belong to the user and not to a
  // folder.
  SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(shmctl), SCMP_SYS(shmdt), SCMP_SYS(msgget),
  SCMP_SYS(msgsnd), SCMP_SYS(msgrcv), SCMP_SYS(msgctl), SCMP_SYS(semget), SCMP_SYS(semop),
  SCMP_SYS(semtimedop), SCMP_SYS(semctl), SCMP_SYS(ipc), SCMP_SYS(mq_open), SCMP_SYS(mq_unlink),
  SCMP_SYS(mq_timedsend), SCMP_SYS(mq_timedreceive), SCMP_SYS(mq_notify), SCMP_SYS(mq_getsetattr),
  // Other processes' scheduling.
  SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_setparam), SCMP_SYS(sched_setattr),
  SCMP_SYS(sched_setaffinity), SCMP_SYS(ioprio_set), SCMP_SYS(setpriority),
  // Separate interfaces to the kernel: io_uring opens files and sockets without seccomp.
  SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register), SCMP_SYS(bpf),
  SCMP_SYS(userfaultfd), SCMP_SYS(perf_event_open), SCMP_SYS(keyctl), SCMP_SYS(add_key),
  SCMP_SYS(request_key), SCMP_SYS(vmsplice),
  // Watching folders, which reveals names and which Landlock does not cover.
  SCMP_SYS(fanotify_init), SCMP_SYS(fanotify_mark), SCMP_SYS(inotify_init),
  SCMP_SYS(inotify_init1), SCMP_SYS(inotify_add_watch),
  // The tree of mounts, roots and namespaces.
  SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(fsopen),
  SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick), SCMP_SYS(mount_setattr),
  SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(setns),
  // Files by handle instead of by path.
  SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at),
  // Modes, owners, times and attributes, which Landlock does not cover: a refused file could be
  // changed by path, a source's by descriptor. Landlock covers truncate by path from ABI 3 only.
  SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(lchown),
  SCMP_SYS(fchown), SCMP_SYS(fchownat), SCMP_SYS(setxattr), SCMP_SYS(lsetxattr),
  SCMP_SYS(fsetxattr), SCMP_SYS(removexattr), SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr),
  SCMP_SYS(utime), SCMP_SYS(utimes), SCMP_SYS(futimesat), SCMP_SYS(utimensat), SCMP_SYS(truncate),
  // Programs without a file.
  SCMP_SYS(memfd_create), SCMP_SYS(memfd_secret),
  // The machine.
  SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(init_module), SCMP_SYS(finit_module),
  SCMP_SYS(delete_module), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct),
  SCMP_SYS(quotactl), SCMP_SYS(quotactl_fd), SCMP_SYS(settimeofday), SCMP_SYS(clock_settime),
  SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex), SCMP_SYS(sethostname), SCMP_SYS(setdomainname),
  SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(syslog), SCMP_SYS(vhangup), SCMP_SYS(lookup_dcookie),
  SCMP_SYS(nfsservctl), SCMP_SYS(personality),
};

// Calls that libseccomp 2.5.4 does not know by name; from 424 on, a number is the same on every
// architecture. Source: arch/x86/entry/syscalls/syscall_64.tbl, scripts/syscall.tbl.
static const int denied_numbers[] = {
  452,  // fchmodat2
  463,  // setxattrat
  466,  // removexattrat
  467,  // open_tree_attr
  469,  // file_setattr
};

static int add_denied(scmp_filter_ctx filter) {
  const uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
  int failure = csandbox_filter_add(filter, refuse, denied, sizeof denied / sizeof *denied);
  if (!failure) {
    failure = csandbox_filter_add(
      filter, refuse, denied_numbers, sizeof denied_numbers / sizeof *denied_numbers);
  }
  // A filter cannot read the flags, which are in memory: libc falls back to clone.
  if (!failure) failure = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  if (!failure) {
    failure = seccomp_rule_add(filter, refuse, SCMP_SYS(sendto), 1, SCMP_A4(SCMP_CMP_NE, 0));
  }
  return failure;
}

static int add_socket_pairs(scmp_filter_ctx filter) {
  const uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
  // A datagram pair could be connected again, to an abstract socket of any program.
  int failure = seccomp_rule_add(
    filter, refuse, SCMP_SYS(socketpair), 1, SCMP_A0_32(SCMP_CMP_NE, AF_UNIX));
  const int others[] = {SOCK_DGRAM, SOCK_RAW, SOCK_RDM, SOCK_SEQPACKET, SOCK_DCCP, 0, 7, 8, 9,
                        SOCK_PACKET, 11, 12, 13, 14, 15};
  for (size_t index = 0; !failure && index < sizeof others / sizeof *others; index++) {
    failure = seccomp_rule_add(
      filter, refuse, SCMP_SYS(socketpair), 1,
      SCMP_A1(SCMP_CMP_MASKED_EQ, 0xF, (scmp_datum_t)others[index]));
  }
  return failure;
}

static int add_namespaces(scmp_filter_ctx filter) {
  const uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
  // unshare(CLONE_THREAD) only tells whether there is one thread.
  int failure = seccomp_rule_add(
    filter, refuse, SCMP_SYS(unshare), 1, SCMP_A0(SCMP_CMP_NE, CLONE_THREAD));
  const int flags[] = {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                       CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET};
  for (size_t index = 0; !failure && index < sizeof flags / sizeof *flags; index++) {
    scmp_datum_t flag = (scmp_datum_t)flags[index];
    failure = seccomp_rule_add(
      filter, refuse, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
  }
  // Signals to any process, by a descriptor's owner; a watch on a folder's names.
  const uint32_t commands[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_NOTIFY, F_SETLEASE};
  for (size_t index = 0; !failure && index < sizeof commands / sizeof *commands; index++) {
    failure = seccomp_rule_add(
      filter, refuse, SCMP_SYS(fcntl), 1, SCMP_A1_32(SCMP_CMP_EQ, commands[index]));
  }
  return failure;
}

/// Refuses every ioctl but those that tell what a terminal or a pipe is.
///
/// Others type into the terminal, and so into the shell that started this program, mark a file or
/// stop a whole file system by a read-only descriptor. libseccomp cannot express "none of these" for
/// one argument, so this filter is written by hand; the other one has checked the architecture.
/// The kernel reads only the lower half of the argument. Source: seccomp(2), struct seccomp_data.
static int refuse_ioctls(void) {
  enum { argument = offsetof(struct seccomp_data, args[1]) };
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  enum { lower_half = argument };
#else
  enum { lower_half = argument + 4 };
#endif
  struct sock_filter program[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 8),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, lower_half),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TCGETS, 6, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCGWINSZ, 5, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCGPGRP, 4, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FIONREAD, 3, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FIONBIO, 2, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FIOCLEX, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof program / sizeof *program, program};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) ? -errno : 0;
}

/// Allows what the C library calls where an architecture, such as arm64, lacks a needed call.
static int allow_newer(scmp_filter_ctx filter) {
  int failure = 0;
  if (SCMP_SYS(dup2) < 0) failure = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(dup3), 0);
  // Of this process alone, as getpgrp.
  if (!failure && SCMP_SYS(getpgrp) < 0) {
    failure = seccomp_rule_add(
      filter, SCMP_ACT_ALLOW, SCMP_SYS(getpgid), 1, SCMP_A0_32(SCMP_CMP_EQ, 0));
  }
  return failure;
}

/// Refuses every call that is not needed. The filter after it looks at arguments.
static int allow_needed(void) {
  scmp_filter_ctx filter = csandbox_filter_start(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return -ENOMEM;
  int failure =
    csandbox_filter_add(filter, SCMP_ACT_ALLOW, needed, sizeof needed / sizeof *needed);
  if (!failure) failure = allow_newer(filter);
  return csandbox_filter_finish(filter, failure);
}

int csandbox_seccomp_coordinator(void) {
  int unloaded = allow_needed();
  if (unloaded) return unloaded;
  scmp_filter_ctx filter = csandbox_filter_start(SCMP_ACT_ALLOW);
  if (!filter) return -ENOMEM;
  int failure = add_denied(filter);
  if (!failure) failure = add_socket_pairs(filter);
  if (!failure) failure = add_namespaces(filter);
  failure = csandbox_filter_finish(filter, failure);
  return failure ? failure : refuse_ioctls();
}
