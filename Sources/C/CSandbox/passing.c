#define _GNU_SOURCE 1
#include "CSandbox.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control_buffer {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

/// Sends bytes without sendmsg, which a worker's filter refuses.
static ssize_t send_bytes(int socket, const void *bytes, size_t count) {
  for (;;) {
    ssize_t sent = sendto(socket, bytes, count, MSG_NOSIGNAL, NULL, 0);
    if (sent >= 0) return sent;
    if (errno != EINTR) return -errno;
  }
}

ssize_t csandbox_send(int socket, const void *bytes, size_t count, int descriptor) {
  if (descriptor < 0) return send_bytes(socket, bytes, count);
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  union control_buffer control;
  memset(&control, 0, sizeof control);
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  for (;;) {
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent >= 0) return sent;
    if (errno != EINTR) return -errno;
  }
}

ssize_t csandbox_receive(int socket, void *bytes, size_t capacity, int *descriptor) {
  struct iovec part = {bytes, capacity};
  union control_buffer control;
  struct msghdr message;
  ssize_t received;
  do {
    message = (struct msghdr){.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor) {
      *descriptor = -1;
      message.msg_control = control.bytes;
      message.msg_controllen = sizeof control.bytes;
    }
    received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;
  if (!descriptor) return received;

  int count = 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t length = header->cmsg_len - CMSG_LEN(0);
    // CMSG_SPACE rounds up, so there may be two descriptors, and both have to be closed.
    for (size_t offset = 0; offset + sizeof(int) <= length; offset += sizeof(int)) {
      int one;
      memcpy(&one, CMSG_DATA(header) + offset, sizeof one);
      if (count++ == 0) {
        *descriptor = one;
      } else {
        close(one);
      }
    }
  }
  // MSG_CTRUNC: the kernel dropped a descriptor that did not fit, or for which no number was free.
  if (count > 1 || (message.msg_flags & MSG_CTRUNC)) {
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
    return -EBADMSG;
  }
  return received;
}
