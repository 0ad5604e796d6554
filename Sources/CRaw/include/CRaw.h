#ifndef CRAW_H
#define CRAW_H

#include <stddef.h>
#include <stdint.h>

// LibRaw, loaded when the first raw file comes. Its one struct of all it knows stays behind this
// header: what a thumbnail needs of it is little.

/// Loads LibRaw, once. NULL when it can be used, otherwise what the loader says.
const char *craw_load(void);

/// LibRaw's errors, as far as they are told apart.
typedef enum {
  craw_success,
  craw_damaged,
  craw_unsupported,
  craw_over_limit,
  craw_no_preview,
} craw_status;

typedef enum { craw_jpeg, craw_gray, craw_rgb } craw_kind;

typedef struct {
  craw_kind kind;
  /// Of pixels of 8 bits a sample; 0 for a JPEG, which knows its own.
  int width;
  int height;
  /// Valid until the file is closed, or another picture is taken from it.
  const uint8_t *bytes;
  size_t length;
} craw_picture;

typedef struct craw_file craw_file;

/// libraw_open_buffer. The bytes must outlive the file, which is NULL unless the status is success.
craw_file *craw_open(const void *bytes, size_t length, craw_status *status);
void craw_close(craw_file *file);

/// EXIF's orientation, 1 to 8.
int craw_orientation(const craw_file *file);

/// Of the sensor, in pixels.
void craw_sensor_size(const craw_file *file, int *width, int *height);

/// Bytes of the preview as the file says; 0 when it has none.
size_t craw_preview_length(const craw_file *file);

/// libraw_unpack_thumb: the largest preview that the file carries.
craw_status craw_preview(craw_file *file, craw_picture *picture);

/// libraw_unpack, libraw_dcraw_process: develops the sensor's data at half its size, in sRGB, not
/// turned.
craw_status craw_develop(craw_file *file, unsigned maximum_megabytes, craw_picture *picture);

/// The package that has the library.
extern const char *const craw_package;

#endif
