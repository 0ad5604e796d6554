#define _GNU_SOURCE 1
#include "shims.h"

#include <CSandbox.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_passing(void) {
  int ends[2], received, null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  CHECK(csandbox_socket_pair(ends) == 0 && null >= 0);
  char bytes[8];
  CHECK(csandbox_send(ends[0], "plain", 5, -1) == 5);
  CHECK(csandbox_receive(ends[1], bytes, sizeof bytes, &received) == 5 && received == -1);
  CHECK(csandbox_send(ends[0], "x", 1, null) == 1);
  CHECK(csandbox_receive(ends[1], bytes, sizeof bytes, &received) == 1 && received >= 0);
  struct stat sent, got;
  CHECK(fstat(null, &sent) == 0 && fstat(received, &got) == 0 && sent.st_rdev == got.st_rdev);
  CHECK(fcntl(received, F_GETFD) == FD_CLOEXEC);
  close(received);
  // Two descriptors in one message: none may stay open.
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(2 * sizeof(int))];
  } control = {.bytes = {0}};
  struct iovec part = {bytes, 1};
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(2 * sizeof(int));
  const int both[] = {null, null};
  memcpy(CMSG_DATA(header), both, sizeof both);
  CHECK(sendmsg(ends[0], &message, 0) == 1);
  int next = dup(null);
  close(next);
  CHECK(csandbox_receive(ends[1], bytes, sizeof bytes, &received) == -EBADMSG && received == -1);
  int after = dup(null);
  CHECK(next == after);
  close(after);
  close(ends[0]);
  CHECK(csandbox_receive(ends[1], bytes, sizeof bytes, &received) == 0);
  close(ends[1]);
  close(null);
}

static void note_library(const char *path, void *context) {
  if (strstr(path, "/libc.so.6")) *(int *)context += 1;
}

static void test_program(const char *samples) {
  char path[4096];
  CHECK(csandbox_argument_count() == 3 && !csandbox_argument(3));
  CHECK(!strcmp(csandbox_argument(2), samples));
  CHECK(csandbox_interpreter(csandbox_argument(0), path, sizeof path) == 1 && strstr(path, "/ld-linux"));
  CHECK(csandbox_interpreter(csandbox_argument(0), path, 3) == -ENOEXEC);
  snprintf(path, sizeof path, "%s/memo.wav", samples);
  CHECK(csandbox_interpreter(path, path, sizeof path) == -ENOEXEC);
  int libraries = 0;
  csandbox_each_loaded_object(note_library, &libraries);
  CHECK(libraries == 1);
  CHECK(!strcmp(csandbox_errno_name(EPERM), "EPERM") && !strcmp(csandbox_errno_name(-5), "unknown"));
  CHECK(csandbox_is_main_thread() == 1);
  CHECK(csandbox_cpu_nanoseconds(getpid()) > 0);
#if defined(__x86_64__)
  CHECK(csandbox_try_foreign_abi(0) == 0);
#else
  CHECK(csandbox_try_foreign_abi(0) == ENOSYS && csandbox_try_foreign_abi(1) == ENOSYS);
#endif
  // A page of its own, however large pages are.
  CHECK(csandbox_try_unmap() == 0);
}

