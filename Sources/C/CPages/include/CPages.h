// The files of Sources/Foundations/MediaPages/Web, byte for byte: each function gives where one is, and writes its length.
#ifndef CPAGES_H
#define CPAGES_H

#include <stddef.h>

const unsigned char *cpages_base_css(size_t *length);
const unsigned char *cpages_element_js(size_t *length);
const unsigned char *cpages_icon_svg(size_t *length);
const unsigned char *cpages_words_js(size_t *length);
// One of Web/languages, by its place in PageTag.all.
const unsigned char *cpages_language(int index, size_t *length);

#endif
