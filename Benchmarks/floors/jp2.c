// pkg-config: libopenjp2
// OpenJPEG in one thread, without the resolution levels that are not needed.
#include "floor.h"

#include <openjpeg.h>
#include <string.h>

struct source {
  const uint8_t *bytes;
  size_t length, at;
};

static OPJ_SIZE_T read_some(void *to, OPJ_SIZE_T wanted, void *user) {
  struct source *source = user;
  size_t left = source->length - source->at, size = wanted < left ? wanted : left;
  if (size == 0) { return (OPJ_SIZE_T)-1; }
  memcpy(to, source->bytes + source->at, size);
  source->at += size;
  return size;
}
static OPJ_OFF_T skip(OPJ_OFF_T size, void *user) {
  struct source *source = user;
  if (size < 0 || (size_t)size > source->length - source->at) { return -1; }
  source->at += (size_t)size;
  return size;
}
static OPJ_BOOL seek(OPJ_OFF_T offset, void *user) {
  struct source *source = user;
  if (offset < 0 || (size_t)offset > source->length) { return OPJ_FALSE; }
  source->at = (size_t)offset;
  return OPJ_TRUE;
}

// What the header says: the longer side in pixels, and how many resolutions can be left out.
struct facts {
  unsigned side, levels;
};

// Reads the header, and the picture if it is asked for, without `levels` of its resolutions.
static bool read_picture(
  const uint8_t *bytes, size_t length, unsigned levels, bool whole, struct facts *facts) {
  struct source source = {bytes, length, 0};
  opj_stream_t *stream = opj_stream_create(OPJ_J2K_STREAM_CHUNK_SIZE, OPJ_TRUE);
  opj_codec_t *codec =
    opj_create_decompress(length > 4 && bytes[0] == 0xff ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
  opj_stream_set_user_data(stream, &source, NULL);
  opj_stream_set_user_data_length(stream, length);
  opj_stream_set_read_function(stream, read_some);
  opj_stream_set_skip_function(stream, skip);
  opj_stream_set_seek_function(stream, seek);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  parameters.cp_reduce = levels;
  opj_image_t *image = NULL;
  bool good = opj_setup_decoder(codec, &parameters) && opj_read_header(stream, codec, &image);
  if (good) {
    unsigned width = image->x1 - image->x0, height = image->y1 - image->y0;
    facts->side = width > height ? width : height;
    opj_codestream_info_v2_t *info = opj_get_cstr_info(codec);
    facts->levels = info->m_default_tile_info.tccp_info[0].numresolutions - 1;
    opj_destroy_cstr_info(&info);
    good = !whole || opj_decode(codec, stream, image);
  }
  opj_image_destroy(image);
  opj_destroy_codec(codec);
  opj_stream_destroy(stream);
  return good;
}

bool decode(const uint8_t *bytes, size_t length, double wanted) {
  struct facts facts;
  unsigned levels = 0;
  if (!read_picture(bytes, length, 0, false, &facts)) { return false; }
  while (levels < facts.levels && (facts.side >> (levels + 1)) >= wanted) { levels++; }
  return read_picture(bytes, length, levels, true, &facts);
}
