#ifndef CMAGICKWAND_SHIM_H
#define CMAGICKWAND_SHIM_H

#define _GNU_SOURCE 1

// The headers need no fd_set, whose member has another name where this module is built than where
// Swift's Glibc is, in some orders of building: so <sys/select.h> counts as included.
#define _SYS_SELECT_H 1

// SwiftPM drops the -D options of the .pc file; without them the headers describe other structs.
#define MAGICKCORE_QUANTUM_DEPTH 16
#define MAGICKCORE_HDRI_ENABLE 0

#include <magick/MagickCore.h>
#include <wand/MagickWand.h>

// The name's prefix forces the coder; the field is an array that Swift sees as a tuple of 4,096.
static inline void cmagick_set_filename(ImageInfo *info, const char *filename) {
  (void)CopyMagickString(info->filename, filename, MaxTextExtent);
}

#endif
