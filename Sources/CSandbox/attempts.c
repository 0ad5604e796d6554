#define _GNU_SOURCE 1
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

/// Closes what should not have been given, and answers the errno otherwise.
static int closed(long descriptor) {
  if (descriptor < 0) return errno;
  close((int)descriptor);
  return 0;
}

int csandbox_try_socket(int domain, int type, int pair) {
  if (!pair) return closed(socket(domain, type | SOCK_CLOEXEC, 0));
  int ends[2];
  if (socketpair(domain, type | SOCK_CLOEXEC, 0, ends)) return errno;
  close(ends[0]);
  close(ends[1]);
  return 0;
}

int csandbox_try_io_uring(void) {
  char parameters[256] = {0};
  return closed(syscall(SYS_io_uring_setup, 1, parameters));
}

int csandbox_try_memfd(void) { return closed(memfd_create("mediabatch-self-test", MFD_CLOEXEC)); }

int csandbox_try_mount(const char *folder) {
  if (mount("none", folder, "tmpfs", MS_NOSUID | MS_NODEV, "size=4k")) return errno;
  umount2(folder, MNT_DETACH);
  return 0;
}

int csandbox_try_ptrace(pid_t pid) {
  // SEIZE does not stop it, and it is let go when this process ends.
  return ptrace(PTRACE_SEIZE, pid, NULL, NULL) ? errno : 0;
}

int csandbox_try_read_memory(pid_t pid) {
  static char marker;
  char byte;
  struct iovec local = {&byte, 1}, remote = {&marker, 1};
  if (process_vm_readv(pid, &local, 1, &remote, 1, 0) >= 0) return 0;
  // The address may not exist over there; that it was looked for is the answer.
  return errno == EFAULT ? 0 : errno;
}

int csandbox_try_handle(const char *folder, const char *path) {
  union {
    struct file_handle handle;
    char bytes[sizeof(struct file_handle) + MAX_HANDLE_SZ];
  } buffer;
  memset(&buffer, 0, sizeof buffer);
  buffer.handle.handle_bytes = MAX_HANDLE_SZ;
  int mount_id;
  if (name_to_handle_at(AT_FDCWD, path, &buffer.handle, &mount_id, 0)) return errno;
  int mount_point = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (mount_point < 0) return errno;
  int error = closed(open_by_handle_at(mount_point, &buffer.handle, O_RDONLY | O_CLOEXEC));
  close(mount_point);
  return error;
}

int csandbox_try_set_xattr(const char *path) {
  if (setxattr(path, "user.mediabatch", "1", 1, 0)) return errno;
  removexattr(path, "user.mediabatch");
  return 0;
}

int csandbox_try_namespace(void) { return unshare(CLONE_NEWNET) ? errno : 0; }

int csandbox_try_dumpable(void) { return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) ? errno : 0; }

int csandbox_try_raise_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CPU, &limit)) return errno;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_CPU, &limit) ? errno : 0;
}

int csandbox_try_shared_memory(void) {
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return errno;
  munmap(memory, 4096);
  return 0;
}

int csandbox_try_fork(void) {
  pid_t child = fork();
  if (child < 0) return errno;
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  return 0;
}

int csandbox_try_exec_in_place(const char *path) {
  // The kernel opens the program before it looks at the arguments, which are no address: where
  // nothing refuses it, this is EFAULT, and this process goes on.
  execve(path, (char **)1, NULL);
  return errno == EFAULT ? 0 : errno;
}

int csandbox_try_run(const char *path, const char *argument) {
  char *arguments[] = {(char *)path, (char *)argument, NULL};
  char *environment[] = {NULL};
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  // What the program says is not for the person who reads the result.
  for (int target = 0; !error && target < 3; target++) {
    error = posix_spawn_file_actions_addclose(&actions, target);
  }
  pid_t child;
  if (!error) error = posix_spawn(&child, path, &actions, NULL, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  if (error) return error;
  int status;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return errno;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : ECHILD;
}

int csandbox_try_foreign_abi(int x32) {
#if defined(__x86_64__)
  if (x32) return syscall(0x40000000L + SYS_getuid) < 0 ? errno : 0;
  long result;
  // 24: getuid of the 32-bit table.
  __asm__ volatile("int $0x80" : "=a"(result) : "0"(24L) : "memory", "r8", "r9", "r10", "r11");
  return (int)result < 0 ? -(int)result : 0;
#else
  (void)x32;
  return ENOSYS;
#endif
}
