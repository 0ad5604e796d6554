#ifndef CMAGICKWAND_SHIM_H
#define CMAGICKWAND_SHIM_H

#define _GNU_SOURCE 1

// The headers need no fd_set, whose member has another name where this module is built than where
// Swift's Glibc is, in some orders of building: so <sys/select.h> counts as included.
#define _SYS_SELECT_H 1

// SwiftPM drops the -D options of the .pc file; without them the headers describe other structs. Where
// ImageMagick 7 is built with HDRI only the type of a sample differs, and no function that is called
// here has a sample in its signature.
#define MAGICKCORE_QUANTUM_DEPTH 16
#define MAGICKCORE_HDRI_ENABLE 0
#define MAGICKCORE_CHANNEL_MASK_DEPTH 32

#include <stdbool.h>

#if __has_include(<MagickWand/MagickWand.h>)
// ImageMagick 7, from Debian 13.
#include <MagickCore/MagickCore.h>
#include <MagickWand/MagickWand.h>
#else
// ImageMagick 6, Debian 12.
#include <magick/MagickCore.h>
#include <wand/MagickWand.h>
#endif

// A wand's public functions give its gravest message only, and a grave one may be harmless where a
// lesser one means lost pixels (libtiff's messages). These are the wand's first members, the same in
// every release of a major version; MagickRuntime checks them before the first picture.
//
// Source: struct _MagickWand in wand/magick-wand-private.h (6) and MagickWand/magick-wand-private.h (7).
#if MagickLibVersion >= 0x700
struct cmagick_wand_head {
  size_t id;
  char name[MagickPathExtent];
  Image *images;
  ImageInfo *image_info;
  ExceptionInfo *exception;
};
static const size_t cmagick_signature = MagickCoreSignature;
#else
struct cmagick_wand_head {
  size_t id;
  char name[MaxTextExtent];
  ExceptionInfo *exception;
};
static const size_t cmagick_signature = MagickSignature;
#endif

static inline const ExceptionInfo *cmagick_exceptions(const MagickWand *wand) {
  return ((const struct cmagick_wand_head *)(const void *)wand)->exception;
}

/// Makes a picture opaque, whatever its alpha is: in 7 what is deactivated still counts as a channel.
static inline void cmagick_remove_alpha(MagickWand *wand) {
#if MagickLibVersion >= 0x700
  MagickSetImageAlphaChannel(wand, OffAlphaChannel);
#else
  MagickSetImageAlphaChannel(wand, DeactivateAlphaChannel);
#endif
}

/// Turns a TGA to how its rows are stored: the coder of 7 has turned it upright, that of 6 has not.
static inline void cmagick_turn_tga_back(MagickWand *wand, bool is_from_bottom, bool is_from_right) {
#if MagickLibVersion >= 0x700
  if (is_from_bottom) MagickFlipImage(wand);
  if (is_from_right) MagickFlopImage(wand);
#else
  (void)wand, (void)is_from_bottom, (void)is_from_right;
#endif
}

/// Draws `source` over `wand` at a place in pixels, and leaves what is outside of `wand` out.
static inline MagickBooleanType cmagick_draw_over(
  MagickWand *wand, const MagickWand *source, ssize_t left, ssize_t top) {
#if MagickLibVersion >= 0x700
  return MagickCompositeImage(wand, source, OverCompositeOp, MagickTrue, left, top);
#else
  return MagickCompositeImage(wand, source, OverCompositeOp, left, top);
#endif
}

#endif
