#define _GNU_SOURCE 1
#include "CSandbox.h"
#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

// None of these has a lasting effect if it is allowed. Call numbers from 424 on are the same on
// every architecture, and are written as numbers if the C library may be older.
enum {
  call_pidfd_open = 434, call_pidfd_getfd = 438, call_process_madvise = 440,
  call_mount_setattr = 442, call_memfd_secret = 447, call_open_tree = 428, call_move_mount = 429,
  call_fsopen = 430, call_fspick = 433,
};

static int io_uring(csandbox_situation s) {
  (void)s;
  char parameters[256] = {0};
  return csandbox_closed(syscall(SYS_io_uring_setup, 1, parameters));
}

static int in_memory(csandbox_situation s) {
  (void)s;
  return csandbox_closed(memfd_create("mediabatch-self-test", MFD_CLOEXEC));
}

static int secret_memory(csandbox_situation s) {
  (void)s;
  return csandbox_closed(syscall(call_memfd_secret, 0));
}

static int page_faults(csandbox_situation s) {
  (void)s;
  return csandbox_closed(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK));
}

static int bpf_program(csandbox_situation s) {
  (void)s;
  // An unknown command with an empty struct.
  return csandbox_reached(syscall(SYS_bpf, 0xFFFF, "", 0), EINVAL);
}

