#include "CReports.h"

#define EMBEDDED(name) \
  const unsigned char *creports_##name(size_t *length) { \
    *length = sizeof name; \
    return name; \
  }

static const unsigned char report_css[] = {
#embed "../../Sharing/MediaReports/Web/report.css"
};
EMBEDDED(report_css)

static const unsigned char report_js[] = {
#embed "../../Sharing/MediaReports/Web/report.js"
};
EMBEDDED(report_js)

static const unsigned char symbols_svg[] = {
#embed "../../Sharing/MediaReports/Web/symbols.svg"
};
EMBEDDED(symbols_svg)
