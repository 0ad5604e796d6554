#include "shims.h"

#include <CAV.h>

#include <stdlib.h>
#include <string.h>

/// The mean of each of red, green and blue of a picture that is made 8 pixels wide and high.
static void mean_of(cav_reader *reader, const struct cav_picture *picture, double mean[3]) {
  uint8_t pixels[8 * 8 * 4];
  int matrix = picture->matrix == 2 ? 6 : picture->matrix;
  CHECK(cav_resize(reader, matrix, picture->is_full_range, 8, 8, 8, pixels, 8 * 4) == CAV_OK);
  for (int color = 0; color < 3; color++) {
    mean[color] = 0;
    for (int at = 0; at < 64; at++) mean[color] += pixels[at * 4 + color] / 64.0;
  }
}

struct sink {
  uint8_t bytes[1 << 18];
  int64_t end;
};

static int take(void *context, int64_t offset, const uint8_t *bytes, int count) {
  struct sink *sink = context;
  if (offset < 0 || offset + count > (int64_t)sizeof sink->bytes) return -1;
  memcpy(sink->bytes + offset, bytes, (size_t)count);
  if (offset + count > sink->end) sink->end = offset + count;
  return 0;
}

static void test_film(const cav_library *av, struct shims_file file) {
  int result = -1, video = -1;
  cav_reader *reader = cav_open(av, file.bytes, file.count, "mov", 1 << 26, &result);
  CHECK(reader && result == CAV_OK);
  if (!reader) return;
  struct cav_stream stream;
  for (int index = 0; index < cav_stream_count(reader); index++) {
    cav_describe(reader, index, &stream);
    if (stream.kind == CAV_KIND_VIDEO && video < 0) video = index;
  }
  CHECK(video >= 0);
  cav_describe(reader, video, &stream);
  // The four-character code, whatever the order of bytes.
  CHECK(stream.width == 320 && stream.height == 240 && stream.tag == ('a' | 'v' << 8 | 'c' << 16 | '1' << 24));
  CHECK(!strcmp(stream.codec, "h264") && cav_is_plain(reader, video));
  CHECK(cav_select(reader, video, 8) == CAV_OK && cav_seek(reader, 0, CAV_ALL_FRAMES) == CAV_OK);
  struct cav_picture picture;
  double mean[3];
  CHECK(cav_next_picture(reader, INT64_MAX, &picture) == CAV_OK && picture.time_ms == 0);
  CHECK(picture.width == 320 && picture.height == 240);
  mean_of(reader, &picture, mean);
  CHECK(shims_is_near(mean[0], 200, 6) && shims_is_near(mean[1], 100, 6));
  CHECK(shims_is_near(mean[2], 50, 6));

  // A film of the first three pictures, read again.
  struct sink *sink = calloc(1, sizeof *sink);
  const struct cav_film film = {
    .width = 320, .height = 240, .primaries = 1, .transfer = 1, .matrix = 1, .index_bytes = 16384};
  CHECK(cav_seek(reader, 0, CAV_ALL_FRAMES) == CAV_OK);
  cav_read_all(reader);
  CHECK(cav_next_picture(reader, INT64_MAX, &picture) == CAV_OK);
  cav_writer *writer = cav_create(av, reader, NULL, &film, take, sink, &result);
  CHECK(writer && cav_sound_ms(writer) == INT64_MAX);
  for (int count = 0; writer && count < 3; count++) {
    CHECK(cav_add_picture(writer, reader, NULL, 6, false) == CAV_OK);
    CHECK(cav_next_picture(reader, INT64_MAX, &picture) == CAV_OK);
  }
  CHECK(writer && cav_written_ms(writer) > 0 && cav_finish(writer) == CAV_OK);
  cav_close(reader);
  reader = cav_open(av, sink->bytes, (size_t)sink->end, "mov", 1 << 26, &result);
  CHECK(reader && cav_select(reader, 0, 8) == CAV_OK && cav_seek(reader, 0, CAV_ALL_FRAMES) == CAV_OK);
  int pictures = 0;
  while (reader && cav_next_picture(reader, INT64_MAX, &picture) == CAV_OK) {
    double again[3];
    if (pictures++ > 0) continue;
    mean_of(reader, &picture, again);
    for (int color = 0; color < 3; color++) CHECK(shims_is_near(again[color], mean[color], 6));
  }
  CHECK(pictures == 3);
  cav_close(reader);
  free(sink);
}

/// A memo of 16-bit samples, and a tone of other kinds, whose level is that of its maker.
static void test_sound(const cav_library *av, struct shims_file file, const char *demuxer, double low, double high) {
  int result;
  cav_reader *reader = cav_open(av, file.bytes, file.count, demuxer, 1 << 26, &result);
  CHECK(reader && cav_select(reader, 0, 8) == CAV_OK);
  if (!reader) return;
  struct cav_level whole = {0, 0, 0};
  struct cav_audio audio;
  int samples = 0;
  while (cav_next_audio(reader, 0, 0, &audio) == CAV_OK) {
    // From an odd sample on, as a waveform begins where it has to.
    for (int first = 1; first < audio.count; first += 777) {
      int count = audio.count - first < 777 ? audio.count - first : 777;
      struct cav_level level = cav_measure(reader, first, count);
      if (level.low < whole.low) whole.low = level.low;
      if (level.high > whole.high) whole.high = level.high;
      whole.energy += level.energy;
    }
    samples += audio.count;
  }
  CHECK(samples > 0 && whole.energy > 0);
  CHECK(shims_is_near(whole.low, low, 0.02) && shims_is_near(whole.high, high, 0.02));
  cav_close(reader);
}

void shims_test_sound_and_film(const char *folder, const char *samples) {
  (void)folder;
  const char *missing = NULL;
  CHECK(!cav_library_load(".none", &missing) && missing);
  const cav_library *av = cav_library_load("", &missing);
  CHECK(av);
  if (!av) return;
  test_film(av, shims_read(samples, "film.mp4"));
  const char *const tones[] = {"u8.wav", "s16.wav", "s24.wav", "s32.wav", "f32.wav", "f64.wav"};
  for (size_t index = 0; index < sizeof tones / sizeof *tones; index++) {
    test_sound(av, shims_read(samples, tones[index]), "wav", -0.5, 0.5);
  }
  test_sound(av, shims_read(samples, "tone.flac"), "flac", -0.5, 0.5);
  test_sound(av, shims_read(samples, "tone.mp3"), "mp3", -0.5, 0.5);
}
