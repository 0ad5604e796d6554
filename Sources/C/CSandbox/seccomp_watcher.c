#define _GNU_SOURCE 1
#include "CSandbox.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The only paths that the process may name: "." to watch the folder that it is in, and "" for a
/// descriptor. Landlock does not cover inotify and statx, and a filter does not see a path, but it sees its
/// address. The page cannot be written, and the filter refuses every call that maps something else there.
enum { page = 4096, here = 0, nothing = 1 };
static const char paths[page] __attribute__((aligned(page))) = {'.', 0};

static const uint32_t reported =
  IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_DELETE | IN_MOVE_SELF;

/// Calls for opening and listing folders, watching the one that the process is in, and one socket.
static const int allowed[] = {
  SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(close), SCMP_SYS(poll), SCMP_SYS(ppoll),
  // Folders: only one that could be opened can be entered.
  SCMP_SYS(getdents64), SCMP_SYS(fchdir), SCMP_SYS(inotify_init1), SCMP_SYS(inotify_rm_watch),
  // Memory: without munmap, mremap and mprotect the page of the paths stays what it is.
  SCMP_SYS(brk),
  // The state of the only thread, and its end.
  SCMP_SYS(futex), SCMP_SYS(rseq), SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(sched_yield),
  SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
  SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(clock_gettime),
  SCMP_SYS(getrandom),
};

static int allow_with_arguments(scmp_filter_ctx filter) {
  const uint32_t allow = SCMP_ACT_ALLOW;
  // O_DIRECTORY on a file is ENOTDIR. A folder opened with O_PATH would be none that Landlock has seen.
  const scmp_datum_t mask = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | O_PATH | O_TMPFILE;
  int failure = seccomp_rule_add(
    filter, allow, SCMP_SYS(openat), 1,
    SCMP_A2(SCMP_CMP_MASKED_EQ, mask, O_RDONLY | O_DIRECTORY));
  if (!failure) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(inotify_add_watch), 1,
      SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)(uintptr_t)(paths + here)));
  }
  if (!failure) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(statx), 1,
      SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)(uintptr_t)(paths + nothing)));
  }
  if (!failure) {
    failure = seccomp_rule_add(
      filter, allow, SCMP_SYS(mmap), 2, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
      SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, MAP_ANONYMOUS));
  }
  if (!failure) failure = csandbox_filter_allow_messages(filter);
  // Only bytes can be sent to the parent, and no descriptor.
  if (!failure) failure = csandbox_filter_allow_bytes(filter);
  if (!failure) failure = csandbox_filter_allow_abort(filter);
  return failure;
}

int csandbox_seccomp_watcher(void) {
  // Memory that malloc would map by itself could not be given back.
  mallopt(M_MMAP_MAX, 0);
  scmp_filter_ctx filter = csandbox_filter_start(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return -ENOMEM;
  int failure = csandbox_filter_add(
    filter, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed);
  if (!failure) failure = allow_with_arguments(filter);
  return csandbox_filter_finish(filter, failure);
}

int csandbox_watches_open(void) {
  int watches = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  return watches < 0 ? -errno : watches;
}

int csandbox_watch(int watches, int folder) {
  if (fchdir(folder)) return -errno;
  int watch = inotify_add_watch(watches, paths + here, reported | IN_ONLYDIR | IN_EXCL_UNLINK);
  return watch < 0 ? -errno : watch;
}

void csandbox_unwatch(int watches, int watch) { inotify_rm_watch(watches, watch); }

ssize_t csandbox_watches_read(
  int watches, void *buffer, size_t capacity, void (*body)(const struct csandbox_event *, void *),
  void *context) {
  ssize_t count = read(watches, buffer, capacity);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
  for (const char *next = buffer; next < (const char *)buffer + count;) {
    const struct inotify_event *event = (const void *)next;
    next += sizeof *event + event->len;
    struct csandbox_event found = {
      .watch = event->wd,
      .name = event->len ? event->name : NULL,
      .is_lost = (event->mask & IN_Q_OVERFLOW) != 0,
      .is_end = (event->mask & IN_IGNORED) != 0,
      .is_folder = (event->mask & IN_ISDIR) != 0,
      .has_come = (event->mask & (IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE)) != 0,
      .has_moved = (event->mask & (IN_MOVED_FROM | IN_MOVE_SELF)) != 0,
    };
    body(&found, context);
  }
  return count;
}

int csandbox_open_listed(int folder, const char *name) {
  int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int found = openat(folder, name, flags);
  return found < 0 ? -errno : found;
}

int csandbox_mount(int folder, uint64_t *mount) {
  struct statx status;
  if (statx(folder, paths + nothing, AT_EMPTY_PATH, 0x1000 /* STATX_MNT_ID */, &status)) return -errno;
  *mount = status.stx_mask & 0x1000
    ? status.stx_mnt_id : (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
  return 0;
}

struct entry {
  uint64_t inode;
  int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

int csandbox_each_entry(
  int folder, void (*body)(const char *name, unsigned char type, void *context), void *context) {
  _Alignas(struct entry) static char buffer[1 << 15];
  for (;;) {
    long count = syscall(SYS_getdents64, folder, buffer, sizeof buffer);
    if (count < 0) return -errno;
    if (count == 0) return 0;
    for (const char *next = buffer; next < buffer + count;) {
      const struct entry *entry = (const void *)next;
      next += entry->length;
      const char *name = entry->name;
      if (name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]))) continue;
      body(name, entry->type, context);
    }
  }
}
