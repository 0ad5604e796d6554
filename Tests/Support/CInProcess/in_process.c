#define _GNU_SOURCE 1
#include "CInProcess.h"

#include <CSandbox.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <seccomp.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static atomic_bool is_on;
static const char *own_program;
static cinprocess_serve serve_child;
static int (*serves_child)(const char *name);

void cinprocess_begin(const char *program, cinprocess_serve serve, int (*serves)(const char *name)) {
  own_program = program;
  serve_child = serve;
  serves_child = serves;
  atomic_store(&is_on, 1);
}

void cinprocess_end(void) { atomic_store(&is_on, 0); }

int cinprocess_file(void) { return memfd_create("mediabatch-in-process", MFD_CLOEXEC); }

// Children

/// Above every number of a process (proc(5), pid_max), so that none is asked or signalled by it.
enum { first_child = 1 << 23, maximum_children = 4096 };

/// A child that is a thread.
struct child {
  pthread_t thread;
  clockid_t clock;
  /// NULL for a worker.
  char *name;
  /// -1 when it has ended.
  int socket;
  int code;
  int is_joined;
};

static struct child *children[maximum_children];
static int child_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *be_child(void *argument) {
  struct child *child = argument;
  int code = serve_child(child->name, child->socket);
  pthread_mutex_lock(&lock);
  child->code = code;
  close(child->socket);
  child->socket = -1;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static struct child *child_of(pid_t pid) {
  pthread_mutex_lock(&lock);
  struct child *child =
    pid >= first_child && pid < first_child + child_count ? children[pid - first_child] : NULL;
  pthread_mutex_unlock(&lock);
  return child;
}

static int start_child(const char *name, int socket, pid_t *pid) {
  struct child *child = calloc(1, sizeof *child);
  if (!child || child_count == maximum_children) return -EAGAIN;
  child->name = name ? strdup(name) : NULL;
  child->socket = fcntl(socket, F_DUPFD_CLOEXEC, 64);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  // As large as that of a process's only thread.
  pthread_attr_setstacksize(&attributes, 8 << 20);
  int failure = child->socket < 0 ? errno : pthread_create(&child->thread, &attributes, be_child, child);
  pthread_attr_destroy(&attributes);
  if (failure) return -failure;
  if (pthread_getcpuclockid(child->thread, &child->clock)) child->clock = CLOCK_MONOTONIC;
  pthread_mutex_lock(&lock);
  children[child_count] = child;
  *pid = first_child + child_count++;
  pthread_mutex_unlock(&lock);
  return 0;
}

int __real_csandbox_spawn(
  const char *executable, char *const arguments[], char *const environment[], int socket,
  int null_device, pid_t *pid);
int __wrap_csandbox_spawn(
  const char *executable, char *const arguments[], char *const environment[], int socket,
  int null_device, pid_t *pid) {
  if (is_on) {
    const char *worker = strrchr(executable, '/');
    const char *first = arguments[1];
    int is_worker = worker && !strcmp(worker, "/mediabatch-worker");
    if (is_worker && (!first || strncmp(first, "--self-test", 11))) return start_child(NULL, socket, pid);
    if (!is_worker && first && !arguments[2] && serves_child(first)) return start_child(first, socket, pid);
  }
  return __real_csandbox_spawn(executable, arguments, environment, socket, null_device, pid);
}

int __real_csandbox_reap(pid_t pid, int block, int *code, int *signal);
int __wrap_csandbox_reap(pid_t pid, int block, int *code, int *signal) {
  struct child *child = child_of(pid);
  if (!child) return __real_csandbox_reap(pid, block, code, signal);
  pthread_mutex_lock(&lock);
  int has_ended = child->socket < 0;
  // What waits for the end of a child has killed it, or has closed the other end.
  if (!has_ended && block) shutdown(child->socket, SHUT_RDWR);
  pthread_mutex_unlock(&lock);
  if (!has_ended && !block) return 0;
  if (!child->is_joined) pthread_join(child->thread, NULL);
  child->is_joined = 1;
  *code = child->code;
  *signal = 0;
  return 1;
}

int __real_csandbox_raise_cpu_limit(pid_t pid, uint64_t seconds);
int __wrap_csandbox_raise_cpu_limit(pid_t pid, uint64_t seconds) {
  return child_of(pid) ? 0 : __real_csandbox_raise_cpu_limit(pid, seconds);
}

int64_t __real_csandbox_cpu_nanoseconds(pid_t pid);
int64_t __wrap_csandbox_cpu_nanoseconds(pid_t pid) {
  struct child *child = child_of(pid);
  if (!child) return __real_csandbox_cpu_nanoseconds(pid);
  struct timespec time;
  pthread_mutex_lock(&lock);
  int is_read = child->socket >= 0 && !clock_gettime(child->clock, &time);
  pthread_mutex_unlock(&lock);
  return is_read ? time.tv_sec * INT64_C(1000000000) + time.tv_nsec : -1;
}

int __real_posix_spawn(
  pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
  const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]);
