#define _GNU_SOURCE 1
#include "CSandbox.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int argument_count;
static char **argument_list;

// glibc passes a program's arguments to every function in its .init_array.
__attribute__((constructor)) static void keep_arguments(int count, char **list, char **variables) {
  (void)variables;
  argument_count = count;
  argument_list = list;
}

int csandbox_argument_count(void) { return argument_count; }

const char *csandbox_argument(int index) {
  return index >= 0 && index < argument_count ? argument_list[index] : NULL;
}

int csandbox_thread_count(void) {
  // /proc/self/status cannot be opened by a process that Landlock confines, but stat is not
  // covered: the link count of the task folder is the number of threads and two more
  // (fs/proc/base.c, proc_task_getattr).
  struct stat status;
  if (stat("/proc/self/task", &status) == 0 && status.st_nlink > 2) {
    return (int)status.st_nlink - 2;
  }
  // Without /proc: this call has no effect, and is an error if there is more than one thread
  // (unshare(2)).
  if (unshare(CLONE_THREAD) == 0) return 1;
  return errno == EINVAL ? 2 : -errno;
}

int csandbox_is_main_thread(void) { return gettid() == getpid(); }

/// Whether the other end of `socket` is closed.
static int peer_is_gone(int socket) {
  struct pollfd entry = {.fd = socket};
  return poll(&entry, 1, 0) != 0 && (entry.revents & (POLLHUP | POLLERR | POLLNVAL));
}

int csandbox_bind_to_parent(int socket) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) return -errno;
  // The parent may have ended before the first call.
  return peer_is_gone(socket) ? -ESRCH : 0;
}

int csandbox_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) ? -errno : 0; }

int csandbox_drop_capabilities(int keeps_files) {
  // Root in a user namespace, and root itself, keep what lets them read and write files of others:
  // without it an import as root would lose files that it could read before confinement.
  const uint64_t files = 1ULL << CAP_DAC_OVERRIDE | 1ULL << CAP_DAC_READ_SEARCH;
  const uint64_t kept = keeps_files ? files : 0;
  for (unsigned number = 0; number < 64; number++) {
    if (kept >> number & 1) continue;
    // EPERM: this process has no capability at all, so that it can gain none either.
    if (prctl(PR_CAPBSET_DROP, number, 0, 0, 0) && errno != EINVAL && errno != EPERM) {
      return -errno;
    }
  }
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2];
  if (syscall(SYS_capget, &header, sets)) return -errno;
  for (int half = 0; half < 2; half++) {
    const uint32_t mask = (uint32_t)(kept >> (32 * half));
    sets[half].permitted &= mask;
    sets[half].effective &= mask;
    sets[half].inheritable = 0;
  }
  return syscall(SYS_capset, &header, sets) ? -errno : 0;
}

/// Lowers both limits; a lower limit that is set already stays.
static int lower(int resource, rlim_t soft, rlim_t hard) {
  struct rlimit limit;
  if (getrlimit(resource, &limit)) return -errno;
  if (hard < limit.rlim_max) limit.rlim_max = hard;
  limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
  return setrlimit(resource, &limit) ? -errno : 0;
}

int csandbox_set_limits(const struct csandbox_limits *limits) {
  int failure = lower(RLIMIT_DATA, limits->data_bytes, limits->data_bytes);
  if (!failure) failure = lower(RLIMIT_NOFILE, limits->descriptors, limits->descriptors);
  if (!failure) failure = lower(RLIMIT_FSIZE, 0, 0);
  if (!failure) failure = lower(RLIMIT_CORE, 0, 0);
  // The hard limit stays, so that a parent that is not root can raise the soft one again.
  if (!failure) failure = lower(RLIMIT_CPU, limits->cpu_seconds, RLIM_INFINITY);
  if (failure) return failure;
  // Thread stacks count as data: at 8 MiB each, codecs with a thread per core would use it all up.
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error) return -error;
  error = pthread_attr_setstacksize(&attributes, limits->thread_stack_bytes);
  if (!error) error = pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
  return -error;
}

int csandbox_socket_pair(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return -errno;
  int flags = fcntl(ends[0], F_GETFL);
  if (flags < 0 || fcntl(ends[0], F_SETFL, flags | O_NONBLOCK)) {
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    return -error;
  }
  return 0;
}

