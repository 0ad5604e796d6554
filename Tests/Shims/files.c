#define _GNU_SOURCE 1
#include "shims.h"

#include <CFileSystem.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// UTF-8 and bytes that are none, all of them below zero where char is signed.
static const char high_name[] = "\xc3\xa9t\xc3\xa9-\xff\x80.jpg";

static int make(int folder, const char *name) {
  return openat(folder, name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
}

static void test_status(int folder) {
  int file = make(folder, high_name);
  CHECK(file >= 0 && write(file, "content", 7) == 7);
  // Before and after 1970, and seconds of more than 32 bits.
  const int64_t times[] = {0, 1, -1, -1500000001, 1700000000123456789, 4102444800000000005};
  struct cfs_file_status status;
  for (size_t index = 0; index < sizeof times / sizeof *times; index++) {
    CHECK(cfs_set_modified(file, times[index]) == 0);
    CHECK(cfs_status(file, "", 0, &status) == 0 && status.modified_ns == times[index]);
  }
  struct stat same;
  CHECK(cfs_status(folder, high_name, 0, &status) == 0 && fstat(file, &same) == 0);
  CHECK(status.device == same.st_dev && status.inode == same.st_ino && status.links == 1);
  CHECK(status.mode == same.st_mode && status.size == 7 && S_ISREG(status.mode));
  CHECK(symlinkat(high_name, folder, "link") == 0);
  CHECK(cfs_status(folder, "link", 0, &status) == 0 && S_ISLNK(status.mode));
  CHECK(cfs_status(folder, "link", 1, &status) == 0 && S_ISREG(status.mode));
  CHECK(cfs_status(folder, "none", 1, &status) == -1 && errno == ENOENT);
  CHECK(unlinkat(folder, "link", 0) == 0);
  close(file);
}

static void test_names(int folder) {
  close(make(folder, "other"));
  struct cfs_file_status first, second;
  cfs_status(folder, high_name, 0, &first);
  cfs_status(folder, "other", 0, &second);
  CHECK(cfs_rename_no_replace(folder, high_name, folder, "other") == -1 && errno == EEXIST);
  CHECK(cfs_exchange(folder, high_name, folder, "other") == 0);
  struct cfs_file_status exchanged;
  CHECK(cfs_status(folder, "other", 0, &exchanged) == 0 && exchanged.inode == first.inode);
  DIR *stream = fdopendir(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const char *name;
  size_t length;
  unsigned char type;
  int found = 0, result = 0;
  while (stream && (result = cfs_next_entry(stream, &name, &length, &type)) == 1) {
    CHECK(type == DT_REG && length == strlen(name));
    CHECK(!strcmp(name, high_name) || !strcmp(name, "other"));
    found++;
  }
  CHECK(found == 2 && result == 0);
  if (stream) closedir(stream);
}

static void test_beneath(int folder) {
  int file = cfs_create(folder, "created", 0600);
  if (file < 0 && errno == ENOSYS) {
    shims_untried("openat2, which this kernel or emulator lacks");
    return;
  }
  CHECK(file >= 0 && cfs_create(folder, "created", 0600) == -1 && errno == EEXIST);
  close(file);
  CHECK(cfs_open_beneath(folder, "..", O_RDONLY, 0) == -1 && errno == EXDEV);
  CHECK(symlinkat("created", folder, "link") == 0);
  CHECK(cfs_open_beneath(folder, "link", O_RDONLY, 0) == -1 && errno == ELOOP);
  file = cfs_open_beneath(folder, "created", O_RDONLY, 1);
  CHECK(file >= 0);
  close(file);
}

static void test_content(int folder, const char *path) {
  const int64_t far = 5LL << 30;
  struct cfs_file_status status;
  int files[] = {cfs_temporary_file(path), cfs_unlinked_file(folder), cfs_memory_file()};
  for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
    CHECK(files[index] >= 0 && cfs_status(files[index], "", 0, &status) == 0 && status.links == 0);
  }
  int file = files[0];
  CHECK(pwrite(file, "far", 3, far) == 3 && pwrite(file, "near", 4, 0) == 4);
  int64_t hole = cfs_next_hole(file, 0);
  CHECK(hole >= 4 && cfs_next_data(file, hole < far ? hole : 0) <= far);
  CHECK(cfs_next_data(file, far + 3) == -1 && errno == ENXIO);
  CHECK(lseek(file, far, SEEK_SET) == far && cfs_copy_range(file, files[1], 3) == 3);
  char copied[3];
  CHECK(pread(files[1], copied, 3, 0) == 3 && !memcmp(copied, "far", 3));
  CHECK(cfs_start_write_out(file) == 0 && cfs_sync_file_system(folder) == 0);
  for (size_t index = 0; index < sizeof files / sizeof *files; index++) close(files[index]);
}

static void test_locks(int folder) {
  int one = openat(folder, "other", O_RDWR | O_CLOEXEC), two = openat(folder, "other", O_RDWR | O_CLOEXEC);
  CHECK(cfs_is_locked(two) == 0 && cfs_try_lock(one) == 0);
  CHECK(cfs_is_locked(two) == 1 && cfs_try_lock(two) == -1 && errno == EAGAIN);
  close(one);
  one = openat(folder, "other", O_RDWR | O_CLOEXEC);
  const int64_t far = 6LL << 30;
  CHECK(cfs_lock_byte(one, far, F_WRLCK) == 0 && cfs_lock_byte(two, far, F_RDLCK) == -1 && errno == EAGAIN);
  // A number of 32 bits would meet this one.
  CHECK(cfs_lock_byte(two, far & 0xFFFFFFFF, F_WRLCK) == 0);
  CHECK(cfs_lock_byte(one, far, F_UNLCK) == 0 && cfs_lock_byte(two, far, F_RDLCK) == 0);
  close(one);
  close(two);
}

void shims_test_files(const char *path, const char *samples) {
  (void)samples;
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  CHECK(folder >= 0);
  test_status(folder);
  test_names(folder);
  test_content(folder, path);
  test_locks(folder);
  test_beneath(folder);
  CHECK(cfs_processors() >= 1 && cfs_o_path == O_PATH);
  close(folder);
}
