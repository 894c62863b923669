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

/// What kind of thing starts at the entry of a program.
enum class EntryKind : u8 {
  plain,        ///< assembly or words: nothing says what its results are
  function,     ///< compiled, and comes back: its results are in registers from s0 on
  ends_itself,  ///< compiled, and ends with S_ENDPGM: a kernel, or a shader without results
};
EntryKind entry_kind(const Program& program);

/// True for the stack, frame and base pointer of a function that follows LLVM's calling convention.
bool is_stack_register(const Program& program, u32 code);

/// True for a scalar register whose initial value is varied where nothing gives one.
bool can_vary(Generation generation, u32 code);

/// Finds out what programs do with registers: what they may write from their code, the rest from some of their runs.
class Discovery {
 public:
  explicit Discovery(const Programs& programs);

  /// Looks on at the run that a side made last. Returns the registers that it read before it wrote them, and that
  /// nothing has given a value, as new inputs; those that are inputs already are not among them.
  std::vector<Input> watch(const Side& side, const std::vector<Input>& inputs);

  /// Registers that were read and not varied, with the reason: `s4, s5: they have values of their own`.
  [[nodiscard]] std::vector<std::string> not_varied() const;
  /// Notes that a register is not varied. The reasons are few.
  void note_not_varied(const std::string& name, std::string_view reason);

  /// Whether both programs wrote an SGPR in every run that came to a regular end; whether either wrote it at all.
  [[nodiscard]] bool is_written_always(u32 sgpr) const;
  [[nodiscard]] bool is_written(u32 sgpr) const;
  /// Whether no run of either program read what it had written last to an SGPR.
  [[nodiscard]] bool is_left_behind(u32 sgpr) const;

  /// The registers that a side may write in any run.
  [[nodiscard]] const observe::WaveRegisters& writes(std::size_t side) const { return flows_[side].writes; }
  /// True if the code of both programs may write an SGPR, or one writes it and the other may return an argument there.
  [[nodiscard]] bool may_be_result(u32 sgpr) const;
  [[nodiscard]] bool may_be_vector_result(u32 vgpr) const;
  /// True if the code tells which registers both programs access.
  [[nodiscard]] bool knows_code() const { return flows_[0].is_exact && flows_[1].is_exact; }

  // ---- vector registers, by their number ----

  /// Those that a side has written, in some lane.
  [[nodiscard]] const std::bitset<VectorRegisters::count>& vectors_written(std::size_t side) const {
    return uses_[side].vectors_written;
  }
  /// As of SGPRs.
  [[nodiscard]] bool is_vector_written_always(u32 vgpr) const;
  [[nodiscard]] bool is_vector_left_behind(u32 vgpr) const;

  /// Whether a program read SGPRs, or VGPRs, that nothing had given a value: where its arguments are. Compilers read
  /// any VGPR for a word that may be anything; an argument is in v0, or in one that both programs read.
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
  /// Adds the vector registers that a run read before it wrote them.
  void watch_vectors(const Side& side, const std::vector<TracedStep>& steps, std::vector<Input>& inputs);
  bool is_varied(const std::vector<Input>& inputs, std::size_t side, u32 code) const;

  Programs programs_;
  std::array<Use, 2> uses_;
  std::array<observe::RegisterFlow, 2> flows_;
  bool takes_scalars_ = false;
  std::vector<std::pair<std::string_view, std::vector<std::string>>> not_varied_;  ///< reason, names
};

}  // namespace salu::equiv