int csandbox_spawn(
  const char *executable, char *const arguments[], char *const environment[], int socket,
  int null_device, pid_t *pid) {
  enum { first_closed = 4, above_all_targets = 10 };
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t signals;
  // A descriptor from 0 to 3 would be overwritten before it is copied.
  int source = fcntl(socket, F_DUPFD_CLOEXEC, above_all_targets);
  if (source < 0) return -errno;
  int null_source = fcntl(null_device, F_DUPFD_CLOEXEC, above_all_targets);
  if (null_source < 0) {
    int error = errno;
    close(source);
    return -error;
  }
  int error = posix_spawn_file_actions_init(&actions);
  if (error) goto close_copies;
  error = posix_spawnattr_init(&attributes);
  if (error) goto destroy_actions;
  for (int target = 0; !error && target < 3; target++) {
    error = posix_spawn_file_actions_adddup2(&actions, null_source, target);
  }
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, source, 3);
  if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, first_closed);
  if (!error) {
    error = posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  sigemptyset(&signals);
  if (!error) error = posix_spawnattr_setsigmask(&attributes, &signals);
  sigfillset(&signals);
  if (!error) error = posix_spawnattr_setsigdefault(&attributes, &signals);
  if (!error) error = posix_spawn(pid, executable, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
destroy_actions:
  posix_spawn_file_actions_destroy(&actions);
close_copies:
  close(null_source);
  close(source);
  return -error;
}

int csandbox_reap(pid_t pid, int block, int *code, int *signal) {
  int status = 0;
  pid_t ended;
  do {
    ended = waitpid(pid, &status, block ? 0 : WNOHANG);
  } while (ended < 0 && errno == EINTR);
  if (ended < 0) return -errno;
  if (ended == 0) return 0;
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return 1;
}

int csandbox_raise_cpu_limit(pid_t pid, uint64_t seconds) {
  clockid_t clock;
  struct timespec used;
  int error = clock_getcpuclockid(pid, &clock);
  if (error) return -error;
  if (clock_gettime(clock, &used)) return -errno;
  struct rlimit limit;
  if (prlimit(pid, RLIMIT_CPU, NULL, &limit)) return -errno;
  rlim_t wanted;
  if (__builtin_add_overflow((rlim_t)used.tv_sec + 1, seconds, &wanted)) wanted = RLIM_INFINITY;
  limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
  return prlimit(pid, RLIMIT_CPU, &limit, NULL) ? -errno : 0;
}

int64_t csandbox_cpu_nanoseconds(pid_t pid) {
  clockid_t clock;
  struct timespec used;
  if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &used)) return -1;
  return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

static int read_exactly(int descriptor, void *bytes, size_t count, off_t offset) {
  size_t done = 0;
  while (done < count) {
    ssize_t got = pread(descriptor, (char *)bytes + done, count - done, offset + (off_t)done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -errno;
    if (got == 0) return -ENOEXEC;
    done += (size_t)got;
  }
  return 0;
}

int csandbox_interpreter(const char *executable, char *buffer, size_t capacity) {
  int descriptor = open(executable, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return -errno;
  ElfW(Ehdr) header;
  int result = read_exactly(descriptor, &header, sizeof header, 0);
  if (!result
    && (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(ElfW(Phdr))))
  {
    result = -ENOEXEC;
  }
  for (int index = 0; !result && index < header.e_phnum; index++) {
    ElfW(Phdr) segment;
    off_t offset = (off_t)(header.e_phoff + (ElfW(Off))index * sizeof segment);
    result = read_exactly(descriptor, &segment, sizeof segment, offset);
    if (result || segment.p_type != PT_INTERP) continue;
    if (segment.p_filesz < 2 || segment.p_filesz > capacity) {
      result = -ENOEXEC;
      break;
    }
    result = read_exactly(descriptor, buffer, segment.p_filesz, (off_t)segment.p_offset);
    if (!result) {
      buffer[segment.p_filesz - 1] = 0;
      result = 1;
    }
  }
  close(descriptor);
  return result;
}

struct object_visitor {
  void (*body)(const char *path, void *context);
  void *context;
};

static int visit(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct object_visitor *visitor = data;
  if (info->dlpi_name && info->dlpi_name[0] == '/') {
    visitor->body(info->dlpi_name, visitor->context);
  }
  return 0;
}

void csandbox_each_loaded_object(void (*body)(const char *path, void *context), void *context) {
  struct object_visitor visitor = {body, context};
  dl_iterate_phdr(visit, &visitor);
}

const char *csandbox_errno_name(int number) {
  const char *name = strerrorname_np(number);
  return name ? name : "unknown";
}
