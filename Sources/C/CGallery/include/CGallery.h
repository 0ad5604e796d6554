// The files of Sources/Sharing/MediaGallery/Web, byte for byte: each function gives where one is, and writes its length.
#ifndef CGALLERY_H
#define CGALLERY_H

#include <stddef.h>

const unsigned char *cgallery_favorites_js(size_t *length);
const unsigned char *cgallery_gallery_css(size_t *length);
const unsigned char *cgallery_gallery_js(size_t *length);
const unsigned char *cgallery_lock_css(size_t *length);
const unsigned char *cgallery_lock_js(size_t *length);
const unsigned char *cgallery_search_js(size_t *length);
const unsigned char *cgallery_symbols_svg(size_t *length);
const unsigned char *cgallery_thumbhash_js(size_t *length);
const unsigned char *cgallery_viewer_js(size_t *length);

#endif
