#pragma once

#include <pthread.h>

#include <memory>
#include <new>

namespace salu::support {

/// One `T` for each thread that asks for it, gone with its thread; on the main thread it stays to the end of the
/// process. A `thread_local` with a destructor will not do: glibc ends the process where there is no memory to note it.
/// Each use has a `T` of its own.
template <class T>
class PerThread {
 public:
  /// This thread's. Throws std::bad_alloc.
  static T& get() {
    if (kept == nullptr) keep();
    return *kept;
  }
  /// This thread's, or null: makes none.
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
    // What its destructor calls may ask again.
    kept = nullptr;
  }

  static inline thread_local T* kept = nullptr;
};

}  // namespace salu::support
