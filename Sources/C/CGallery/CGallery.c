#include "CGallery.h"

#define EMBEDDED(name) \
  const unsigned char *cgallery_##name(size_t *length) { \
    *length = sizeof name; \
    return name; \
  }

static const unsigned char favorites_js[] = {
#embed "../../Sharing/MediaGallery/Web/favorites.js"
};
EMBEDDED(favorites_js)

static const unsigned char gallery_css[] = {
#embed "../../Sharing/MediaGallery/Web/gallery.css"
};
EMBEDDED(gallery_css)

static const unsigned char gallery_js[] = {
#embed "../../Sharing/MediaGallery/Web/gallery.js"
};
EMBEDDED(gallery_js)

static const unsigned char lock_css[] = {
#embed "../../Sharing/MediaGallery/Web/lock.css"
};
EMBEDDED(lock_css)

static const unsigned char lock_js[] = {
#embed "../../Sharing/MediaGallery/Web/lock.js"
};
EMBEDDED(lock_js)

static const unsigned char search_js[] = {
#embed "../../Sharing/MediaGallery/Web/search.js"
};
EMBEDDED(search_js)

static const unsigned char symbols_svg[] = {
#embed "../../Sharing/MediaGallery/Web/symbols.svg"
};
EMBEDDED(symbols_svg)

static const unsigned char thumbhash_js[] = {
#embed "../../Sharing/MediaGallery/Web/thumbhash.js"
};
EMBEDDED(thumbhash_js)

static const unsigned char viewer_js[] = {
#embed "../../Sharing/MediaGallery/Web/viewer.js"
};
EMBEDDED(viewer_js)
