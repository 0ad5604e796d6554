#define _GNU_SOURCE 1
#include "CSandbox.h"
#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char attribute[] = "user.mediabatch";

int csandbox_try_openat2(const char *path) {
  uint64_t how[3] = {O_RDONLY | O_CLOEXEC, 0, 0};
  return csandbox_closed(syscall(SYS_openat2, AT_FDCWD, path, how, sizeof how));
}

int csandbox_try_openat2_beneath(int folder, const char *path) {
  uint64_t how[3] = {O_RDONLY | O_CLOEXEC, 0, 0};
  return csandbox_closed(syscall(SYS_openat2, folder, path, how, sizeof how));
}

int csandbox_try_mount(const char *folder) {
  if (mount("none", folder, "tmpfs", MS_NOSUID | MS_NODEV, "size=4k")) return errno;
  umount2(folder, MNT_DETACH);
  return 0;
}

int csandbox_try_bind_mount(const char *folder, const char *target) {
  if (mount(folder, target, NULL, MS_BIND, NULL)) return errno;
  umount2(target, MNT_DETACH);
  return 0;
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
  int error = csandbox_closed(open_by_handle_at(mount_point, &buffer.handle, O_RDONLY | O_CLOEXEC));
  close(mount_point);
  return error;
}

int csandbox_try_watch(const char *folder) {
  int watcher = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (watcher < 0) return errno;
  int error = csandbox_answer(inotify_add_watch(watcher, folder, IN_CREATE | IN_OPEN));
  close(watcher);
  return error;
}

int csandbox_try_status(const char *path) {
  struct stat status;
  return csandbox_answer(stat(path, &status));
}

int csandbox_try_unmap(void) {
  // arm64 may have pages of 64 KiB.
  enum { largest_page = 1 << 16 };
  static char own[largest_page] __attribute__((aligned(largest_page)));
  int error = csandbox_answer(mprotect(own, sizeof own, PROT_READ | PROT_WRITE));
  if (!error) return 0;
  void *mapped = mmap(
    own, sizeof own, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  return mapped == MAP_FAILED ? csandbox_answer(munmap(own, sizeof own)) : 0;
}

int csandbox_try_unnamed(const char *folder) {
  return csandbox_closed(open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
}

int csandbox_try_make(const char *path, unsigned kind) {
  // The device number is that of /dev/null, so the device is harmless if it can be made.
  dev_t device = kind == S_IFCHR ? makedev(1, 3) : kind == S_IFBLK ? makedev(7, 255) : 0;
  if (mknod(path, (mode_t)kind | 0600, device)) return errno;
  unlink(path);
  return 0;
}

int csandbox_try_exchange(const char *path, const char *other) {
  if (renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE)) return errno;
  renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE);
  return 0;
}

int csandbox_try_set_xattr(const char *path) {
  if (setxattr(path, attribute, "1", 1, 0)) return errno;
  removexattr(path, attribute);
  return 0;
}

int csandbox_try_remove_xattr(const char *path) {
  return csandbox_reached(removexattr(path, attribute), ENODATA);
}

int csandbox_try_set_xattr_by_descriptor(int descriptor) {
  if (fsetxattr(descriptor, attribute, "1", 1, 0)) return errno;
  fremovexattr(descriptor, attribute);
  return 0;
}

int csandbox_try_remove_xattr_by_descriptor(int descriptor) {
  return csandbox_reached(fremovexattr(descriptor, attribute), ENODATA);
}

int csandbox_try_set_flags(int descriptor) {
  int flags = 0;
  // A file system without such flags answers ENOTTY: then the call was allowed. The filter would
  // answer EPERM.
  if (ioctl(descriptor, FS_IOC_GETFLAGS, &flags)) flags = 0;
  return csandbox_reached(ioctl(descriptor, FS_IOC_SETFLAGS, &flags), ENOTTY);
}

int csandbox_try_change_mode_beneath(const char *folder, const char *name) {
  int descriptor = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  int error = csandbox_answer(fchmodat(descriptor, name, 0600, 0));
  close(descriptor);
  return error;
}
