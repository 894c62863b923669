#pragma once

#include <salu/event.hpp>

#include <functional>
#include <utility>
#include <vector>

#include "observe/observer.hpp"

namespace salu::observe {

/// Calls a function for each instruction of a run, with the values that it reads and writes, and another function
/// before it.
class Tracer : public Observer {
 public:
  using Trace = std::function<void(const TraceEvent&)>;
  explicit Tracer(core::Machine& machine, Trace trace = {}) : machine_(machine) { set_trace(std::move(trace)); }

  /// Sets the function, which may be null.
  void set_trace(Trace trace) {
    trace_ = std::move(trace);
    interest_.all = trace_ != nullptr;
  }
  /// Sets the function to call before each traced instruction, which may be null.
  void set_before(std::function<void(const InstructionInputs&)> before) { before_ = std::move(before); }
  void before(ObservedStep& step) override;
  void after(ObservedStep& step) override;

 private:
  void fill_inputs(InstructionInputs& inputs, u64 number, const ObservedStep& step) const;
  [[nodiscard]] StackStep stack_step(const ObservedStep& observed) const;

  core::Machine& machine_;
  Trace trace_;
  std::function<void(const InstructionInputs&)> before_;
  u64 exec_ = 0;  ///< before the instruction
  std::vector<LocationValue> read_;
  std::vector<LocationValue> written_;
  std::vector<VectorValue> vectors_read_;
  std::vector<VectorValue> vectors_written_;
};

}  // namespace salu::observe
