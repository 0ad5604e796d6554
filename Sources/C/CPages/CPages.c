#include "CPages.h"

#define EMBEDDED(name) \
  const unsigned char *cpages_##name(size_t *length) { \
    *length = sizeof name; \
    return name; \
  }

static const unsigned char base_css[] = {
#embed "../../Foundations/MediaPages/Web/base.css"
};
EMBEDDED(base_css)

static const unsigned char element_js[] = {
#embed "../../Foundations/MediaPages/Web/element.js"
};
EMBEDDED(element_js)

static const unsigned char icon_svg[] = {
#embed "../../Foundations/MediaPages/Web/icon.svg"
};
EMBEDDED(icon_svg)
