// Functions for libc++'s std::filesystem that wasi-libc does not have.
#ifndef SALU_SHIM_SYS_STATVFS_H
#define SALU_SHIM_SYS_STATVFS_H

#include <errno.h>
#include <sys/types.h>

struct statvfs {
  unsigned long f_bsize, f_frsize;
  fsblkcnt_t f_blocks, f_bfree, f_bavail;
};

static inline int statvfs(const char* path, struct statvfs* result) {
  (void)path;
  (void)result;
  errno = ENOSYS;
  return -1;
}

#ifdef __cplusplus
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#ifndef DT_SOCK
#define DT_SOCK 100
#endif
#ifndef DT_FIFO
#define DT_FIFO 101
#endif
inline int fchmod(int, mode_t) {
  errno = ENOSYS;
  return -1;
}
inline int fchmodat(int, const char*, mode_t, int) {
  errno = ENOSYS;
  return -1;
}
// Links are not supported.
inline char* realpath(const char* path, char*) { return strdup(path); }
#endif

#endif
