#define _GNU_SOURCE 1
#include "CSandbox.h"
#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int csandbox_try_stream_pair(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return errno;
  close(ends[0]);
  close(ends[1]);
  return 0;
}

int csandbox_try_send_descriptor(int socket, int descriptor) {
  // A newline, which the reader of a worker's lines ignores.
  ssize_t sent = csandbox_send(socket, "\n", 1, descriptor);
  return sent < 0 ? (int)-sent : 0;
}

int csandbox_try_dumpable(void) { return csandbox_answer(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)); }

int csandbox_try_raise_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CPU, &limit)) return errno;
  limit.rlim_cur = limit.rlim_max;
  return csandbox_answer(setrlimit(RLIMIT_CPU, &limit));
}

int csandbox_try_limit_of(pid_t pid) {
  struct rlimit limit;
  return csandbox_answer(prlimit(pid, RLIMIT_NOFILE, NULL, &limit));
}

int csandbox_try_shared_memory(void) {
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return errno;
  munmap(memory, 4096);
  return 0;
}

int csandbox_try_signal_by_descriptor(pid_t pid) {
  enum { call_pidfd_send_signal = 424, call_pidfd_open = 434 };
  int process = (int)syscall(call_pidfd_open, pid, 0);
  if (process < 0) return errno;
  int error = csandbox_answer(syscall(call_pidfd_send_signal, process, 0, NULL, 0));
  close(process);
  return error;
}

int csandbox_try_fork(void) {
  pid_t child = fork();
  if (child < 0) return errno;
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  return 0;
}

// The kernel opens the program before it reads the arguments, whose address is invalid: if nothing
// refuses the call, it fails with EFAULT, and this process goes on.
static char *const *const no_arguments = (char *const *)1;

int csandbox_try_exec_in_place(const char *path) {
  return csandbox_reached(execve(path, no_arguments, NULL), EFAULT);
}

int csandbox_try_exec_by_descriptor(const char *path) {
  int program = open(path, O_PATH | O_CLOEXEC);
  int error = csandbox_reached(
    syscall(SYS_execveat, program, "", no_arguments, NULL, AT_EMPTY_PATH), EFAULT);
  if (program >= 0) close(program);
  return error;
}

int csandbox_try_run(const char *path, const char *argument) {
  char *arguments[] = {(char *)path, (char *)argument, NULL};
  char *environment[] = {NULL};
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  // The program's output must not be mixed with the result.
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

int csandbox_try_run_new(const char *path) {
  int script = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
  if (script < 0) return errno;
  const char text[] = "#!/bin/true\n";
  int error = write(script, text, sizeof text - 1) < 0 ? errno : 0;
  close(script);
  if (!error) error = csandbox_try_run(path, NULL);
  unlink(path);
  return error;
}

int csandbox_try_foreign_abi(int x32) {
#if defined(__x86_64__)
  if (x32) return csandbox_answer(syscall(0x40000000L + SYS_getuid));
  long result;
  // 24: getuid of the 32-bit table.
  __asm__ volatile("int $0x80" : "=a"(result) : "0"(24L) : "memory", "r8", "r9", "r10", "r11");
  return (int)result < 0 ? -(int)result : 0;
#else
  (void)x32;
  return ENOSYS;
#endif
}
