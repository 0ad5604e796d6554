// pkg-config: libtiff-4
// libtiff: each strip or tile of the first page.
#include "floor.h"

#include <string.h>
#include <tiffio.h>

struct source {
  const uint8_t *bytes;
  toff_t length, at;
};

static struct buffer part;

static tsize_t read_some(thandle_t handle, tdata_t to, tsize_t wanted) {
  struct source *source = handle;
  toff_t left = source->at < source->length ? source->length - source->at : 0;
  toff_t size = (toff_t)wanted < left ? (toff_t)wanted : left;
  memcpy(to, source->bytes + source->at, size);
  source->at += size;
  return (tsize_t)size;
}
static tsize_t write_none(thandle_t handle, tdata_t from, tsize_t size) {
  (void)handle, (void)from, (void)size;
  return -1;
}
static toff_t seek(thandle_t handle, toff_t offset, int whence) {
  struct source *source = handle;
  source->at = whence == SEEK_SET ? offset : offset + (whence == SEEK_CUR ? source->at : source->length);
  return source->at;
}
static int close_none(thandle_t handle) { return (void)handle, 0; }
static toff_t size_of(thandle_t handle) { return ((struct source *)handle)->length; }
static int map(thandle_t handle, tdata_t *bytes, toff_t *length) {
  struct source *source = handle;
  *bytes = (tdata_t)(uintptr_t)source->bytes;
  *length = source->length;
  return 1;
}
static void unmap(thandle_t handle, tdata_t bytes, toff_t length) { (void)handle, (void)bytes, (void)length; }

bool decode(const uint8_t *bytes, size_t length, double wanted) {
  (void)wanted;
  TIFFSetWarningHandler(NULL);
  struct source source = {bytes, length, 0};
  TIFF *file = TIFFClientOpen(
    "picture", "r", &source, read_some, write_none, seek, close_none, size_of, map, unmap);
  if (file == NULL) { return false; }
  bool tiled = TIFFIsTiled(file), whole = true;
  tsize_t size = tiled ? TIFFTileSize(file) : TIFFStripSize(file);
  uint32_t count = tiled ? TIFFNumberOfTiles(file) : TIFFNumberOfStrips(file);
  void *to = room(&part, (size_t)size);
  for (uint32_t index = 0; index < count && whole; index++) {
    whole = to != NULL
      && (tiled ? TIFFReadEncodedTile(file, index, to, size) : TIFFReadEncodedStrip(file, index, to, size)) > 0;
  }
  TIFFClose(file);
  return whole;
}
