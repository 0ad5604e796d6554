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

static const unsigned char words_js[] = {
#embed "../../Foundations/MediaPages/Web/words.js"
};
EMBEDDED(words_js)

static const unsigned char en_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/en.json"
};
static const unsigned char de_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/de.json"
};
static const unsigned char fr_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/fr.json"
};
static const unsigned char es_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/es.json"
};
static const unsigned char pt_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/pt.json"
};
static const unsigned char it_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/it.json"
};
static const unsigned char nl_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/nl.json"
};
static const unsigned char pl_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/pl.json"
};
static const unsigned char uk_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/uk.json"
};
static const unsigned char ja_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/ja.json"
};
static const unsigned char zh_hans_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/zh-Hans.json"
};
static const unsigned char ko_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/ko.json"
};
static const unsigned char ar_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/ar.json"
};
static const unsigned char he_json[] = {
#embed "../../Foundations/MediaPages/Web/languages/he.json"
};

#define LANGUAGE(name) {name, sizeof name}

// In the order of PageTag.all.
static const struct {
  const unsigned char *bytes;
  size_t length;
} languages[] = {
  LANGUAGE(en_json), LANGUAGE(de_json), LANGUAGE(fr_json), LANGUAGE(es_json),
  LANGUAGE(pt_json), LANGUAGE(it_json), LANGUAGE(nl_json), LANGUAGE(pl_json),
  LANGUAGE(uk_json), LANGUAGE(ja_json), LANGUAGE(zh_hans_json), LANGUAGE(ko_json),
  LANGUAGE(ar_json), LANGUAGE(he_json),
};

const unsigned char *cpages_language(int index, size_t *length) {
  *length = languages[index].length;
  return languages[index].bytes;
}