static void test_starting(void) {
  int ends[2], code = -1, signal = -1;
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  CHECK(csandbox_socket_pair(ends) == 0);
  // The shell writes to what it has as 3, and ends with 7.
  char *arguments[] = {"sh", "-c", "echo started >&3; exit 7", NULL}, *environment[] = {NULL};
  pid_t child = 0;
  int failure = csandbox_spawn("/bin/sh", arguments, environment, ends[1], null, &child);
  CHECK(failure == 0);
  char line[16];
  int received;
  if (!failure) {
    CHECK(csandbox_reap(child, 1, &code, &signal) == 1 && code == 7 && signal == 0);
    while (csandbox_receive(ends[0], line, sizeof line, &received) == -EAGAIN) usleep(1000);
  }
  close(ends[0]);
  close(ends[1]);
  close(null);
  // Limits are those of a process for good.
  child = fork();
  if (child == 0) {
    const struct csandbox_limits limits = {1LL << 33, 100, 64, 1 << 20};
    struct rlimit descriptors, file;
    int failed = csandbox_set_limits(&limits) || getrlimit(RLIMIT_NOFILE, &descriptors)
      || getrlimit(RLIMIT_FSIZE, &file) || descriptors.rlim_max != 64 || file.rlim_max != 0;
    _exit(failed ? 1 : 0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static const char names[][8] = {"\xff", "a", "\xc3\xa9" "b", "abcdefg"};
enum { name_count = sizeof names / sizeof *names };

static void note_event(const struct csandbox_event *event, void *context) {
  for (size_t index = 0; event->has_come && event->name && index < name_count; index++) {
    if (!strcmp(event->name, names[index])) *(unsigned *)context |= 1u << index;
  }
}

static void note_entry(const char *name, unsigned char type, void *context) {
  for (size_t index = 0; index < name_count; index++) {
    if (!strcmp(name, names[index]) && type == DT_REG) *(unsigned *)context |= 1u << index;
  }
}

static void test_watching(const char *path) {
  char here[4096];
  CHECK(getcwd(here, sizeof here) != NULL);
  int parent = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  CHECK(mkdirat(parent, "watched", 0700) == 0);
  int folder = csandbox_open_listed(parent, "watched");
  int watches = csandbox_watches_open();
  CHECK(folder >= 0 && watches >= 0 && csandbox_kind(folder) == 1);
  int watch = csandbox_watch(watches, folder);
  CHECK(watch >= 0);
  for (size_t index = 0; index < name_count; index++) close(openat(folder, names[index], O_CREAT | O_WRONLY, 0600));
  // Names of other lengths put each event at another place of the buffer.
  _Alignas(8) char buffer[4096];
  unsigned seen = 0, listed = 0;
  while (csandbox_watches_read(watches, buffer, sizeof buffer, note_event, &seen) > 0) continue;
  CHECK(seen == (1u << name_count) - 1);
  CHECK(csandbox_each_entry(folder, note_entry, &listed) == 0 && listed == seen);
  uint64_t mount = 0;
  CHECK(csandbox_mount(folder, &mount) == 0);
  if (shims_is_emulated()) shims_untried("the number of a mount, which qemu-user leaves out of statx");
  else CHECK(mount != 0);
  csandbox_unwatch(watches, watch);
  int place = csandbox_open_path_beneath(folder, "a");
  if (place == -ENOSYS) {
    shims_untried("openat2 of a place, and the times set by it");
  } else {
    struct stat status;
    CHECK(place >= 0 && csandbox_kind(place) == 2 && csandbox_open_path_beneath(folder, "../watched") == -EXDEV);
    CHECK(csandbox_set_modified(folder, "a", -2, 5) == 0 && fstat(place, &status) == 0);
    CHECK(status.st_mtim.tv_sec == -2 && status.st_mtim.tv_nsec == 5);
    close(place);
  }
  close(watches);
  close(folder);
  close(parent);
  CHECK(chdir(here) == 0);
}

void shims_test_processes(const char *folder, const char *samples) {
  test_passing();
  test_program(samples);
  test_starting();
  test_watching(folder);
  if (csandbox_landlock_abi() == 0) shims_untried("Landlock, which this kernel or emulator lacks");
  else CHECK(csandbox_landlock_create(1, 0, 0) >= 0 && csandbox_landlock_allow(-1, -1, 1) == -EBADF);
  if (shims_is_emulated()) shims_untried("the enforcement of filters, which qemu-user has not");
  else CHECK(csandbox_thread_count() == 1 && csandbox_seccomp_available() == 1);
}
