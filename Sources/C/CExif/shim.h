#ifndef CEXIF_SHIM_H
#define CEXIF_SHIM_H

#define _GNU_SOURCE 1

// No fd_set is needed here, whose member has another name where this module is built than where
// Swift's Glibc is, in some orders of building: so <sys/select.h> counts as included.
#define _SYS_SELECT_H 1

#include <stddef.h>
#include <stdlib.h>

#include <libexif/exif-data.h>

// libexif leaves out what it has no memory for, and a missing orientation turns a picture. These
// functions end the program instead, as Swift's own allocations do.
static inline void *cexif_checked(void *pointer) {
  if (pointer == NULL) abort();
  return pointer;
}
static inline void *cexif_calloc(ExifLong size) {
  return cexif_checked(calloc(1, size > 0 ? size : 1));
}
static inline void *cexif_realloc(void *pointer, ExifLong size) {
  return cexif_checked(realloc(pointer, size > 0 ? size : 1));
}

static inline ExifMem *_Nonnull cexif_memory(void) {
  return (ExifMem *)cexif_checked(exif_mem_new(cexif_calloc, cexif_realloc, free));
}
static inline ExifData *_Nonnull cexif_data(ExifMem *_Nonnull memory) {
  return (ExifData *)cexif_checked(exif_data_new_mem(memory));
}

// The directories are a C array in the middle of a struct, which Swift shows as a tuple.
static inline ExifContent *_Nonnull cexif_content(ExifData *_Nonnull data, ExifIfd directory) {
  return data->ifd[directory];
}

// Adds an entry whose value is zero. Returns NULL when the directory has one with this tag.
static inline ExifEntry *_Nullable cexif_add(
    ExifContent *_Nonnull content, ExifMem *_Nonnull memory, int tag, ExifFormat format,
    unsigned long components) {
  if (exif_content_get_entry(content, (ExifTag)tag) != NULL) return NULL;
  ExifEntry *entry = exif_entry_new_mem(memory);
  entry->tag = (ExifTag)tag;
  entry->format = format;
  entry->components = components;
  entry->size = (unsigned int)(components * exif_format_get_size(format));
  entry->data = exif_mem_alloc(memory, entry->size);
  exif_content_add_entry(content, entry);
  exif_entry_unref(entry);
  return entry;
}

#endif
