// Measures the lower bound of a thumbnailer: reads each JPEG from a mapping and only decodes it once
// with libjpeg-turbo, at the scale that a run uses, to planes that are not used.
//
// floor SIDE OVERSAMPLING FILE…   The longer side of the thumbnail in pixels.
// Prints how many pictures were decoded; ends with 1 if one was not.
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <turbojpeg.h>
#include <unistd.h>

static unsigned char *planes[3];
static size_t capacities[3];

static int decode(tjhandle handle, const unsigned char *bytes, size_t length, double wanted) {
  int width, height, subsampling, colorspace;
  if (tjDecompressHeader3(handle, bytes, length, &width, &height, &subsampling, &colorspace) != 0) {
    return -1;
  }
  double scale = wanted / (width > height ? width : height);
  int eighths = (int)ceil(8 * scale);
  if (eighths < 1) { eighths = 1; }
  if (eighths > 8) { eighths = 8; }
  width = (width * eighths + 7) / 8;
  height = (height * eighths + 7) / 8;
  int strides[3] = {0, 0, 0};
  for (int plane = 0; plane < (subsampling == TJSAMP_GRAY ? 1 : 3); plane++) {
    size_t needed = tjPlaneSizeYUV(plane, width, 0, height, subsampling);
    if (needed > capacities[plane]) {
      free(planes[plane]);
      planes[plane] = malloc(needed);
      capacities[plane] = planes[plane] == NULL ? 0 : needed;
      if (planes[plane] == NULL) { return -1; }
    }
  }
  return tjDecompressToYUVPlanes(
    handle, bytes, length, planes, width, strides, height, TJFLAG_STOPONWARNING);
}

int main(int count, char **arguments) {
  if (count < 4) { return 64; }
  double wanted = atof(arguments[1]) * atof(arguments[2]);
  tjhandle handle = tjInitDecompress();
  if (handle == NULL) { return 1; }
  int decoded = 0, status = 0;
  for (int index = 3; index < count; index++) {
    int file = open(arguments[index], O_RDONLY | O_CLOEXEC);
    struct stat facts;
    if (file < 0 || fstat(file, &facts) != 0 || facts.st_size == 0) { return 1; }
    size_t length = (size_t)facts.st_size;
    void *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED) { return 1; }
    if (decode(handle, bytes, length, wanted) == 0) {
      decoded++;
    } else {
      fprintf(stderr, "%s: %s\n", arguments[index], tjGetErrorStr2(handle));
      status = 1;
    }
    munmap(bytes, length);
  }
  tjDestroy(handle);
  printf("%d\n", decoded);
  return status;
}
