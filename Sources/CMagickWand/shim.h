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

// A wand's public functions give its gravest message only, and a grave one may be harmless where a
// lesser one means lost pixels (libtiff's messages). These are the wand's first members, the same in
// every ImageMagick 6; MagickRuntime checks them before the first picture.
//
// Source: wand/magick-wand-private.h, struct _MagickWand.
struct cmagick_wand_head {
  size_t id;
  char name[MaxTextExtent];
  ExceptionInfo *exception;
};

static inline const ExceptionInfo *cmagick_exceptions(const MagickWand *wand) {
  return ((const struct cmagick_wand_head *)(const void *)wand)->exception;
}

#endif
