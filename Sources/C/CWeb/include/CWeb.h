// The files of Sources/Import/MediaWeb/Web, byte for byte: each function gives where one is, and writes its length.
#ifndef CWEB_H
#define CWEB_H

#include <stddef.h>

const unsigned char *cweb_groups_js(size_t *length);
const unsigned char *cweb_icons_svg(size_t *length);
const unsigned char *cweb_page_css(size_t *length);
const unsigned char *cweb_page_js(size_t *length);
const unsigned char *cweb_picker_js(size_t *length);
const unsigned char *cweb_pictures_js(size_t *length);

#endif
