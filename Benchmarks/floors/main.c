// The lower bound of a thumbnailer: reads each file from a mapping and only decodes it, by the decoder of the
// source beside which this one is compiled, to pixels that are not used.
//
// floor WANTED FILE…   WANTED: how many pixels the longer side of the decoded picture needs.
// Prints how many pictures were decoded; ends with 1 if one was not.
#include "floor.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count < 3) { return 64; }
  double wanted = atof(arguments[1]);
  int decoded = 0, status = 0;
  for (int index = 2; index < count; index++) {
    int file = open(arguments[index], O_RDONLY | O_CLOEXEC);
    struct stat facts;
    if (file < 0 || fstat(file, &facts) != 0 || facts.st_size == 0) { return 1; }
    size_t length = (size_t)facts.st_size;
    void *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED) { return 1; }
    if (decode(bytes, length, wanted)) {
      decoded++;
    } else {
      fprintf(stderr, "%s: was not decoded\n", arguments[index]);
      status = 1;
    }
    munmap(bytes, length);
  }
  printf("%d\n", decoded);
  return status;
}

void *room(struct buffer *buffer, size_t needed) {
  if (needed > buffer->capacity) {
    free(buffer->bytes);
    buffer->bytes = malloc(needed);
    buffer->capacity = buffer->bytes == NULL ? 0 : needed;
  }
  return buffer->bytes;
}
