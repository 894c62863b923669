#pragma once

#include <salu.h>
#include <salu/error.hpp>

#include <cxxabi.h>
#include <pthread.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

/// How what goes wrong becomes a status, and what a thread remembers of it.
namespace salu::capi {

/// Ends a call; caught by `guarded`.
struct Failure {
  salu_status status = SALU_INTERNAL;
  Error error;

  Failure(salu_status with, std::string message) : status(with), error{ErrorCode::usage, {}, std::move(message), {}} {}
  explicit Failure(Error of);
};

/// The caller wanted the call to end.
struct Cancelled {};

/// The last failure of this thread.
struct LastFailure {
  std::string message;
  std::string reason;
  std::string file;
  u32 line = 0;
  u32 column = 0;
};

/// It, or null before the first.
const LastFailure* last_failure() noexcept;
/// Remembers a failure and returns its status.
salu_status fail(const Failure& failure) noexcept;
salu_status fail(salu_status status, const char* message) noexcept;

#ifdef __GLIBCXX__
/// How a thread ends in the middle of what it does (pthread_exit, which Python calls in a callback when it ends
/// itself): through all frames that there are. Whoever stops it ends the process.
using EndOfThread = abi::__forced_unwind;
#else
struct EndOfThread {};
#endif

/// Keeps `pthread_cancel` from ending this thread in the middle of what it does for a while: threads that work for it
/// would go on with what lies on its stack.
class HoldsCancellation {
 public:
  HoldsCancellation() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  HoldsCancellation(const HoldsCancellation&) = delete;
  HoldsCancellation& operator=(const HoldsCancellation&) = delete;
  ~HoldsCancellation() { pthread_setcancelstate(before_, nullptr); }

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

/// Runs the body of a function of the interface: no exception comes out of it.
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
    return fail(SALU_NO_MEMORY, "there is no memory left");
  } catch (const std::exception& problem) {
    return fail(SALU_INTERNAL, problem.what());
  } catch (...) {
    return fail(SALU_INTERNAL, "an exception of an unknown type");
  }
}

/// Functions of the caller's that this thread is in, one called in the other.
inline thread_local u32 callback_levels = 0;

/// Calls a function of the caller's, which may call the library, which may call it again: the stack is not without end.
template <class Callback, class... Arguments>
int call_back(Callback* callback, Arguments... arguments) {
  constexpr u32 most_levels = 16;
  if (callback_levels == most_levels)
    throw Failure(SALU_INVALID_ARGUMENT,
                  "there are " + std::to_string(most_levels) + " callbacks within each other, and no more are taken");
  struct Level {
    Level() { ++callback_levels; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --callback_levels; }
  };
  const Level level;
  return callback(arguments...);
}

/// What a parameter points to, which has to be there.
template <class T>
T& needed(T* pointer, const char* name) {
  if (pointer == nullptr) throw Failure(SALU_INVALID_ARGUMENT, std::string(name) + " is NULL");
  return *pointer;
}

/// The same of bytes.
inline void needed_bytes(const void* bytes, const char* name) { needed(static_cast<const char*>(bytes), name); }

/// The same of a string.
inline const char* needed_text(const char* text, const char* name) { return &needed(text, name); }

/// A structure of the caller's whose size has to be right.
template <class T>
T& sized(T* structure, const char* name) {
  T& there = needed(structure, name);
  if (there.struct_size != sizeof(T)) {
    throw Failure(SALU_INVALID_ARGUMENT, std::string(name) + ": struct_size is " + std::to_string(there.struct_size) +
                                             ", and " + std::to_string(sizeof(T)) + " in this version");
  }
  return there;
}

/// The same where NULL stands for one that asks for what is usual.
template <class T>
T options_of(const T* options) {
  return options == nullptr ? T{} : sized(options, "options");
}

/// What a result holds, or the reason why there is none as a failure.
template <class T>
T value_of(Result<T> result) {
  if (!result) throw Failure(std::move(result).error());
  return std::move(result).value();
}

}  // namespace salu::capi
