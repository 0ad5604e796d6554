// Makes one allocation of one process of a tree of them fail; FailingMemoryTests.swift compiles and preloads it.
//
// FAIL_FILE names a file of 4,096 zeros, FAIL_PROGRAM the process: the name of its program, and behind a space its
// first argument, if that matters ("mediabatch run"). FAIL_NUMBER says which allocation gives NULL, from 1; with 0 all
// succeed. Of several such processes, as workers are, the first one alone is meant. The file is mapped before main, so
// that a process that is confined later, or ends by a signal, opens and writes nothing for it. A worker, which has an
// environment of its own and may not open the file, gets both from its coordinator's posix_spawn. Its first eight bytes
// are the number of allocations of the process, in the machine's order of bytes, the next eight whether one has failed,
// and from byte 16 on there is a line for each caller of the one that failed: the object's path, a space, and the
// offset in it in hexadecimal.
//
// malloc, calloc, realloc, reallocarray, posix_memalign, aligned_alloc and memalign count one each. What libraries
// allocate before main counts too, but for those that are loaded before this one.
//
// Source: ld.so(8), LD_PRELOAD; backtrace(3), which allocates at its first call only.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The first descriptor that is closed in a worker: WorkerProcess.spawn.
enum { FIRST_CLOSED = 4 };

struct shared {
  uint64_t count, failed;
  char callers[4096 - 2 * sizeof(uint64_t)];
};

// Where the process counts; nowhere in one that is not meant.
static struct shared *shared;
static uint64_t failing;

// Writes who has called: a line for each frame, without those of this file.
static void write_callers(void) {
  void *frames[40];
  int count = backtrace(frames, 40);
  size_t used = 0;
  for (int index = 2; index < count; index++) {
    Dl_info info;
    if (!dladdr(frames[index], &info) || !info.dli_fname) continue;
    size_t left = sizeof shared->callers - used;
    int length = snprintf(shared->callers + used, left, "%s %zx\n", info.dli_fname,
                          (size_t)((char *)frames[index] - (char *)info.dli_fbase));
    if (length < 0 || (size_t)length >= left) return;
    used += (size_t)length;
  }
}

// Whether this allocation is the one that fails.
static int fails(void) {
  if (!shared) return 0;
  if (__atomic_add_fetch(&shared->count, 1, __ATOMIC_RELAXED) != failing) return 0;
  shared->failed = 1;
  write_callers();
  errno = ENOMEM;
  return 1;
}

#include "../../../scripts/allocations.h"

// In the process that starts workers: the file, and glibc's own functions.
static int counted = -1;
static __typeof__(&posix_spawn) spawn;
static __typeof__(&posix_spawn_file_actions_addclosefrom_np) add_closing;

// Counts in the file, which is closed, if no other process does.
static void count_in(int file, const char *number) {
  struct shared *memory = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  uint64_t none = 0;
  if (memory == MAP_FAILED) return;
  if (!__atomic_compare_exchange_n(&memory->count, &none, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  void *frame;
  backtrace(&frame, 1);
  failing = strtoull(number, NULL, 10);
  memory->count = 0;
  shared = memory;
}

__attribute__((constructor)) static void begin(int argument_count, char **arguments) {
  const char *path = getenv("FAIL_FILE"), *name = getenv("FAIL_PROGRAM"), *number = getenv("FAIL_NUMBER");
  if (!path || !name || !number) return;
  spawn = (__typeof__(spawn))dlsym(RTLD_NEXT, "posix_spawn");
  add_closing = (__typeof__(add_closing))dlsym(RTLD_NEXT, "posix_spawn_file_actions_addclosefrom_np");
  int is_inherited = strcmp(path, "inherited") == 0;
  int file = is_inherited ? FIRST_CLOSED : open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  if (is_meant(name, argument_count, arguments)) {
    count_in(file, number);
  } else {
    // The lowest ones are what a worker gets.
    counted = fcntl(file, F_DUPFD_CLOEXEC, 20);
    close(file);
  }
}

// What is closed in a worker begins behind the file.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first) {
  if (counted < 0 || first != FIRST_CLOSED) return add_closing(actions, first);
  int error = posix_spawn_file_actions_adddup2(actions, counted, first);
  return error ? error : add_closing(actions, first + 1);
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  if (counted < 0) return spawn(pid, path, actions, attributes, arguments, environment);
  char *variables[64], texts[3][PATH_MAX + 64];
  const char *const names[] = {"LD_PRELOAD", "FAIL_PROGRAM", "FAIL_NUMBER"};
  int count = 0;
  while (environment[count] && count < 59) {
    variables[count] = environment[count];
    count++;
  }
  for (int index = 0; index < 3; index++) {
    snprintf(texts[index], sizeof texts[index], "%s=%s", names[index], getenv(names[index]));
    variables[count++] = texts[index];
  }
  variables[count++] = "FAIL_FILE=inherited";
  variables[count] = NULL;
  return spawn(pid, path, actions, attributes, arguments, variables);
}
