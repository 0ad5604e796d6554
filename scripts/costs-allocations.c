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
// Source: ld.so(8), LD_PRELOAD; glibc exports its own functions as __libc_malloc and so on.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// Where the process counts; a process that is not meant counts here, for nobody.
static uint64_t unused;
static uint64_t *counter = &unused;

static void count(void) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

// Whether this process is the one that COSTS_PROGRAM names.
static int is_meant(const char *name, int argument_count, char **arguments) {
  const char *program = program_invocation_short_name;
  size_t length = strlen(program);
  if (strncmp(name, program, length) != 0) return 0;
  if (name[length] == 0) return 1;
  return name[length] == ' ' && argument_count > 1 && strcmp(name + length + 1, arguments[1]) == 0;
}

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

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *reallocarray(void *memory, size_t number, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(number, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(memory, bytes);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *result = memalign(alignment, size);
  if (!result) return ENOMEM;
  *memory = result;
  return 0;
}
