#define _GNU_SOURCE 1
#include "shims.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checked, failed;

void shims_check(int holds, const char *claim, const char *file, int line) {
  checked++;
  if (holds) return;
  failed++;
  const char *name = strrchr(file, '/');
  printf("shims: %s:%d: does not hold: %s\n", name ? name + 1 : file, line, claim);
}

void shims_untried(const char *what) { printf("shims: untried: %s\n", what); }

int shims_is_emulated(void) { return getenv("SHIMS_EMULATED") != NULL; }

int shims_is_near(double number, double wanted, double tolerance) {
  return number >= wanted - tolerance && number <= wanted + tolerance;
}

struct shims_file shims_read(const char *folder, const char *name) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  struct shims_file result = {NULL, 0};
  if (file && !fseek(file, 0, SEEK_END)) {
    long length = ftell(file);
    rewind(file);
    result.bytes = length > 0 ? malloc((size_t)length) : NULL;
    if (result.bytes) result.count = fread(result.bytes, 1, (size_t)length, file);
  }
  if (file) fclose(file);
  if (!result.count) {
    fprintf(stderr, "shims: cannot read %s\n", path);
    exit(66);
  }
  return result;
}

int main(int count, char **arguments) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (count == 2 && !strcmp(arguments[1], "filters")) {
    shims_print_filters();
    return 0;
  }
  if (count != 3) {
    fprintf(stderr, "usage: shims filters | shims FOLDER SAMPLES\n");
    return 64;
  }
  const struct {
    const char *name;
    void (*test)(const char *folder, const char *samples);
  } tests[] = {
    {"filters", shims_test_filters}, {"files", shims_test_files}, {"processes", shims_test_processes},
    {"sound and film", shims_test_sound_and_film}, {"pictures", shims_test_pictures},
    {"libraries", shims_test_libraries}, {"pages", shims_test_pages},
  };
  for (size_t index = 0; index < sizeof tests / sizeof *tests; index++) {
    int before = failed;
    tests[index].test(arguments[1], arguments[2]);
    printf("shims: %s: %s\n", tests[index].name, failed == before ? "hold" : "FAILED");
  }
  // A plain char below zero is where the sign matters; both kinds of machines have to be seen.
  printf("shims: char is %s; %d of %d checks failed\n", CHAR_MIN < 0 ? "signed" : "unsigned", failed, checked);
  return failed ? 1 : 0;
}
