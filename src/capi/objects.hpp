#pragma once

#include <salu.h>
#include <salu/scenario.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capi/failure.hpp"
#include "capi/handles.hpp"

/// The objects behind handles.
namespace salu::capi {

/// A scenario that runs, outcomes and sessions share; it is copied when the caller changes it.
class SharedScenario {
 public:
  static constexpr Kind kind = Kind::scenario;
  static constexpr const char* name = "scenario";
  using Handle = salu_scenario;

  /// Strings to which callers keep pointers. Changes of the scenario do not affect them.
  struct Names {
    std::string name;
    std::string file;
    std::string target;
    std::string generation;
  };

  /// `set` has precedence over the inputs of table rows, as in `loader::scenario_of_row`.
  SharedScenario(std::shared_ptr<const Scenario> scenario, std::vector<std::string> set)
      : scenario_(std::const_pointer_cast<Scenario>(std::move(scenario))),
        set_(std::move(set)),
        names_{scenario_->name, scenario_->file, std::string(scenario_->program.target->name),
               std::string(generation_name(scenario_->program.generation()))} {}

  [[nodiscard]] const Names& names() const { return names_; }
  [[nodiscard]] const std::vector<std::string>& set() const { return set_; }

  /// Returns the current scenario, which is immutable.
  [[nodiscard]] std::shared_ptr<const Scenario> get() const {
    const std::lock_guard lock(mutex_);
    return scenario_;
  }
  /// Lets `work` change the scenario, or a copy if the scenario is shared.
  template <class Work>
  void change(const Work& work) {
    const std::lock_guard lock(mutex_);
    if (scenario_.use_count() == 1) {
      // Synchronises with the last release of the other owners.
      std::atomic_thread_fence(std::memory_order_acquire);
    } else {
      scenario_ = std::make_shared<Scenario>(*scenario_);
    }
    work(*scenario_);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Scenario> scenario_;
  const std::vector<std::string> set_;
  const Names names_;
};

struct OutcomeObject {
  static constexpr Kind kind = Kind::outcome;
  static constexpr const char* name = "outcome";
  using Handle = salu_outcome;

  std::shared_ptr<const Scenario> scenario;
  Outcome outcome;
  /// Texts that are made on demand.
  struct Texts {
    std::string reason;
    std::string place;
    std::vector<std::string> kinds;  ///< of the warnings
  };
  std::mutex mutex{};            ///< protects `texts`
  std::optional<Texts> texts{};  ///< empty before the first request
};

struct TextObject {
  static constexpr Kind kind = Kind::text;
  static constexpr const char* name = "text";
  using Handle = salu_text;

  std::string text;
};

/// Returns the object of a handle; fails if the handle is not live or of another kind.
template <class Object>
std::shared_ptr<Object> object_of(const typename Object::Handle* handle) {
  std::shared_ptr<void> found = Handles::all().find(Object::kind, handle);
  if (found == nullptr)
    throw Failure(SALU_INVALID_HANDLE,
                  std::string("not a live handle of a") + (Object::kind == Kind::outcome ? "n " : " ") + Object::name);
  return std::static_pointer_cast<Object>(std::move(found));
}

/// Makes a handle of a new object.
template <class Object, class... Arguments>
typename Object::Handle* make_handle(Arguments&&... arguments) {
  return Handles::all().add<typename Object::Handle>(Object::kind,
                                                     std::make_shared<Object>(std::forward<Arguments>(arguments)...));
}

/// Frees a handle. Null has no effect.
template <class Object>
salu_status free_handle(const typename Object::Handle* handle) {
  return guarded([&] {
    if (handle == nullptr) return;
    // The object is destroyed after its last use, and outside of the lock.
    if (Handles::all().take(Object::kind, handle) == nullptr) object_of<Object>(handle);
  });
}

inline salu_text* make_text(std::string text) { return make_handle<TextObject>(std::move(text)); }

inline std::shared_ptr<const Scenario> scenario_of(const salu_scenario* handle) {
  return object_of<SharedScenario>(handle)->get();
}

/// Copies an array of strings; fails if one of them is NULL.
std::vector<std::string> strings_of(const char* const* texts, std::size_t count, const char* name);

/// True if the caller has set the cancel flag.
inline bool is_set(const volatile int32_t* cancel) {
  return cancel != nullptr && __atomic_load_n(cancel, __ATOMIC_RELAXED) != 0;
}

/// Copies the lanes of a vector register into the caller's arrays.
void read_lanes(const VectorRegisters& vectors, u32 number, u32* lanes, u64* defined);
/// Copies memory; fails if some of it is not mapped.
void read_memory(const Memory& memory, u64 address, void* bytes, std::size_t size);

/// Returns the register of a number from salu_register_find(); fails if it belongs to another generation.
RegisterName register_of(salu_register found, Generation generation);
/// Parses the name of a register of at most 64 bits; fails for whole vector registers.
RegisterName named_register(Generation generation, const char* name);

}  // namespace salu::capi
