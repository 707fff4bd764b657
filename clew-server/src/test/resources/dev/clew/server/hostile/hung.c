/* A disk that hangs. Loaded before the C library (LD_PRELOAD), it lets calls on files of a store
 * (their names contain ".db") wait for as long as the file exists that CLEW_HUNG names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static void wait_for_disk(int fd) {
  const char *sign = getenv("CLEW_HUNG");
  char link[64], name[4096];
  if (sign == NULL || access(sign, F_OK) != 0) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, name, sizeof name - 1);
  if (length < 0) return;
  name[length] = 0;
  if (strstr(name, ".db") == NULL) return;
  while (access(sign, F_OK) == 0) usleep(2000);
}

#define BEFORE(type, name, parameters, arguments)           \
  type name parameters {                                    \
    static type(*real) parameters;                          \
    if (real == NULL) real = dlsym(RTLD_NEXT, #name);       \
    wait_for_disk(fd);                                      \
    return real arguments;                                  \
  }

BEFORE(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size))
BEFORE(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size))
BEFORE(ssize_t, pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at))
BEFORE(ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at), (fd, from, size, at))
BEFORE(int, fsync, (int fd), (fd))
BEFORE(int, fdatasync, (int fd), (fd))
