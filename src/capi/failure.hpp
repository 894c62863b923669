#pragma once

#include <salu.h>
#include <salu/error.hpp>

#include <cxxabi.h>
#include <pthread.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

/// Conversion of exceptions to status codes, and the last failure of each thread.
namespace salu::capi {

/// An exception that ends a call with a status; caught by `guarded`.
struct Failure {
  salu_status status = SALU_INTERNAL;
  Error error;

  Failure(salu_status with, std::string message) : status(with), error{ErrorCode::usage, {}, std::move(message), {}} {}
  explicit Failure(Error of);
};

/// An exception for a call that the caller has cancelled.
struct Cancelled {};

/// The last failure of this thread.
struct LastFailure {
  std::string message;
  std::string reason;
  std::string file;
  u32 line = 0;
  u32 column = 0;
};

/// Returns the last failure of this thread, or null before the first.
const LastFailure* last_failure() noexcept;
/// Stores a failure and returns its status.
salu_status fail(const Failure& failure) noexcept;
salu_status fail(salu_status status, const char* message) noexcept;

#ifdef __GLIBCXX__
/// The exception of pthread_exit, which Python calls in a callback during its shutdown. It must unwind all frames:
/// catching it without rethrowing aborts the process.
using EndOfThread = abi::__forced_unwind;
#else
struct EndOfThread {};
#endif

/// Disables cancellation of this thread by `pthread_cancel` during its lifetime: worker threads of the call use objects
/// on its stack.
class HoldsCancellation {
 public:
  HoldsCancellation() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  HoldsCancellation(const HoldsCancellation&) = delete;
  HoldsCancellation& operator=(const HoldsCancellation&) = delete;
  ~HoldsCancellation() { pthread_setcancelstate(before_, nullptr); }

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

/// Runs the body of a function of the interface and converts exceptions to a status.
template <class Body>
salu_status guarded(const Body& body) {
  const HoldsCancellation holds;
  try {
    body();
    return SALU_OK;
  } catch (const EndOfThread&) {
    throw;
  } catch (const Failure& failure) {
    return fail(failure);
  } catch (const Cancelled&) {
    return fail(SALU_CANCELLED, "cancelled by the caller");
  } catch (const std::bad_alloc&) {
    return fail(SALU_NO_MEMORY, "out of memory");
  } catch (const std::exception& problem) {
    return fail(SALU_INTERNAL, problem.what());
  } catch (...) {
    return fail(SALU_INTERNAL, "an exception of an unknown type");
  }
}

/// The number of nested callbacks of this thread.
inline thread_local u32 callback_levels = 0;

/// Calls a callback. The nesting of callbacks is limited, because a callback may call the library, which may call it
/// again.
template <class Callback, class... Arguments>
int call_back(Callback* callback, Arguments... arguments) {
  constexpr u32 most_levels = 16;
  if (callback_levels == most_levels)
    throw Failure(SALU_INVALID_ARGUMENT, "more than " + std::to_string(most_levels) + " nested callbacks");
  struct Level {
    Level() { ++callback_levels; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --callback_levels; }
  };
  const Level level;
  return callback(arguments...);
}

/// Returns the object that a required parameter points to; fails for NULL.
template <class T>
T& needed(T* pointer, const char* name) {
  if (pointer == nullptr) throw Failure(SALU_INVALID_ARGUMENT, std::string(name) + " is NULL");
  return *pointer;
}

/// Fails if a required pointer to bytes is NULL.
inline void needed_bytes(const void* bytes, const char* name) { needed(static_cast<const char*>(bytes), name); }

/// Returns a required string; fails for NULL.
inline const char* needed_text(const char* text, const char* name) { return &needed(text, name); }

/// Returns a structure argument; fails if its `struct_size` is wrong.
template <class T>
T& sized(T* structure, const char* name) {
  T& there = needed(structure, name);
  if (there.struct_size != sizeof(T)) {
    throw Failure(SALU_INVALID_ARGUMENT, std::string(name) + ": struct_size is " + std::to_string(there.struct_size) +
                                             "; this version expects " + std::to_string(sizeof(T)));
  }
  return there;
}

/// Returns a structure of options, or the defaults for NULL.
template <class T>
T options_of(const T* options) {
  return options == nullptr ? T{} : sized(options, "options");
}

/// Returns the value of a result, or throws its error as a `Failure`.
template <class T>
T value_of(Result<T> result) {
  if (!result) throw Failure(std::move(result).error());
  return std::move(result).value();
}

}  // namespace salu::capi
