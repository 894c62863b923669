#include "capi/handles.hpp"

#include <mutex>
#include <utility>

namespace salu::capi {
namespace {

/// A mark in the upper bits of every handle. User-space addresses do not have it, so a pointer is never mistaken for a
/// handle.
constexpr std::uintptr_t mark = sizeof(std::uintptr_t) == 8 ? std::uintptr_t{0x5a1c} << (8 * sizeof(void*) - 16) : 0;

}  // namespace

Handles& Handles::all() {
  static auto& handles = *new Handles;
  return handles;
}

std::uintptr_t Handles::insert(Kind kind, std::shared_ptr<void> object) {
  const std::unique_lock lock(mutex_);
  const std::uintptr_t handle = mark | ++last_;
  entries_.emplace(handle, Entry{kind, std::move(object)});
  return handle;
}

std::shared_ptr<void> Handles::find(Kind kind, const void* handle) const {
  const std::shared_lock lock(mutex_);
  const auto found = entries_.find(std::bit_cast<std::uintptr_t>(handle));
  return found != entries_.end() && found->second.kind == kind ? found->second.object : nullptr;
}

std::shared_ptr<void> Handles::take(Kind kind, const void* handle) {
  const std::unique_lock lock(mutex_);
  const auto found = entries_.find(std::bit_cast<std::uintptr_t>(handle));
  if (found == entries_.end() || found->second.kind != kind) return nullptr;
  std::shared_ptr<void> object = std::move(found->second.object);
  entries_.erase(found);
  return object;
}

std::size_t Handles::count() const {
  const std::shared_lock lock(mutex_);
  return entries_.size();
}

}  // namespace salu::capi
