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

/// What handles stand for.
namespace salu::capi {

/// A scenario that runs, outcomes and sessions share until somebody changes it.
class SharedScenario {
 public:
  static constexpr Kind kind = Kind::scenario;
  static constexpr const char* name = "scenario";
  using Handle = salu_scenario;

  /// What callers keep pointers to, which changes leave alone.
  struct Names {
    std::string name;
    std::string file;
    std::string target;
    std::string generation;
  };

  /// `set` holds against what the rows of its table say, as `loader::scenario_of_row` takes it.
  SharedScenario(std::shared_ptr<const Scenario> scenario, std::vector<std::string> set)
      : scenario_(std::const_pointer_cast<Scenario>(std::move(scenario))),
        set_(std::move(set)),
        names_{scenario_->name, scenario_->file, std::string(scenario_->program.target->name),
               std::string(generation_name(scenario_->program.generation()))} {}

  [[nodiscard]] const Names& names() const { return names_; }
  [[nodiscard]] const std::vector<std::string>& set() const { return set_; }

  /// As it is now; it does not change any more.
  [[nodiscard]] std::shared_ptr<const Scenario> get() const {
    const std::lock_guard lock(mutex_);
    return scenario_;
  }
  /// Lets `work` change it, or a copy where somebody else has it.
  template <class Work>
  void change(const Work& work) {
    const std::lock_guard lock(mutex_);
    if (scenario_.use_count() == 1) {
      // Whoever had it before is done with it.
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
  /// Texts that nobody may ask for.
  struct Texts {
    std::string reason;
    std::string place;
    std::vector<std::string> kinds;  ///< of the warnings
  };
  std::mutex mutex{};            ///< of `texts`
  std::optional<Texts> texts{};  ///< once they are asked for
};

struct TextObject {
  static constexpr Kind kind = Kind::text;
  static constexpr const char* name = "text";
  using Handle = salu_text;

  std::string text;
};

/// The object of a handle, which has to be live and of its kind.
template <class Object>
std::shared_ptr<Object> object_of(const typename Object::Handle* handle) {
  std::shared_ptr<void> found = Handles::all().find(Object::kind, handle);
  if (found == nullptr)
    throw Failure(SALU_INVALID_HANDLE, std::string("this is no live handle of a") +
                                           (Object::kind == Kind::outcome ? "n " : " ") + Object::name);
  return std::static_pointer_cast<Object>(std::move(found));
}

/// Makes a handle of a new object.
template <class Object, class... Arguments>
typename Object::Handle* make_handle(Arguments&&... arguments) {
  return Handles::all().add<typename Object::Handle>(Object::kind,
                                                     std::make_shared<Object>(std::forward<Arguments>(arguments)...));
}

/// Frees a handle. Null is none.
template <class Object>
salu_status free_handle(const typename Object::Handle* handle) {
  return guarded([&] {
    if (handle == nullptr) return;
    // The object goes when nobody uses it any more, and outside of the lock.
    if (Handles::all().take(Object::kind, handle) == nullptr) object_of<Object>(handle);
  });
}

inline salu_text* make_text(std::string text) { return make_handle<TextObject>(std::move(text)); }

inline std::shared_ptr<const Scenario> scenario_of(const salu_scenario* handle) {
  return object_of<SharedScenario>(handle)->get();
}

/// Strings that the caller names, none of them NULL.
std::vector<std::string> strings_of(const char* const* texts, std::size_t count, const char* name);

/// Whether the flag that the caller may set is set.
inline bool is_set(const volatile int32_t* cancel) {
  return cancel != nullptr && __atomic_load_n(cancel, __ATOMIC_RELAXED) != 0;
}

/// The lanes of a vector register, for a caller that has room for them.
void read_lanes(const VectorRegisters& vectors, u32 number, u32* lanes, u64* defined);
/// Memory, all of which has to be mapped.
void read_memory(const Memory& memory, u64 address, void* bytes, std::size_t size);

/// A register that was found before, of a generation.
RegisterName register_of(salu_register found, Generation generation);
/// A name of a register that has at most 64 bits and no unnamed lanes.
RegisterName named_register(Generation generation, const char* name);

}  // namespace salu::capi
