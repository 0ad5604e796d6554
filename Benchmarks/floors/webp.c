// pkg-config: libwebp
// libwebp to planes, with all of its filters.
#include "floor.h"

#include <webp/decode.h>

bool decode(const uint8_t *bytes, size_t length, double wanted) {
  (void)wanted;
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) { return false; }
  config.output.colorspace = MODE_YUV;
  VP8StatusCode status = WebPDecode(bytes, length, &config);
  WebPFreeDecBuffer(&config.output);
  return status == VP8_STATUS_OK;
}
