// What MediaSandbox needs of the kernel and of libseccomp that Swift cannot say itself: system
// calls without a libc function, macros, variadic functions. No policy but the two seccomp lists.
//
// Unless a comment says otherwise, a function returns 0 or a positive value, or a negated errno.
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Landlock (landlock.c). Source: Linux Documentation/userspace-api/landlock.rst.

/// The ABI version of Landlock, 0 where the kernel has none or it is switched off.
int csandbox_landlock_abi(void);
/// A new ruleset's descriptor (close-on-exec).
int csandbox_landlock_create(uint64_t filesystem, uint64_t network, uint64_t scopes);
int csandbox_landlock_allow(int ruleset, int descriptor, uint64_t rights);
/// Sets no_new_privs, then confines the calling thread.
int csandbox_landlock_restrict(int ruleset);
/// O_PATH beneath `folder`, no symlink anywhere. Source: openat2(2).
int csandbox_open_path_beneath(int folder, const char *path);
/// O_PATH, following symlinks.
int csandbox_open_path(const char *path);
/// 1 for a folder, 2 for a regular file, 0 for anything else.
int csandbox_kind(int descriptor);

// seccomp (seccomp_coordinator.c, seccomp_worker.c). Source: seccomp_rule_add(3).

/// 1 when the kernel can answer a system call with an errno, else 0.
int csandbox_seccomp_available(void);
int csandbox_seccomp_coordinator(void);
int csandbox_seccomp_worker(void);
int csandbox_seccomp_picker(void);

// Processes (process.c).

/// What this program was started with; valid for good, not to be changed.
int csandbox_argument_count(void);
/// NULL beyond the last one.
const char *csandbox_argument(int index);
/// The number of threads of this process.
int csandbox_thread_count(void);
/// 1 on the thread that main() runs on, else 0.
int csandbox_is_main_thread(void);
/// SIGKILL for this process when the thread that started it ends; not dumpable.
int csandbox_bind_to_parent(void);
/// 1 when the other end of `socket` is closed, else 0.
int csandbox_peer_is_gone(int socket);

struct csandbox_limits {
  uint64_t data_bytes;
  uint64_t cpu_seconds;
  uint64_t descriptors;
  uint64_t thread_stack_bytes;
};
int csandbox_set_limits(const struct csandbox_limits *limits);

/// Two ends of a stream; the first does not block, both are close-on-exec.
int csandbox_socket_pair(int ends[2]);
/// Starts `executable` with `socket` as 3 and `null_device` as 0, 1 and 2, and nothing else open.
int csandbox_spawn(
  const char *executable, char *const arguments[], char *const environment[], int socket,
  int null_device, pid_t *pid);
/// 1 when `pid` has ended, with its exit code or the signal that ended it; 0 while it runs.
int csandbox_reap(pid_t pid, int block, int *code, int *signal);
/// CPU seconds used so far, rounded up, plus `seconds`, become the soft limit.
int csandbox_raise_cpu_limit(pid_t pid, uint64_t seconds);
/// The path in an ELF file's PT_INTERP; `buffer` is ended by NUL. 0 when it has none.
int csandbox_interpreter(const char *executable, char *buffer, size_t capacity);
/// Calls back with the path of each shared object that this process has loaded.
void csandbox_each_loaded_object(
  void (*body)(const char *path, void *context), void *context);
const char *csandbox_errno_name(int number);

// Descriptor passing (passing.c). Source: cmsg(3), unix(7).

/// Bytes sent, with `descriptor` (or -1) beside the first one.
ssize_t csandbox_send(int socket, const void *bytes, size_t count, int descriptor);
/// Bytes received, 0 at the end. `descriptor` is nil to accept none, which the kernel then drops;
/// else it is set to the one received or to -1. EBADMSG: more than one came, all are closed.
ssize_t csandbox_receive(int socket, void *bytes, size_t capacity, int *descriptor);

// Ways that confinement must close (attempts*.c): 0 when it worked, which it must not, and then
// undone; else the errno. They exist for the self-test only.

/// What an attempt may need: another process, and one end of a stream that this process has.
typedef struct {
  pid_t parent;
  int socket;
} csandbox_situation;

/// Ways that need no file, by number from 0 on.
int csandbox_way_count(void);
const char *csandbox_way_name(int index);
int csandbox_try_way(int index, csandbox_situation situation);

// These three change this process for good where they work.

int csandbox_try_own_users(void);
/// Puts a filter that allows everything on top, and then makes a socket.
int csandbox_try_allowing_filter(void);
/// Puts a Landlock layer that allows everything on top, and then reads a file.
int csandbox_try_allowing_layer(const char *path);

int csandbox_try_openat2(const char *path);
int csandbox_try_mount(const char *folder);
int csandbox_try_bind_mount(const char *folder, const char *target);
int csandbox_try_handle(const char *folder, const char *path);
int csandbox_try_watch(const char *folder);
int csandbox_try_unnamed(const char *folder);
/// `kind`: S_IFCHR, S_IFBLK, S_IFIFO, S_IFSOCK.
int csandbox_try_make(const char *path, unsigned kind);
int csandbox_try_exchange(const char *path, const char *other);
int csandbox_try_set_xattr(const char *path);
int csandbox_try_remove_xattr(const char *path);
int csandbox_try_set_xattr_by_descriptor(int descriptor);
int csandbox_try_remove_xattr_by_descriptor(int descriptor);
int csandbox_try_set_flags(int descriptor);
int csandbox_try_change_mode_beneath(const char *folder, const char *name);

int csandbox_try_stream_pair(void);
int csandbox_try_send_descriptor(int socket, int descriptor);
int csandbox_try_dumpable(void);
int csandbox_try_raise_limit(void);
/// Only reads it.
int csandbox_try_limit_of(pid_t pid);
int csandbox_try_shared_memory(void);
int csandbox_try_signal_by_descriptor(pid_t pid);
int csandbox_try_fork(void);
int csandbox_try_exec_in_place(const char *path);
int csandbox_try_exec_by_descriptor(const char *path);
/// Starts a program and waits for it. ECHILD: it started but did not end well.
int csandbox_try_run(const char *path, const char *argument);
/// Writes a program to `path`, starts it, and removes it.
int csandbox_try_run_new(const char *path);
/// A call by the 32-bit (or, `x32`, the x32) entry of x86-64; ENOSYS on any other machine.
int csandbox_try_foreign_abi(int x32);

#endif
