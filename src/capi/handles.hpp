#pragma once

#include <salu/integer.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <unordered_map>

/// What callers in C hold instead of objects.
namespace salu::capi {

enum class Kind : u8 { scenario, outcome, session, text };

/// All live handles. A handle is a number that has never been another object's, in the place of a pointer: whatever
/// comes in is looked up and never looked through.
class Handles {
 public:
  /// The one that there is. It is never destroyed: handles may be freed after everything else.
  static Handles& all();

  /// A new handle of an object.
  template <class Handle>
  Handle* add(Kind kind, std::shared_ptr<void> object) {
    return std::bit_cast<Handle*>(insert(kind, std::move(object)));
  }
  /// The object, or null.
  [[nodiscard]] std::shared_ptr<void> find(Kind kind, const void* handle) const;
  /// The same, and the handle is no more.
  std::shared_ptr<void> take(Kind kind, const void* handle);
  [[nodiscard]] std::size_t count() const;

 private:
  struct Entry {
    Kind kind{};
    std::shared_ptr<void> object;
  };

  std::uintptr_t insert(Kind kind, std::shared_ptr<void> object);

  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uintptr_t, Entry> entries_;
  std::uintptr_t last_ = 0;
};

}  // namespace salu::capi
