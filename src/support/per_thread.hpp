#pragma once

#include <pthread.h>

#include <memory>
#include <new>

namespace salu::support {

/// One `T` per thread, created on first use and destroyed with the thread; on the main thread it lives until the
/// process ends. Not a `thread_local` with a destructor, because glibc aborts the process if it cannot allocate memory
/// to register that. Each use needs its own type `T`.
template <class T>
class PerThread {
 public:
  /// Returns this thread's object and creates it if necessary. Throws std::bad_alloc.
  static T& get() {
    if (kept == nullptr) keep();
    return *kept;
  }
  /// Returns this thread's object, or null if it has not been created.
  static T* find() noexcept { return kept; }

 private:
  static void keep() {
    static const pthread_key_t key = make_key();
    auto made = std::make_unique<T>();
    if (pthread_setspecific(key, made.get()) != 0) throw std::bad_alloc();
    kept = made.release();
  }
  static pthread_key_t make_key() {
    pthread_key_t key{};
    if (pthread_key_create(&key, drop) != 0) throw std::bad_alloc();
    return key;
  }
  static void drop(void* /*ours*/) {
    const std::unique_ptr<T> last(kept);
    // Functions that the destructor calls may use `get` again.
    kept = nullptr;
  }

  static inline thread_local T* kept = nullptr;
};

}  // namespace salu::support
