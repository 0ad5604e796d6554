// Tests of the C shims that need no Swift, so that they run on a machine that is only emulated: scripts/test-arm64.sh.
#ifndef SHIMS_H
#define SHIMS_H

#include <stddef.h>
#include <stdint.h>

/// Counts what does not hold, and prints it with its place.
#define CHECK(claim) shims_check((claim) ? 1 : 0, #claim, __FILE__, __LINE__)

void shims_check(int holds, const char *claim, const char *file, int line);
/// Says what a machine cannot try; nothing is counted.
void shims_untried(const char *what);

/// Whether the program runs by qemu-user, which has no openat2, Landlock or seccomp.
int shims_is_emulated(void);

struct shims_file {
  uint8_t *bytes;
  size_t count;
};
/// Reads a file; the bytes stay until the program ends. Without the file it ends the program with 66.
struct shims_file shims_read(const char *folder, const char *name);

/// Whether a number is as near to another one as two roundings of a color may be.
int shims_is_near(double number, double wanted, double tolerance);

/// Prints the answer of each filter to each call of this architecture.
void shims_print_filters(void);

// Each takes a folder to write in and one with samples, which scripts/test-arm64.sh makes.

void shims_test_filters(const char *folder, const char *samples);
void shims_test_files(const char *folder, const char *samples);
void shims_test_processes(const char *folder, const char *samples);
void shims_test_sound_and_film(const char *folder, const char *samples);
void shims_test_pictures(const char *folder, const char *samples);
void shims_test_libraries(const char *folder, const char *samples);
void shims_test_pages(const char *folder, const char *samples);

#endif
