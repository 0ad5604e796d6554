// pkg-config: libturbojpeg
// libjpeg-turbo, at the smallest scale in eighths that is large enough, to planes.
#include "floor.h"

#include <math.h>
#include <turbojpeg.h>

static struct buffer buffers[3];
static tjhandle handle;

bool decode(const uint8_t *bytes, size_t length, double wanted) {
  if (handle == NULL) { handle = tjInitDecompress(); }
  int width, height, subsampling, colorspace;
  if (tjDecompressHeader3(handle, bytes, length, &width, &height, &subsampling, &colorspace) != 0) {
    return false;
  }
  int eighths = (int)ceil(8 * wanted / (width > height ? width : height));
  if (eighths < 1) { eighths = 1; }
  if (eighths > 8) { eighths = 8; }
  width = (width * eighths + 7) / 8;
  height = (height * eighths + 7) / 8;
  unsigned char *planes[3] = {NULL, NULL, NULL};
  int strides[3] = {0, 0, 0};
  for (int plane = 0; plane < (subsampling == TJSAMP_GRAY ? 1 : 3); plane++) {
    planes[plane] = room(&buffers[plane], tjPlaneSizeYUV(plane, width, 0, height, subsampling));
    if (planes[plane] == NULL) { return false; }
  }
  return tjDecompressToYUVPlanes(
    handle, bytes, length, planes, width, strides, height, TJFLAG_STOPONWARNING) == 0;
}
