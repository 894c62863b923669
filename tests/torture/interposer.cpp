// Preloaded into a program, makes one call fail: the SALU_TORTURE_AT-th (from 1) that allocates memory, or that reads
// or writes, depending on SALU_TORTURE_KIND, or sends the program a signal there; `kill` writes only half of the data.
// Counts the calls while main() runs, and writes their number to SALU_TORTURE_COUNT.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// These functions have the names of the functions that they replace.
// NOLINTBEGIN(readability-identifier-naming, readability-inconsistent-declaration-parameter-name)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

enum class Kind { memory, io, terminate, interrupt, kill };

std::atomic<bool> is_counting = false;
std::atomic<long> calls = 0;
Kind kind = Kind::memory;
long at = 0;

/// True if a call of one of these kinds is the one that fails.
bool fails(bool is_io) {
  if (!is_counting || is_io != (kind != Kind::memory)) return false;
  if (++calls != at) return false;
  if (kind == Kind::terminate) std::raise(SIGTERM);
  if (kind == Kind::interrupt) std::raise(SIGINT);
  return kind != Kind::terminate && kind != Kind::interrupt;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

template <class Result>
Result failure(Result result, int error) {
  if (kind == Kind::kill) std::raise(SIGKILL);
  errno = error;
  return result;
}

int (*program_main)(int, char**, char**) = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  const char* const word = std::getenv("SALU_TORTURE_KIND");
  if (word != nullptr && std::strcmp(word, "io") == 0) kind = Kind::io;
  if (word != nullptr && std::strcmp(word, "terminate") == 0) kind = Kind::terminate;
  if (word != nullptr && std::strcmp(word, "interrupt") == 0) kind = Kind::interrupt;
  if (word != nullptr && std::strcmp(word, "kill") == 0) kind = Kind::kill;
  if (const char* const number = std::getenv("SALU_TORTURE_AT")) at = std::atol(number);
  is_counting = true;
  const int result = program_main(argc, argv, environment);
  is_counting = false;
  if (const char* const path = std::getenv("SALU_TORTURE_COUNT")) {
    if (std::FILE* const file = next<std::FILE*(const char*, const char*)>("fopen")(path, "w")) {
      std::fprintf(file, "%ld\n", calls.load());
      next<int(std::FILE*)>("fclose")(file);
    }
  }
  return result;
}

}  // namespace

#define SALU_IO(result, name, parameters, arguments, failed, error)       \
  extern "C" result name parameters {                                     \
    static auto* const real = next<result parameters>(#name);             \
    return fails(true) ? failure<result>(failed, error) : real arguments; \
  }

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  program_main = main;
  using Start = int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

void* malloc(std::size_t size) { return fails(false) ? failure<void*>(nullptr, ENOMEM) : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) {
  return fails(false) ? failure<void*>(nullptr, ENOMEM) : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  return fails(false) ? failure<void*>(nullptr, ENOMEM) : __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails(false) ? failure<void*>(nullptr, ENOMEM) : __libc_memalign(alignment, size);
}
int posix_memalign(void** place, std::size_t alignment, std::size_t size) {
  void* const memory = fails(false) ? nullptr : __libc_memalign(alignment, size);
  if (memory != nullptr) *place = memory;
  return memory == nullptr ? ENOMEM : 0;
}

int open(const char* path, int flags, ...) {
  static auto* const real = next<int(const char*, int, ...)>("open");
  std::va_list arguments;
  va_start(arguments, flags);
  const auto mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return fails(true) ? failure(-1, EMFILE) : real(path, flags, mode);
}

}  // extern "C"

SALU_IO(std::FILE*, fopen, (const char* path, const char* mode), (path, mode), nullptr, EMFILE)
SALU_IO(std::FILE*, fdopen, (int descriptor, const char* mode), (descriptor, mode), nullptr, ENOMEM)
SALU_IO(std::size_t, fwrite, (const void* bytes, std::size_t size, std::size_t count, std::FILE* file),
        (bytes, size, count, file), 0, ENOSPC)
SALU_IO(int, fflush, (std::FILE * file), (file), EOF, ENOSPC)
SALU_IO(ssize_t, read, (int descriptor, void* bytes, std::size_t size), (descriptor, bytes, size), -1, EIO)
SALU_IO(ssize_t, pread, (int descriptor, void* bytes, std::size_t size, off_t offset),
        (descriptor, bytes, size, offset), -1, EIO)
SALU_IO(int, fsync, (int descriptor), (descriptor), -1, EIO)
SALU_IO(int, ftruncate, (int descriptor, off_t size), (descriptor, size), -1, EIO)
SALU_IO(int, fallocate, (int descriptor, int mode, off_t offset, off_t size), (descriptor, mode, offset, size), -1,
        ENOSPC)
SALU_IO(int, rename, (const char* from, const char* to), (from, to), -1, EIO)
SALU_IO(int, fstat, (int descriptor, struct stat* status), (descriptor, status), -1, EIO)
SALU_IO(int, stat, (const char* path, struct stat* status), (path, status), -1, EIO)
SALU_IO(int, fchmod, (int descriptor, mode_t mode), (descriptor, mode), -1, EPERM)

extern "C" ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  static auto* const real = next<ssize_t(int, const void*, std::size_t)>("write");
  if (!fails(true)) return real(descriptor, bytes, size);
  if (kind == Kind::kill) (void)real(descriptor, bytes, size / 2);
  return failure<ssize_t>(-1, ENOSPC);
}

// A flag of the file distinguishes a failure from the end of the file (glibc).
extern "C" std::size_t fread(void* place, std::size_t size, std::size_t count, std::FILE* file) {
  static auto* const real = next<std::size_t(void*, std::size_t, std::size_t, std::FILE*)>("fread");
  if (!fails(true)) return real(place, size, count, file);
  constexpr int error_seen = 0x20;
  file->_flags |= error_seen;
  return failure<std::size_t>(0, EIO);
}

// These calls close their argument even if they report a failure.
extern "C" int close(int descriptor) {
  static auto* const real = next<int(int)>("close");
  const int result = real(descriptor);
  return fails(true) ? failure(-1, EIO) : result;
}
extern "C" int fclose(std::FILE* file) {
  static auto* const real = next<int(std::FILE*)>("fclose");
  const int result = real(file);
  return fails(true) ? failure(EOF, ENOSPC) : result;
}
// NOLINTEND(readability-identifier-naming, readability-inconsistent-declaration-parameter-name)
