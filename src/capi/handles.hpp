#pragma once

#include <salu/integer.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <unordered_map>

/// Handles, which callers in C use instead of pointers to objects.
namespace salu::capi {

enum class Kind : u8 { scenario, outcome, session, text };

/// The table of live handles. A handle is a number in the form of a pointer. Numbers are not reused. Arguments are
/// looked up and never dereferenced.
class Handles {
 public:
  /// Returns the only instance. It is never destroyed, because handles may be freed after static destructors.
  static Handles& all();

  /// Adds an object and returns its new handle.
  template <class Handle>
  Handle* add(Kind kind, std::shared_ptr<void> object) {
    return std::bit_cast<Handle*>(insert(kind, std::move(object)));
  }
  /// Returns the object of a handle, or null.
  [[nodiscard]] std::shared_ptr<void> find(Kind kind, const void* handle) const;
  /// Removes a handle and returns its object, or null.
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
