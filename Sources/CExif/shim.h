#ifndef CEXIF_SHIM_H
#define CEXIF_SHIM_H

#define _GNU_SOURCE 1
#include <stddef.h>

#include <libexif/exif-data.h>

// exif_content_get_entry is a function, but the directories are a C array in the middle of a
// struct, which Swift would show as a tuple; this is what the macro exif_data_get_entry does for one
// directory.
static inline ExifEntry *cexif_entry(ExifData *data, ExifIfd directory, ExifTag tag) {
  if (data == NULL || (unsigned)directory >= EXIF_IFD_COUNT) return NULL;
  return exif_content_get_entry(data->ifd[directory], tag);
}

#endif
