#pragma once

#include <salu/program.hpp>
#include <salu/state.hpp>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "semantics/reference_alu.hpp"

/// A second scalar unit: decodes with tests/data/isa, computes with the models of reference_alu.hpp, and interprets one
/// instruction after the other in the plainest way. Nothing in it comes from src/isa or src/core.
namespace salu::test {

inline bool is_one_of(const std::string& text, std::initializer_list<const char*> list) {
  return std::any_of(list.begin(), list.end(), [&](const char* each) { return text == each; });
}

class ReferenceWave {
 public:
  ReferenceWave(const Program& program, const WaveState& initial, bool skip_vector);

  /// Runs until something ends it.
  void run(u64 max_steps);

  WaveState state;
  u64 steps = 0;
  u64 skipped_vector = 0;
  std::string stop = "step_limit";  ///< StopReason's name, or `scalar_memory`
  std::vector<std::pair<std::string, u64>> warnings;

 private:
  /// The fields of one instruction; a literal is there when one was asked for.
  struct Fields {
    std::string mnemonic;
    std::string format;
    u32 d_dwords = 0;
    u32 s0_dwords = 0;
    u32 s1_dwords = 0;
    u32 sdst = 0;
    u32 ssrc0 = 0;
    u32 ssrc1 = 0;
    u32 simm16 = 0;
    std::optional<u32> literal{};
    u64 size = 4;
  };

  void step();
  void end(const std::string& reason) { stop = reason; }
  void warn(const std::string& kind);
  [[nodiscard]] std::optional<u32> word_at(u64 address) const;
  std::optional<Fields> decode();
  bool operands_are_legal(const Fields& fields);
  bool check_register(u32 code, u32 dwords);

  u64 read(const Fields& fields, u32 code, u32 dwords, bool sign_extend);
  void write(u32 code, u32 dwords, u64 value);
  void define(u32 first, u32 count);
  [[nodiscard]] bool priv() const { return state.status_flag(status_bit::priv); }
  [[nodiscard]] u64 address_mask() const { return (u64{1} << (is_gfx9(generation_) ? 48 : 40)) - 4; }
  [[nodiscard]] u32 read_hwreg(u32 id);
  void write_hwreg(const Fields& fields, u32 value);

  void execute(const Fields& fields);
  bool execute_alu(const Fields& fields);
  void execute_sop1(const Fields& fields);
  void execute_sopc(const Fields& fields);
  void execute_sopk(const Fields& fields);
  void execute_sopp(const Fields& fields);
  void move_relative(const Fields& fields);
  void fork(u64 mask, u64 target);
  void join(u32 wanted);
  void trap(u32 id);
  void return_from_exception(u64 target);
  [[nodiscard]] bool branch_condition(const std::string& mnemonic) const;
  void set_status(u32 bit, bool value);

  const Program& program_;
  Generation generation_;
  bool skip_vector_;
  u64 pc_ = 0;    ///< of the instruction in progress
  u64 next_ = 0;  ///< where it goes on
};

}  // namespace salu::test
