// Loading of libraries is not supported: all functions return null.
#ifndef SALU_SHIM_DLFCN_H
#define SALU_SHIM_DLFCN_H

#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_LOCAL 0

static inline void* dlopen(const char* file, int mode) {
  (void)file;
  (void)mode;
  return 0;
}
static inline void* dlsym(void* library, const char* name) {
  (void)library;
  (void)name;
  return 0;
}
static inline int dlclose(void* library) {
  (void)library;
  return 0;
}

#endif
