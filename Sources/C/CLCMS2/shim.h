#ifndef CLCMS2_SHIM_H
#define CLCMS2_SHIM_H

#define _GNU_SOURCE 1

#include <lcms2.h>

// Pixel formats are built by function-like macros, which Swift does not see.
static const cmsUInt32Number clcms2_gray_8 = TYPE_GRAY_8;
static const cmsUInt32Number clcms2_rgb_8 = TYPE_RGB_8;
static const cmsUInt32Number clcms2_cmyk_8 = TYPE_CMYK_8;
static const cmsUInt32Number clcms2_cmyk_8_reversed = TYPE_CMYK_8_REV;

// The same with alpha behind, and of sixteen bits, in this machine's order or in the other.
static inline cmsUInt32Number clcms2_format(cmsUInt32Number channels, int has_alpha, int bytes,
                                            int is_swapped) {
  return COLORSPACE_SH(channels == 1 ? PT_GRAY : PT_RGB) | EXTRA_SH(has_alpha) |
         CHANNELS_SH(channels) | BYTES_SH(bytes) | ENDIAN16_SH(is_swapped);
}

#endif
