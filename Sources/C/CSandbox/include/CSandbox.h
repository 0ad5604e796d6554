// Functions of the kernel and of libseccomp that MediaSandbox cannot call from Swift: system calls
// without a libc function, macros, variadic functions. The only policy here is the seccomp lists.
//
// Unless a comment says otherwise, a function returns 0 or a positive value, or a negated errno.
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Landlock (landlock.c). Source: Linux Documentation/userspace-api/landlock.rst.

/// Returns the ABI version of Landlock, 0 without Landlock or if it is disabled.
int csandbox_landlock_abi(void);
/// Creates a ruleset and returns its descriptor (close-on-exec).
int csandbox_landlock_create(uint64_t filesystem, uint64_t network, uint64_t scopes);
int csandbox_landlock_allow(int ruleset, int descriptor, uint64_t rights);
/// Sets no_new_privs, then confines the calling thread.
int csandbox_landlock_restrict(int ruleset);
/// Opens a path beneath `folder` with O_PATH, following no symlink. Source: openat2(2).
int csandbox_open_path_beneath(int folder, const char *path);
/// Opens a path with O_PATH, following symlinks.
int csandbox_open_path(const char *path);
/// Returns 1 for a folder, 2 for a regular file, 0 for anything else.
int csandbox_kind(int descriptor);

// seccomp (seccomp_coordinator.c, seccomp_worker.c, seccomp_picker.c, seccomp_times.c,
// seccomp_watcher.c, seccomp_page.c, seccomp_camera.c). Source: seccomp_rule_add(3).

/// Returns 1 when the kernel can answer a system call with an errno, else 0.
int csandbox_seccomp_available(void);
int csandbox_seccomp_coordinator(void);
int csandbox_seccomp_worker(void);
int csandbox_seccomp_picker(void);
/// Allows answering connections of sockets that were there before; `listener` may be −1.
int csandbox_seccomp_page(int listener);
/// Allows reading a camera by USB. `port` is 0; else TCP is allowed too, see csandbox_seccomp_allow_loopback.
int csandbox_seccomp_camera(int port);

// A camera on loopback, for tests (loopback.c). In what is released the first returns 0, the others −EOPNOTSUPP.

/// Returns the port of the camera that takes the place of those on USB; 0 without one.
uint16_t csandbox_loopback_camera_port(void);
/// Allows connecting to a TCP port.
int csandbox_landlock_allow_port(int ruleset, uint16_t port);
/// Allows TCP connections.
int csandbox_seccomp_allow_loopback(void *filter);
/// Allows finding files beneath the descriptor `folder` alone.
int csandbox_seccomp_times(int folder);
/// Sets when the content of a file beneath `folder` was modified, following no symlink; the file is
/// not opened (O_PATH). Source: utimensat(2), AT_EMPTY_PATH.
int csandbox_set_modified(int folder, const char *path, int64_t seconds, int64_t nanoseconds);
/// Allows opening, listing and watching folders; see the functions below.
int csandbox_seccomp_watcher(void);

// Watching folders (seccomp_watcher.c). Source: inotify(7).

/// A change in a watched folder.
struct csandbox_event {
  int watch;
  /// NULL for the folder itself.
  const char *name;
  /// Events were lost: the queue was full.
  int is_lost;
  /// The watch has ended.
  int is_end;
  int is_folder;
  /// A file or folder is there, or a file was closed behind a write.
  int has_come;
  /// A file or folder has another place now.
  int has_moved;
};
/// Returns a descriptor that does not block.
int csandbox_watches_open(void);
/// Enters `folder` and watches it. Returns the number of the watch, the same for a folder that is
/// watched already; ENOSPC: the user has too many.
int csandbox_watch(int watches, int folder);
void csandbox_unwatch(int watches, int watch);
/// Calls `body` with each event that has arrived. Returns 0 when there was none.
ssize_t csandbox_watches_read(
  int watches, void *buffer, size_t capacity, void (*body)(const struct csandbox_event *, void *),
  void *context);
/// Opens a folder for listing, following no symlink in the last component.
int csandbox_open_listed(int folder, const char *name);
/// Sets `mount` to the mount that an open folder lies in, or to its device where the kernel does not
/// tell. Source: statx(2).
int csandbox_mount(int folder, uint64_t *mount);
/// Calls `body` with each entry but `.` and `..`; `type` is DT_. Source: getdents64(2).
int csandbox_each_entry(
  int folder, void (*body)(const char *name, unsigned char type, void *context), void *context);

// Processes (process.c).