static int performance_counter(csandbox_situation s) {
  (void)s;
  struct perf_event_attr attributes = {
    .type = PERF_TYPE_SOFTWARE, .size = sizeof attributes, .config = PERF_COUNT_SW_CPU_CLOCK,
    .exclude_kernel = 1};
  return csandbox_closed(
    syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

static int read_key(csandbox_situation s) {
  (void)s;
  enum { get_keyring_id = 0, thread_keyring = -1 };
  return csandbox_reached(syscall(SYS_keyctl, get_keyring_id, thread_keyring, 0), ENOKEY);
}

static int add_key(csandbox_situation s) {
  (void)s;
  return csandbox_reached(syscall(SYS_add_key, NULL, NULL, NULL, 0, 0), EFAULT);
}

static int ask_for_key(csandbox_situation s) {
  (void)s;
  return csandbox_reached(syscall(SYS_request_key, NULL, NULL, NULL, 0), EFAULT);
}

static int watch_accesses(csandbox_situation s) {
  (void)s;
  return csandbox_closed(fanotify_init(FAN_CLASS_NOTIF | FAN_CLOEXEC, O_RDONLY));
}

static int move_user_pages(csandbox_situation s) {
  (void)s;
  return csandbox_reached(vmsplice(-1, NULL, 0, 0), EBADF);
}

static int trace(csandbox_situation s) {
  // SEIZE does not stop the process.
  if (ptrace(PTRACE_SEIZE, s.parent, NULL, NULL)) return errno;
  // Only a stopped process can be detached; others are detached when this process ends.
  ptrace(PTRACE_DETACH, s.parent, NULL, NULL);
  return 0;
}

static char marker;

// The address may not exist in that process; that the kernel looked it up is the answer.
static int read_memory(csandbox_situation s) {
  char byte;
  struct iovec local = {&byte, 1}, remote = {&marker, 1};
  return csandbox_reached(process_vm_readv(s.parent, &local, 1, &remote, 1, 0), EFAULT);
}

static int write_memory(csandbox_situation s) {
  char byte = 0;
  struct iovec local = {&byte, 1}, remote = {NULL, 1};
  return csandbox_reached(process_vm_writev(s.parent, &local, 1, &remote, 1, 0), EFAULT);
}

static int take_descriptor(csandbox_situation s) {
  int process = (int)syscall(call_pidfd_open, s.parent, 0);
  if (process < 0) return errno;
  // EBADF: it has no such descriptor.
  int error = csandbox_reached(syscall(call_pidfd_getfd, process, 0, 0), EBADF);
  close(process);
  return error;
}

static int advise_memory(csandbox_situation s) {
  (void)s;
  return csandbox_reached(syscall(call_process_madvise, -1, NULL, 0, MADV_COLD, 0), EBADF);
}

static int compare(csandbox_situation s) {
  enum { kcmp_vm = 1 };
  return csandbox_answer(syscall(SYS_kcmp, getpid(), s.parent, kcmp_vm, 0, 0));
}

static int move_pages(csandbox_situation s) {
  return csandbox_answer(syscall(SYS_move_pages, s.parent, 0, NULL, NULL, NULL, 0));
}

static int own_network(csandbox_situation s) { (void)s; return csandbox_answer(unshare(CLONE_NEWNET)); }
static int own_mounts(csandbox_situation s) { (void)s; return csandbox_answer(unshare(CLONE_NEWNS)); }

static int child_with_own_names(csandbox_situation s) {
  (void)s;
  pid_t child = (pid_t)syscall(SYS_clone, CLONE_NEWUTS | SIGCHLD, NULL, NULL, NULL, NULL);
  if (child < 0) return errno;
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  return 0;
}

static int enter_namespace(csandbox_situation s) {
  (void)s;
  return csandbox_reached(setns(-1, CLONE_NEWNET), EBADF);
}

static int change_root(csandbox_situation s) { (void)s; return csandbox_answer(chroot("/")); }

static int swap_root(csandbox_situation s) {
  (void)s;
  return csandbox_reached(syscall(SYS_pivot_root, "/mediabatch-none", "/mediabatch-none"), ENOENT);
}

static int unmount(csandbox_situation s) {
  (void)s;
  return csandbox_reached(umount2("/mediabatch-none", MNT_DETACH), ENOENT);
}

static int new_file_system(csandbox_situation s) {
  (void)s;
  enum { close_on_exec = 1 };
  return csandbox_closed(syscall(call_fsopen, "tmpfs", close_on_exec));
}

static int pick_file_system(csandbox_situation s) {
  (void)s;
  enum { close_on_exec = 1 };
  return csandbox_closed(syscall(call_fspick, AT_FDCWD, "/", close_on_exec));
}

static int copy_mounts(csandbox_situation s) {
  (void)s;
  enum { clone_tree = 1 };
  return csandbox_closed(syscall(call_open_tree, AT_FDCWD, "/", clone_tree | O_CLOEXEC));
}

static int move_mount_elsewhere(csandbox_situation s) {
  (void)s;
  enum { from_empty_path = 4, to_empty_path = 0x40 };
  return csandbox_reached(
    syscall(call_move_mount, -1, "", -1, "", from_empty_path | to_empty_path), EBADF);
}

static int change_mount(csandbox_situation s) {
  (void)s;
  uint64_t attributes[4] = {1};
  return csandbox_reached(
    syscall(call_mount_setattr, AT_FDCWD, "/mediabatch-none", 0, attributes, sizeof attributes),
    ENOENT);
}

static int name_machine(csandbox_situation s) {
  (void)s;
  struct utsname names;
  if (uname(&names)) return errno;
  return csandbox_answer(sethostname(names.nodename, strlen(names.nodename)));
}

static int set_clock(csandbox_situation s) {
  (void)s;
  return csandbox_answer(syscall(SYS_settimeofday, NULL, NULL));
}

static int read_kernel_log(csandbox_situation s) {
  (void)s;
  enum { size_of_buffer = 10 };
  return csandbox_answer(syscall(SYS_syslog, size_of_buffer, NULL, 0));
}

static int other_personality(csandbox_situation s) {
  (void)s;
  return csandbox_answer(syscall(SYS_personality, 0xFFFFFFFF));
}

static int swap_off(csandbox_situation s) {
  (void)s;
  return csandbox_reached(syscall(SYS_swapoff, "/mediabatch-none"), ENOENT);
}

// Without a valid descriptor nothing is typed into a terminal.
static int type_into_terminal(csandbox_situation s) {
  (void)s;
  return csandbox_reached(ioctl(-1, TIOCSTI, ""), EBADF);
}

static int shared_segment(csandbox_situation s) {
  (void)s;
  int segment = shmget(IPC_PRIVATE, 4096, 0600);
  if (segment < 0) return errno;
  shmctl(segment, IPC_RMID, NULL);
  return 0;
}

static int message_queue(csandbox_situation s) {
  (void)s;
  int queue = msgget(IPC_PRIVATE, 0600);
  if (queue < 0) return errno;
  msgctl(queue, IPC_RMID, NULL);
  return 0;
}

static int semaphores(csandbox_situation s) {
  (void)s;
  int set = semget(IPC_PRIVATE, 1, 0600);
  if (set < 0) return errno;
  semctl(set, 0, IPC_RMID);
  return 0;
}

static int remove_posix_queue(csandbox_situation s) {
  (void)s;
  return csandbox_reached(syscall(SYS_mq_unlink, "mediabatch-none"), ENOENT);
}

static int schedule_parent(csandbox_situation s) {
  struct sched_param parameters = {0};
  int policy = sched_getscheduler(s.parent);
  return csandbox_answer(sched_setscheduler(s.parent, policy < 0 ? SCHED_OTHER : policy, &parameters));
}

static int pin_parent(csandbox_situation s) {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  // An empty set is refused after the process was looked up.
  return csandbox_reached(sched_setaffinity(s.parent, sizeof processors, &processors), EINVAL);
}

static int slow_parent_down(csandbox_situation s) {
  enum { of_process = 1, best_effort_4 = 2 << 13 | 4 };
  return csandbox_answer(syscall(SYS_ioprio_set, of_process, s.parent, best_effort_4));
}

static int watch_names(csandbox_situation s) {
  (void)s;
  return csandbox_reached(fcntl(-1, F_NOTIFY, 0), EBADF);
}

static int own_descriptor(csandbox_situation s) {
  return csandbox_reached(fcntl(-1, F_SETOWN, s.parent), EBADF);
}

static int signals_as_file(csandbox_situation s) {
  (void)s;
  uint64_t none = 0;
  return csandbox_answer(syscall(SYS_signalfd4, -1, &none, sizeof none, 0));
}

static int kernel_timer(csandbox_situation s) {
  (void)s;
  struct itimerval timer;
  return csandbox_answer(syscall(SYS_getitimer, ITIMER_REAL, &timer));
}

static int other_priority(csandbox_situation s) {
  return csandbox_answer(syscall(SYS_getpriority, PRIO_PROCESS, s.parent));
}

static int name_file_system(csandbox_situation s) {
  (void)s;
  // FS_IOC_SETFSLABEL
  int error = csandbox_reached(ioctl(-1, 0x41009432, ""), EBADF);
  // So a worker's filter refuses it; the kernel would find no descriptor.
  return error == ENOTTY ? EPERM : error;
}

static const struct csandbox_way ways[] = {
  {"a ring of system calls (io_uring)", io_uring},
  {"a program in memory (memfd)", in_memory},
  {"memory that the kernel itself cannot see (memfd_secret)", secret_memory},
  {"handling page faults (userfaultfd)", page_faults},
  {"a program in the kernel (bpf)", bpf_program},
  {"a performance counter", performance_counter},
  {"read a key of the kernel's", read_key},
  {"add a key to the kernel's", add_key},
  {"ask for a key", ask_for_key},
  {"watch who opens files (fanotify)", watch_accesses},
  {"give its pages to a pipe (vmsplice)", move_user_pages},
  {"trace the parent", trace},
  {"read the parent's memory", read_memory},
  {"write the parent's memory", write_memory},
  {"take a descriptor from the parent (pidfd_getfd)", take_descriptor},
  {"advise on another process's memory", advise_memory},
  {"compare itself with the parent (kcmp)", compare},
  {"move the parent's pages", move_pages},
  {"a network of its own", own_network},
  {"mounts of its own", own_mounts},
  {"a child with a namespace of its own", child_with_own_names},
  {"enter another namespace", enter_namespace},
  {"change its root folder", change_root},
  {"swap the root folder", swap_root},
  {"unmount", unmount},
  {"a new file system", new_file_system},
  {"reconfigure a file system", pick_file_system},
  {"copy the tree of mounts (open_tree)", copy_mounts},
  {"move a mount", move_mount_elsewhere},
  {"change a mount's attributes", change_mount},
  {"rename the machine", name_machine},
  {"set the clock", set_clock},
  {"read the kernel's log", read_kernel_log},
  {"another personality", other_personality},
  {"switch swap off", swap_off},
  {"type into a terminal (TIOCSTI)", type_into_terminal},
  {"shared memory of System V", shared_segment},
  {"a message queue of System V", message_queue},
  {"semaphores of System V", semaphores},
  {"remove a POSIX message queue", remove_posix_queue},
  {"change how the parent is scheduled", schedule_parent},
  {"choose the parent's processors", pin_parent},
  {"change the parent's input and output priority", slow_parent_down},
  {"watch a folder's names (F_NOTIFY)", watch_names},
  {"direct signals at the parent (F_SETOWN)", own_descriptor},
  {"rename a file system (FS_IOC_SETFSLABEL)", name_file_system},
  {"a call that it does not need (signalfd)", signals_as_file},
  {"a call that it does not need (getitimer)", kernel_timer},
  {"a call that it does not need (getpriority)", other_priority},
};

static const int way_count = sizeof ways / sizeof *ways;

int csandbox_way_count(void) { return csandbox_socket_way_count + way_count; }

static const struct csandbox_way *way(int index) {
  return index < csandbox_socket_way_count ? &csandbox_socket_ways[index]
                                           : &ways[index - csandbox_socket_way_count];
}

const char *csandbox_way_name(int index) { return way(index)->name; }

int csandbox_try_way(int index, csandbox_situation situation) {
  return way(index)->attempt(situation);
}

int csandbox_try_own_users(void) { return csandbox_answer(unshare(CLONE_NEWUSER)); }

int csandbox_try_allowing_filter(void) {
  struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, 0x7FFF0000U};
  struct sock_fprog program = {1, &allow};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return errno;
  if (syscall(SYS_seccomp, 1, 0, &program)) return errno;
  return csandbox_closed(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

int csandbox_try_allowing_layer(const char *path) {
  const uint64_t all_rights_of_abi_2 = (1 << 14) - 1;
  int ruleset = csandbox_landlock_create(all_rights_of_abi_2, 0, 0);
  if (ruleset < 0) return -ruleset;
  int root = open("/", O_PATH | O_CLOEXEC);
  if (root < 0) {
    int error = errno;
    close(ruleset);
    return error;
  }
  int failure = csandbox_landlock_allow(ruleset, root, all_rights_of_abi_2);
  if (!failure) failure = csandbox_landlock_restrict(ruleset);
  close(root);
  close(ruleset);
  if (failure) return -failure;
  return csandbox_closed(open(path, O_RDONLY | O_CLOEXEC));
}
