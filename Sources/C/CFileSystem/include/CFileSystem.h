// Functions that Swift's Glibc module lacks: calls without a wrapper, macros, variadic functions.
// Every function returns -1 and sets errno on failure unless it says otherwise.
#ifndef CFILESYSTEM_H
#define CFILESYSTEM_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>

struct cfs_file_status {
  uint64_t device;
  uint64_t inode;
  uint64_t mount;
  int64_t size;
  int64_t allocated;
  int64_t modified_ns;
  int64_t changed_ns;
  uint32_t mode;
  uint32_t links;
};

// O_PATH, which Swift does not import.
extern const int cfs_o_path;

// openat2(2) beneath `folder`, following no symbolic or magic link; 0 for `same_mount` lets mount
// points in.
int cfs_open_beneath(int folder, const char *path, int flags, int same_mount);

// openat2(2) with O_CREAT | O_EXCL | O_WRONLY beneath `folder`, following no symbolic or magic link.
int cfs_create(int folder, const char *path, unsigned mode);

// A file without a name in `folder`, open for reading and writing; gone when it is closed.
int cfs_temporary_file(const char *folder);

// Makes a file without a name in an open folder, for reading and writing: openat(2), O_TMPFILE. Where the
// file system makes none, it has a name for a moment.
int cfs_unlinked_file(int folder);

// Makes a file in memory alone, for reading and writing, that nobody can execute where the kernel holds
// that (Linux 6.3): memfd_create(2), MFD_NOEXEC_SEAL.
int cfs_memory_file(void);

// statx(2), optionally following a symbolic link; an empty path means `descriptor` itself.
int cfs_status(int descriptor, const char *path, int follow, struct cfs_file_status *status);

// renameat2(2) with RENAME_NOREPLACE.
int cfs_rename_no_replace(int from_folder, const char *from, int to_folder, const char *to);

// renameat2(2) with RENAME_EXCHANGE: both exist before and after.
int cfs_exchange(int from_folder, const char *from, int to_folder, const char *to);

// ioctl_ficlone(2): makes an empty file share the content of another one of the same file system.
int cfs_clone(int from, int to);

// copy_file_range(2) from the current offsets on: the bytes that were copied, 0 at the end.
int64_t cfs_copy_range(int from, int to, int64_t length);

// futimens(3): sets the time of the last modification, in nanoseconds since 1970.
int cfs_set_modified(int descriptor, int64_t modified_ns);

// sched_getaffinity(2): the processors that this process may use; 1 when that cannot be told.
int cfs_processors(void);

// syncfs(2): flushes the file system that contains `descriptor`.
int cfs_sync_file_system(int descriptor);

// lseek(2) with SEEK_DATA and SEEK_HOLE: where the next data, or hole, at or behind `offset` begins.
// Returns -1 with ENXIO when there is none.
int64_t cfs_next_data(int descriptor, int64_t offset);
int64_t cfs_next_hole(int descriptor, int64_t offset);

// sync_file_range(2): starts writing a file out without waiting.
int cfs_start_write_out(int descriptor);

// Reads the next entry of a folder other than `.` and `..`. Returns 1, 0 at the end, or -1.
// `name` points into the stream and is valid until the next call.
int cfs_next_entry(DIR *stream, const char **name, size_t *length, unsigned char *type);

// Takes an open-file-description write lock on the whole file: 0, or -1 with EAGAIN when held.
int cfs_try_lock(int descriptor);

// Asks whether a write lock on the whole file would be refused, and takes none: 1, 0, or -1.
int cfs_is_locked(int descriptor);

// Locks one byte, which need not exist, for this open file description: `type` is F_RDLCK, F_WRLCK or
// F_UNLCK. Returns 0, or -1 with EAGAIN when another description holds it.
int cfs_lock_byte(int descriptor, int64_t offset, short type);

#endif
