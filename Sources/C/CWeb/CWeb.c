#include "CWeb.h"

#define EMBEDDED(name) \
  const unsigned char *cweb_##name(size_t *length) { \
    *length = sizeof name; \
    return name; \
  }

static const unsigned char groups_js[] = {
#embed "../../Import/MediaWeb/Web/groups.js"
};
EMBEDDED(groups_js)

static const unsigned char icons_svg[] = {
#embed "../../Import/MediaWeb/Web/icons.svg"
};
EMBEDDED(icons_svg)

static const unsigned char page_css[] = {
#embed "../../Import/MediaWeb/Web/page.css"
};
EMBEDDED(page_css)

static const unsigned char page_js[] = {
#embed "../../Import/MediaWeb/Web/page.js"
};
EMBEDDED(page_js)

static const unsigned char picker_js[] = {
#embed "../../Import/MediaWeb/Web/picker.js"
};
EMBEDDED(picker_js)

static const unsigned char pictures_js[] = {
#embed "../../Import/MediaWeb/Web/pictures.js"
};
EMBEDDED(pictures_js)
