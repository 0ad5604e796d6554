// The functions of malloc(3), each of which calls fails() once and gives NULL where that is not 0; who includes this
// defines it before. And which process of a tree of them is meant.
//
// Source: glibc exports its own functions as __libc_malloc and so on.
#include <errno.h>
#include <stddef.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// Whether this process is the one with this name: that of its program, and behind a space its first argument.
static int is_meant(const char *name, int argument_count, char **arguments) {
  const char *program = program_invocation_short_name;
  size_t length = strlen(program);
  if (strncmp(name, program, length) != 0) return 0;
  if (name[length] == 0) return 1;
  return name[length] == ' ' && argument_count > 1 && strcmp(name + length + 1, arguments[1]) == 0;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }

void *calloc(size_t number, size_t size) { return fails() ? NULL : __libc_calloc(number, size); }

void *realloc(void *memory, size_t size) { return fails() ? NULL : __libc_realloc(memory, size); }

void *reallocarray(void *memory, size_t number, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(number, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(memory, bytes);
}

void *memalign(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *result = memalign(alignment, size);
  if (!result) return ENOMEM;
  *memory = result;
  return 0;
}