int __wrap_posix_spawn(
  pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
  const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  const char *file = is_on && !strcmp(path, "/proc/self/exe") ? own_program : path;
  return __real_posix_spawn(pid, file, actions, attributes, arguments, environment);
}

// Confinement

int __real_csandbox_landlock_create(uint64_t filesystem, uint64_t network, uint64_t scopes);
int __wrap_csandbox_landlock_create(uint64_t filesystem, uint64_t network, uint64_t scopes) {
  if (!is_on) return __real_csandbox_landlock_create(filesystem, network, scopes);
  int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return file < 0 ? -errno : file;
}

int __real_csandbox_landlock_allow(int ruleset, int descriptor, uint64_t rights);
int __wrap_csandbox_landlock_allow(int ruleset, int descriptor, uint64_t rights) {
  return is_on ? 0 : __real_csandbox_landlock_allow(ruleset, descriptor, rights);
}

int __real_csandbox_landlock_restrict(int ruleset);
int __wrap_csandbox_landlock_restrict(int ruleset) {
  return is_on ? 0 : __real_csandbox_landlock_restrict(ruleset);
}

int __real_seccomp_load(const scmp_filter_ctx filter);
int __wrap_seccomp_load(const scmp_filter_ctx filter) { return is_on ? 0 : __real_seccomp_load(filter); }

// It loads one of its filters by itself.
int __real_csandbox_seccomp_coordinator(void);
int __wrap_csandbox_seccomp_coordinator(void) {
  return is_on ? 0 : __real_csandbox_seccomp_coordinator();
}

int __real_csandbox_drop_capabilities(int keeps_files);
int __wrap_csandbox_drop_capabilities(int keeps_files) {
  return is_on ? 0 : __real_csandbox_drop_capabilities(keeps_files);
}

int __real_csandbox_set_limits(const struct csandbox_limits *limits);
int __wrap_csandbox_set_limits(const struct csandbox_limits *limits) {
  return is_on ? 0 : __real_csandbox_set_limits(limits);
}

int __real_setrlimit(__rlimit_resource_t resource, const struct rlimit *limit);
int __wrap_setrlimit(__rlimit_resource_t resource, const struct rlimit *limit) {
  return is_on ? 0 : __real_setrlimit(resource, limit);
}

int __real_csandbox_bind_to_parent(int socket);
int __wrap_csandbox_bind_to_parent(int socket) { return is_on ? 0 : __real_csandbox_bind_to_parent(socket); }

int __real_csandbox_end_with_parent(void);
int __wrap_csandbox_end_with_parent(void) { return is_on ? 0 : __real_csandbox_end_with_parent(); }

int __real_csandbox_is_main_thread(void);
int __wrap_csandbox_is_main_thread(void) { return is_on ? 1 : __real_csandbox_is_main_thread(); }

int __real_csandbox_thread_count(void);
int __wrap_csandbox_thread_count(void) { return is_on ? 1 : __real_csandbox_thread_count(); }
