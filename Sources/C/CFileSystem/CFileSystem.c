#define _GNU_SOURCE 1
#include "CFileSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

const int cfs_o_path = O_PATH;

static int open_beneath(int folder, const char *path, int flags, unsigned mode, int same_mount) {
  struct open_how how = {
      .flags = (uint64_t)(flags | O_CLOEXEC),
      .mode = mode,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |
                 (same_mount ? RESOLVE_NO_XDEV : 0),
  };
  // The kernel answers EAGAIN when a rename raced with the walk (openat2(2)).
  for (int tries = 0; tries < 64; tries++) {
    long result = syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (result >= 0 || (errno != EAGAIN && errno != EINTR)) return (int)result;
  }
  return -1;
}

int cfs_open_beneath(int folder, const char *path, int flags, int same_mount) {
  return open_beneath(folder, path, flags, 0, same_mount);
}

int cfs_create(int folder, const char *path, unsigned mode) {
  return open_beneath(folder, path, O_CREAT | O_EXCL | O_WRONLY, mode, 0);
}

int cfs_temporary_file(const char *folder) {
  int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
  // Not every file system can make a file without a name.
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/mediabatch-XXXXXX", folder);
  if (length < 0 || (size_t)length >= sizeof path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  file = mkostemp(path, O_CLOEXEC);
  if (file >= 0) unlink(path);
  return file;
}

// Times beyond the years 1678 to 2262, which some file systems keep, are given as the nearest that fits.
static int64_t nanoseconds(struct statx_timestamp time) {
  int64_t result;
  if (__builtin_mul_overflow((int64_t)time.tv_sec, 1000000000, &result) ||
      __builtin_add_overflow(result, (int64_t)time.tv_nsec, &result)) {
    return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;
  }
  return result;
}

int cfs_status(int descriptor, const char *path, int follow, struct cfs_file_status *status) {
  struct statx raw;
  int flags = AT_NO_AUTOMOUNT | (follow ? 0 : AT_SYMLINK_NOFOLLOW) |
              (path[0] == 0 ? AT_EMPTY_PATH : 0);
  if (statx(descriptor, path, flags, STATX_BASIC_STATS | STATX_MNT_ID, &raw) != 0) return -1;
  *status = (struct cfs_file_status){
      .device = makedev(raw.stx_dev_major, raw.stx_dev_minor),
      .inode = raw.stx_ino,
      .mount = (raw.stx_mask & STATX_MNT_ID) ? raw.stx_mnt_id : 0,
      .size = (int64_t)raw.stx_size,
      .allocated = (int64_t)raw.stx_blocks * 512,
      .modified_ns = nanoseconds(raw.stx_mtime),
      .changed_ns = nanoseconds(raw.stx_ctime),
      .mode = raw.stx_mode,
      .links = raw.stx_nlink,
  };
  return 0;
}

int cfs_rename_no_replace(int from_folder, const char *from, int to_folder, const char *to) {
  return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int cfs_exchange(int from_folder, const char *from, int to_folder, const char *to) {
  return renameat2(from_folder, from, to_folder, to, RENAME_EXCHANGE);
}

int cfs_clone(int from, int to) { return ioctl(to, FICLONE, from); }

int64_t cfs_copy_range(int from, int to, int64_t length) {
  return copy_file_range(from, NULL, to, NULL, (size_t)length, 0);
}

int cfs_processors(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  const int count = CPU_COUNT(&set);
  return count > 0 ? count : 1;
}

int cfs_set_modified(int descriptor, int64_t modified_ns) {
  const struct timespec times[2] = {
    {.tv_nsec = UTIME_OMIT},
    {.tv_sec = modified_ns / 1000000000 - (modified_ns % 1000000000 < 0),
     .tv_nsec = (modified_ns % 1000000000 + 1000000000) % 1000000000},
  };
  return futimens(descriptor, times);
}

int cfs_sync_file_system(int descriptor) { return syncfs(descriptor); }

int64_t cfs_next_data(int descriptor, int64_t offset) {
  return lseek(descriptor, offset, SEEK_DATA);
}

int64_t cfs_next_hole(int descriptor, int64_t offset) {
  return lseek(descriptor, offset, SEEK_HOLE);
}

int cfs_start_write_out(int descriptor) {
  return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

int cfs_next_entry(DIR *stream, const char **name, size_t *length, unsigned char *type) {
  for (;;) {
    errno = 0;
    struct dirent *entry = readdir(stream);
    if (!entry) return errno == 0 ? 0 : -1;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    *name = entry->d_name;
    *length = strlen(entry->d_name);
    *type = entry->d_type;
    return 1;
  }
}

int cfs_try_lock(int descriptor) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int cfs_is_locked(int descriptor) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) return -1;
  return lock.l_type != F_UNLCK;
}

int cfs_lock_byte(int descriptor, int64_t offset, short type) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int cfs_unlinked_file(int folder) {
  int file = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
  // Another thread may make one at the same time: none may open that of the other.
  for (unsigned number = 0; number < 1000; number++) {
    char name[16];
    snprintf(name, sizeof name, ".copy-%u", number);
    file = openat(folder, name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0) unlinkat(folder, name, 0);
    if (file >= 0 || errno != EEXIST) break;
  }
  return file;
}

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

int cfs_memory_file(void) {
  const unsigned flags = MFD_CLOEXEC;
  int file = memfd_create("mediabatch", flags | MFD_NOEXEC_SEAL);
  return file < 0 && errno == EINVAL ? memfd_create("mediabatch", flags) : file;
}
