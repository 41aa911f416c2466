// Preloaded into a service: a call to the system fails on files whose names end in a given way, as soon as the file
// FAULT says so in one line, for example "sync 5 data.mdb" (the call, the error's number, the ending); with a number
// behind that, from the call of that number on. "meta" before the call narrows it to files that are synced by each write,
// as LMDB opens its file for the page that makes a commit valid.
// With -1 the call never returns; that it was made is shown by a file beside FAULT.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int ends(const char *text, const char *ending) {
  size_t length = strlen(text), tail = strlen(ending);
  return length >= tail && strcmp(text + length - tail, ending) == 0;
}

static void hang(void) {
  char name[4096];
  snprintf(name, sizeof name, "%s.hangs", getenv("FAULT"));
  fclose(fopen(name, "w"));
  for (;;) pause();
}

/** The error that the call is to fail with; 0 if it is to be made. */
static int failure(int file, const char *call) {
  char wanted[32], ending[256], link[64], name[4096];
  int code, first = 1;
  FILE *fault = fopen(getenv("FAULT"), "r");
  if (fault == NULL) return 0;
  int read = fscanf(fault, "%31s %d %255s %d", wanted, &code, ending, &first);
  fclose(fault);
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, name, sizeof name - 1);
  if (read < 3 || length < 0) return 0;
  name[length] = 0;
  if (!ends(name, ending)) return 0;
  int isMeta = strncmp(wanted, "meta", 4) == 0;
  if (strcmp(isMeta ? wanted + 4 : wanted, call) != 0) return 0;
  if (isMeta && (fcntl(file, F_GETFL) & O_DSYNC) == 0) return 0;
  static int calls = 0;
  return __sync_add_and_fetch(&calls, 1) >= first ? code : 0;
}

#define FAIL_OR(type, symbol, call, parameters, ...)                                 \
  type symbol parameters {                                                           \
    static type(*real) parameters;                                                   \
    if (real == NULL) real = (type(*) parameters)dlsym(RTLD_NEXT, #symbol);          \
    int code = failure(file, call);                                                  \
    if (code == 0) return real(__VA_ARGS__);                                         \
    if (code == -1) hang();                                                          \
    errno = code;                                                                    \
    return -1;                                                                       \
  }

FAIL_OR(ssize_t, write, "write", (int file, const void *bytes, size_t size), file, bytes, size)
FAIL_OR(ssize_t, writev, "write", (int file, const struct iovec *parts, int count), file, parts, count)
FAIL_OR(ssize_t, pwrite, "write", (int file, const void *bytes, size_t size, off_t at), file, bytes, size, at)
FAIL_OR(ssize_t, pwrite64, "write", (int file, const void *bytes, size_t size, off64_t at), file, bytes, size, at)
FAIL_OR(int, fsync, "sync", (int file), file)
FAIL_OR(int, fdatasync, "sync", (int file), file)
