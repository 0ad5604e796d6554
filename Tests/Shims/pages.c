// The files of pages, as the compiler of the other architecture embeds them.
#include "shims.h"

#include <CGallery.h>
#include <CPages.h>
#include <CReports.h>
#include <CWeb.h>

#include <string.h>

static void test(const char *path, const unsigned char *(*embedded)(size_t *)) {
  struct shims_file file = shims_read(".", path);
  size_t length = 0;
  const unsigned char *bytes = embedded(&length);
  CHECK(length == file.count && !memcmp(bytes, file.bytes, length));
}

void shims_test_pages(const char *folder, const char *samples) {
  (void)folder, (void)samples;
  test("Sources/Sharing/MediaGallery/Web/gallery.js", cgallery_gallery_js);
  test("Sources/Foundations/MediaPages/Web/base.css", cpages_base_css);
  test("Sources/Import/MediaWeb/Web/icons.svg", cweb_icons_svg);
  test("Sources/Sharing/MediaReports/Web/report.js", creports_report_js);
}