/// The arguments that this program was started with. They stay valid and must not be changed.
int csandbox_argument_count(void);
/// Returns NULL after the last argument.
const char *csandbox_argument(int index);
/// Returns the number of threads of this process.
int csandbox_thread_count(void);
/// Returns 1 on the thread that main() runs on, else 0.
int csandbox_is_main_thread(void);
/// Makes the kernel kill this process when the thread that started it ends; makes it undumpable. Returns
/// -ESRCH when the other end of `socket`, its parent's, is closed already.
int csandbox_bind_to_parent(int socket);
/// Makes the kernel send this process SIGTERM when the thread that started it ends.
int csandbox_end_with_parent(void);
/// Gives up all capabilities for good, also those of root; with `keeps_files` all but
/// CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH. Source: capabilities(7), capset(2).
int csandbox_drop_capabilities(int keeps_files);

struct csandbox_limits {
  uint64_t data_bytes;
  uint64_t cpu_seconds;
  uint64_t descriptors;
  uint64_t thread_stack_bytes;
};
int csandbox_set_limits(const struct csandbox_limits *limits);

/// Makes the two ends of a stream; the first does not block, both are close-on-exec.
int csandbox_socket_pair(int ends[2]);
/// Starts `executable` with `socket` as 3, `null_device` as 0, 1 and 2, and no other open file.
int csandbox_spawn(
  const char *executable, char *const arguments[], char *const environment[], int socket,
  int null_device, pid_t *pid);
/// Returns 1 when `pid` has ended, with its exit code or the signal that ended it; 0 while it runs.
int csandbox_reap(pid_t pid, int block, int *code, int *signal);
/// Sets the soft limit to the CPU seconds used so far, rounded up, plus `seconds`.
int csandbox_raise_cpu_limit(pid_t pid, uint64_t seconds);
/// Returns the processor time that `pid` has used, or -1 when it has ended.
int64_t csandbox_cpu_nanoseconds(pid_t pid);
/// Reads the path in an ELF file's PT_INTERP, NUL-terminated. Returns 0 when it has none.
int csandbox_interpreter(const char *executable, char *buffer, size_t capacity);
/// Calls `body` with the path of each shared object that this process has loaded.
void csandbox_each_loaded_object(
  void (*body)(const char *path, void *context), void *context);
const char *csandbox_errno_name(int number);

// Descriptor passing (passing.c). Source: cmsg(3), unix(7).

/// Sends bytes, with `descriptor` (or -1) beside the first one. Returns the number sent.
ssize_t csandbox_send(int socket, const void *bytes, size_t count, int descriptor);
/// Receives bytes and returns their number, 0 at the end. With a NULL `descriptor` the kernel drops
/// descriptors; else it is set to the received one or -1. EBADMSG: there were several, all closed.
ssize_t csandbox_receive(int socket, void *bytes, size_t capacity, int *descriptor);

// Attempts that confinement must refuse (attempts*.c), for the self-test only. They return the
// errno, or 0 when they succeeded, which they undo.

/// The context of an attempt: another process, and one end of a stream of this process.
typedef struct {
  pid_t parent;
  int socket;
} csandbox_situation;

/// The attempts that need no file, numbered from 0.
int csandbox_way_count(void);
const char *csandbox_way_name(int index);
int csandbox_try_way(int index, csandbox_situation situation);

// These three change this process for good if they succeed.

int csandbox_try_own_users(void);
/// Adds a filter that allows everything, and then makes a socket.
int csandbox_try_allowing_filter(void);
/// Adds a Landlock layer that allows everything, and then reads a file.
int csandbox_try_allowing_layer(const char *path);

int csandbox_try_openat2(const char *path);
int csandbox_try_openat2_beneath(int folder, const char *path);
int csandbox_try_mount(const char *folder);
int csandbox_try_bind_mount(const char *folder, const char *target);
int csandbox_try_handle(const char *folder, const char *path);
int csandbox_try_watch(const char *folder);
int csandbox_try_status(const char *path);
/// Unmaps, or makes writable, a page that this function has.
int csandbox_try_unmap(void);
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
/// Reads a limit of another process.
int csandbox_try_limit_of(pid_t pid);
int csandbox_try_shared_memory(void);
int csandbox_try_signal_by_descriptor(pid_t pid);
int csandbox_try_fork(void);
int csandbox_try_exec_in_place(const char *path);
int csandbox_try_exec_by_descriptor(const char *path);
/// Starts a program and waits for it. ECHILD: it started but did not end with 0.
int csandbox_try_run(const char *path, const char *argument);
/// Writes a program to `path`, starts it, and removes it.
int csandbox_try_run_new(const char *path);
/// Makes a call by the 32-bit (or, `x32`, the x32) entry of x86-64; ENOSYS on any other machine.
int csandbox_try_foreign_abi(int x32);

#endif
