#pragma once

#include <salu/vector_registers.hpp>

#include <bitset>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equiv/place.hpp"
#include "equiv/side.hpp"
#include "equiv/trace.hpp"
#include "observe/register_flow.hpp"

namespace salu::equiv {

/// The kind of code at the entry of a program.
enum class EntryKind : u8 {
  plain,        ///< assembly or words: its results are unknown
  function,     ///< compiled, and returns: its results are in registers from s0 on
  ends_itself,  ///< compiled, and ends with S_ENDPGM: a kernel, or a shader without results
};
EntryKind entry_kind(const Program& program);

/// True for the stack, frame and base pointer of a function that follows LLVM's calling convention.
bool is_stack_register(const Program& program, u32 code);

/// True for a scalar register whose initial value is varied if it is not set.
bool can_vary(Generation generation, u32 code);

/// Finds the inputs and results of programs: registers that they may write from their code, everything else from some
/// of their runs.
class Discovery {
 public:
  explicit Discovery(const Programs& programs);

  /// Analyses the last run of a side. Returns new inputs: unset registers that it read before writing them, and that
  /// are not inputs yet.
  std::vector<Input> watch(const Side& side, const std::vector<Input>& inputs);

  /// The registers that were read but not varied, with the reason: `s4, s5: REASON`.
  [[nodiscard]] std::vector<std::string> not_varied() const;
  /// Notes that a register is not varied. `reason` is one of few literals.
  void note_not_varied(const std::string& name, std::string_view reason);

  /// True if both programs wrote an SGPR in every run with a regular end; `is_written`: true if either wrote it at all.
  [[nodiscard]] bool is_written_always(u32 sgpr) const;
  [[nodiscard]] bool is_written(u32 sgpr) const;
  /// True if no run of either program read the last value that it wrote to an SGPR.
  [[nodiscard]] bool is_left_behind(u32 sgpr) const;

  /// The registers that a side may write in some run.
  [[nodiscard]] const observe::WaveRegisters& writes(std::size_t side) const { return flows_[side].writes; }
  /// True if the code of both programs may write an SGPR, or one writes it and the other may return an argument there.
  [[nodiscard]] bool may_be_result(u32 sgpr) const;
  [[nodiscard]] bool may_be_vector_result(u32 vgpr) const;
  /// True if the registers that both programs access are known from their code.
  [[nodiscard]] bool knows_code() const { return flows_[0].is_exact && flows_[1].is_exact; }

  // ---- vector registers, by their number ----

  /// The vector registers of which a side has written some lane.
  [[nodiscard]] const std::bitset<VectorRegisters::count>& vectors_written(std::size_t side) const {
    return uses_[side].vectors_written;
  }
  /// As for SGPRs.
  [[nodiscard]] bool is_vector_written_always(u32 vgpr) const;
  [[nodiscard]] bool is_vector_left_behind(u32 vgpr) const;

  /// True if a program read unset SGPRs, or VGPRs, which then hold its arguments. Compilers use any VGPR as an
  /// undefined operand; an argument is in v0, or in a VGPR that both programs read.
  [[nodiscard]] bool takes_scalars() const { return takes_scalars_; }
  [[nodiscard]] bool takes_vectors() const {
    return uses_[0].takes_v0 || uses_[1].takes_v0 || (uses_[0].takes_vectors && uses_[1].takes_vectors);
  }

  static constexpr u32 most_results = 32;

 private:
  struct Use {
    u64 regular_runs = 0;
    bool takes_v0 = false;
    bool takes_vectors = false;
    std::bitset<state_index::defined_count> written;
    std::bitset<most_results> written_always;
    std::bitset<most_results> read_after_last_write;
    std::bitset<VectorRegisters::count> vectors_written;
    std::bitset<most_results> vectors_written_always;
    std::bitset<most_results> vectors_read_after_last_write;
  };
  void note_results(const Side& side, const std::vector<TracedStep>& steps);
  void note_vector_results(Use& use, const std::vector<TracedStep>& steps);
  /// Adds registers that a wave read before writing them. `initial`: its initial state.
  void watch_wave(const Side& side, const WaveState& initial, const std::vector<TracedStep>& steps,
                  std::vector<Input>& inputs);
  void watch_vectors(const Side& side, const WaveState& initial, const std::vector<TracedStep>& steps,
                     std::vector<Input>& inputs);
  bool is_varied(const std::vector<Input>& inputs, std::size_t side, u32 code) const;

  Programs programs_;
  std::array<Use, 2> uses_;
  std::array<observe::RegisterFlow, 2> flows_;
  bool takes_scalars_ = false;
  std::vector<std::pair<std::string_view, std::vector<std::string>>> not_varied_;  ///< reason, names
};

}  // namespace salu::equiv
