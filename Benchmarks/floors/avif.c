// pkg-config: dav1d
// dav1d in one thread. The input is what packets.py makes of an AVIF.
#include "floor.h"

#include <dav1d/dav1d.h>
#include <errno.h>
#include <string.h>

bool decode(const uint8_t *bytes, size_t length, double wanted) {
  (void)wanted;
  Dav1dSettings settings;
  dav1d_default_settings(&settings);
  settings.n_threads = 1;
  settings.max_frame_delay = 1;
  Dav1dContext *context;
  if (length < 4 || dav1d_open(&context, &settings) != 0) { return false; }
  int sent = 0, received = 0;
  for (size_t at = 4 + (size_t)big32(bytes); at + 4 <= length; at += 4 + (size_t)big32(bytes + at)) {
    Dav1dData data;
    size_t size = big32(bytes + at);
    uint8_t *copy = dav1d_data_create(&data, size);
    if (copy == NULL) { break; }
    memcpy(copy, bytes + at + 4, size);
    sent++;
    if (dav1d_send_data(context, &data) != 0) { break; }
    Dav1dPicture picture = {0};
    if (dav1d_get_picture(context, &picture) == 0) {
      received++;
      dav1d_picture_unref(&picture);
    }
  }
  dav1d_close(&context);
  return sent > 0 && received == sent;
}
