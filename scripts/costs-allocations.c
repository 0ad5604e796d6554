// Counts the allocations of one process of a tree of them; scripts/costs.py compiles and preloads it.
//
// COSTS_ALLOCATIONS names a file of eight zeros or more, and COSTS_PROGRAM the process: the name of its program, and
// behind a space its first argument, if that matters ("mediabatch run"). The number stands in the file at any time, in
// the machine's order of bytes: it is mapped before main, so that a process that is confined later, or ends by _exit or
// a signal, writes nothing and opens nothing for it.
//
// malloc, calloc, realloc, reallocarray, posix_memalign, aligned_alloc and memalign count one each, also where they
// fail or move nothing; freeing counts nothing. A child that was not started by exec yet would count too: those of
// posix_spawn allocate nothing.
//
// Source: ld.so(8), LD_PRELOAD.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// Where the process counts; a process that is not meant counts here, for nobody.
static uint64_t unused;
static uint64_t *counter = &unused;

// Counts an allocation, none of which fails.
static int fails(void) {
  __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
  return 0;
}

#include "allocations.h"

__attribute__((constructor)) static void begin(int argument_count, char **arguments) {
  const char *path = getenv("COSTS_ALLOCATIONS"), *name = getenv("COSTS_PROGRAM");
  if (!path || !name || !is_meant(name, argument_count, arguments)) return;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return;
  counter = memory;
  // What libraries have allocated before this one was begun.
  __atomic_fetch_add(counter, unused, __ATOMIC_RELAXED);
}
