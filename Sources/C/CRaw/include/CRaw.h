#ifndef CRAW_H
#define CRAW_H

#include <stddef.h>
#include <stdint.h>

// Access to LibRaw, which is loaded for the first raw file. This header hides LibRaw's large struct
// and gives only what a thumbnail needs.

/// Loads LibRaw, once. Returns NULL on success, otherwise the loader's message.
const char *craw_load(void);

/// The errors of LibRaw that are distinguished.
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
  /// The size of a picture of 8-bit samples; 0 for a JPEG, which holds its own size.
  int width;
  int height;
  /// The bytes, valid until the file is closed or another picture is read from it.
  const uint8_t *bytes;
  size_t length;
} craw_picture;

typedef struct craw_file craw_file;

/// Calls libraw_open_buffer. The bytes must outlive the file, which is NULL unless the status is
/// success.
craw_file *craw_open(const void *bytes, size_t length, craw_status *status);
void craw_close(craw_file *file);

/// Returns the Exif orientation, 1 to 8.
int craw_orientation(const craw_file *file);

/// Returns the size of the sensor, in pixels.
void craw_sensor_size(const craw_file *file, int *width, int *height);

/// Returns the number of bytes of the preview, as the file states it; 0 if there is none.
size_t craw_preview_length(const craw_file *file);

/// Calls libraw_unpack_thumb, which reads the largest preview in the file. A JPEG that the file does
/// not hold to its end is damaged; plain pixels that it does not hold as they are count as none.
craw_status craw_preview(craw_file *file, craw_picture *picture);

/// Calls libraw_unpack and libraw_dcraw_process, which develop the sensor's data at half its size,
/// in sRGB, not turned.
craw_status craw_develop(craw_file *file, unsigned maximum_megabytes, craw_picture *picture);

/// The Debian package of the library.
extern const char *const craw_package;

#endif
