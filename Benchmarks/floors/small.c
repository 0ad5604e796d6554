// pkg-config: libturbojpeg
// The lower bound of an import of small files: the least that makes the same folders of originals and thumbnails.
//
// small SOURCE LIBRARY   LIBRARY must not be there. Prints nothing; ends with 1, and says why, at the first error.
//
// Each JPEG beneath SOURCE is read, decoded and encoded as a thumbnail of at most 256 px by libjpeg-turbo. Its bytes go
// as they are into a folder of their own in .staging, the thumbnail goes beside that, and both are renamed to their
// final names, as a run does. One flush comes last. There is no catalogue, log, hash, stripping, check or confinement.
// It is one process with one thread, where a run has a coordinator and two workers: nothing is handed over, so that
// its processor time is a bound. Its time by the clock is none.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <turbojpeg.h>
#include <unistd.h>

enum { SIDE = 256, QUALITY = 80 };

static uint8_t picture[1 << 24], planes[3][SIDE * SIDE], thumbnail[1 << 19];
static tjhandle decoder, encoder;
static int staging, originals, thumbnails;
// The time at which the next asset is saved, by which its folder is named, in microseconds of the day.
static uint64_t saved;

static _Noreturn void fail(const char *name) {
  fprintf(stderr, "%s: %s\n", name, errno != 0 ? strerror(errno) : "no small JPEG");
  exit(1);
}

static int made(int parent, const char *name) {
  int folder;
  if (mkdirat(parent, name, 0755) != 0 || (folder = openat(parent, name, O_DIRECTORY | O_CLOEXEC)) < 0) { fail(name); }
  return folder;
}

// Reads a whole file, which a read of fewer bytes than there is room for says it was.
static size_t read_picture(int folder, const char *name) {
  int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, picture, sizeof picture);
  if (length <= 0 || length == sizeof picture) { fail(name); }
  close(file);
  return (size_t)length;
}

static void write_file(const char *name, const uint8_t *bytes, size_t length) {
  int file = openat(staging, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0 || write(file, bytes, length) != (ssize_t)length || close(file) != 0) { fail(name); }
}

// Makes the thumbnail with the subsampling of the picture, at the largest scale in eighths that fits; none is enlarged.
static size_t reduce(const char *name, size_t length) {
  int width, height, subsampling, colorspace;
  errno = 0;
  unsigned char *to[3] = {planes[0], planes[1], planes[2]}, *out = thumbnail;
  unsigned long size = sizeof thumbnail;
  if (tjDecompressHeader3(decoder, picture, length, &width, &height, &subsampling, &colorspace) != 0) { fail(name); }
  int longer = width > height ? width : height, eighths = longer <= SIDE ? 8 : 8 * SIDE / longer;
  width = (width * eighths + 7) / 8, height = (height * eighths + 7) / 8;
  // Of more than 2048 pixels an eighth does not fit: such a picture is not small.
  if (eighths == 0
      || tjDecompressToYUVPlanes(decoder, picture, length, to, width, NULL, height, TJFLAG_STOPONWARNING) != 0
      || tjCompressFromYUVPlanes(encoder, (const unsigned char **)to, width, NULL, height, subsampling, &out, &size,
                                 QUALITY, TJFLAG_NOREALLOC) != 0) {
    fail(name);
  }
  return size;
}

static void import(int folder, const char *name, int stem) {
  char original[300], moment[32], named[300];
  unsigned seconds = (unsigned)(saved / 1000000);
  sprintf(moment, "%02u%02u%02u.%06u", seconds / 3600, seconds / 60 % 60, seconds % 60, (unsigned)(saved++ % 1000000));
  sprintf(original, "0/%.*s.jpg", stem, name);
  sprintf(named, "%s %.*s.jpg", moment, stem, name);
  size_t length = read_picture(folder, name), size = reduce(name, length);
  if (mkdirat(staging, "0", 0755) != 0) { fail(name); }
  write_file(original, picture, length);
  write_file("0.fit-256", thumbnail, size);
  if (renameat2(staging, "0.fit-256", thumbnails, named, RENAME_NOREPLACE) != 0
      || renameat2(staging, "0", originals, moment, RENAME_NOREPLACE) != 0) { fail(name); }
}

// Imports all JPEGs of a folder and of those in it, in the order in which the file system lists them.
static void walk(int parent, const char *path) {
  int descriptor = openat(parent, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = descriptor < 0 ? NULL : fdopendir(descriptor);
  if (folder == NULL) { fail(path); }
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    const char *name = entry->d_name, *dot = strrchr(name, '.');
    if (entry->d_type == DT_DIR && name[0] != '.') {
      walk(descriptor, name);
    } else if (entry->d_type == DT_REG && dot != NULL && strcasecmp(dot, ".jpg") == 0) {
      import(descriptor, name, (int)(dot - name));
    }
  }
  closedir(folder);
}

int main(int count, char **arguments) {
  char day[16];
  time_t now = time(NULL);
  if (count != 3) { return 64; }
  strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
  saved = (uint64_t)(now % 86400) * 1000000;
  int library = made(AT_FDCWD, arguments[2]);
  staging = made(library, ".staging");
  originals = made(made(library, "Originals"), day);
  thumbnails = made(made(made(library, "Thumbnails"), "fit-256"), day);
  decoder = tjInitDecompress(), encoder = tjInitCompress();
  walk(AT_FDCWD, arguments[1]);
  if (syncfs(library) != 0) { fail(arguments[2]); }
  return 0;
}
