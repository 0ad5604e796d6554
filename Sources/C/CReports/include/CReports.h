// The files of Sources/Sharing/MediaReports/Web, byte for byte: each function gives where one is, and writes its length.
#ifndef CREPORTS_H
#define CREPORTS_H

#include <stddef.h>

const unsigned char *creports_report_css(size_t *length);
const unsigned char *creports_report_js(size_t *length);
const unsigned char *creports_symbols_svg(size_t *length);

#endif
