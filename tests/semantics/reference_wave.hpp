#pragma once

#include <salu/memory.hpp>
#include <salu/program.hpp>
#include <salu/state.hpp>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "semantics/reference_alu.hpp"

/// A second implementation of the scalar unit: decodes with tests/data/isa, computes with the models of
/// reference_alu.hpp, and interprets one instruction after the other in the simplest way. It shares no code with
/// src/isa and src/core.
namespace salu::test {

inline bool is_one_of(const std::string& text, std::initializer_list<const char*> list) {
  return std::any_of(list.begin(), list.end(), [&](const char* each) { return text == each; });
}

/// Memory as arrays of bytes, one for each region.
struct ReferenceMemory {
  struct Row {
    u64 base = 0;
    std::vector<u8> bytes;
    bool writable = false;
  };
  std::vector<Row> rows;

  explicit ReferenceMemory(const Memory& memory);
  /// The byte at an address, or null if it is not mapped; with `to_write`, also if it is not writable.
  u8* find(u64 address, bool to_write);
  [[nodiscard]] bool has(u64 address, u32 size_bytes, bool to_write);
  [[nodiscard]] u32 load(u64 address);
  void store(u64 address, u32 value);
  /// True if another memory contains the same bytes.
  [[nodiscard]] bool equals(const Memory& memory) const;
};

class ReferenceWave {
 public:
  ReferenceWave(const Program& program, const WaveState& initial, const Memory& initial_memory, bool skip_vector);

  /// Runs until the run ends.
  void run(u64 max_steps);

  WaveState state;
  u64 steps = 0;
  u64 skipped_vector = 0;
  std::string stop = "step_limit";  ///< the name of the StopReason
  ReferenceMemory memory;
  std::vector<std::pair<std::string, u64>> warnings;

 private:
  /// The fields of one instruction; the literal is present if it has one.
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
    // Scalar memory; the data is in `sdst`, the base in `ssrc0`.
    i64 offset = 0;  ///< the immediate offset, in bytes
    std::optional<u32> offset_register{};
    bool glc = false;
  };
  /// An address and the number of accessible bytes.
  struct Access {
    u64 address = 0;
    i64 offset = 0;
    u32 dwords = 0;
    u32 in_range = 0;
  };

  void step();
  [[nodiscard]] bool takes_traps() const;
  void trap_after();
  bool asks_for_save_ = false;
  void end(const std::string& reason) { stop = reason; }
  void warn(const std::string& kind);
  [[nodiscard]] std::optional<u32> word_at(u64 address);
  std::optional<Fields> decode();
  bool operands_are_legal(const Fields& fields);
  bool check_register(u32 code, u32 dwords);
  bool decode_memory(Fields& fields, u32 word, std::optional<u32> second);
  bool check_memory_register(u32 code, u32 dwords, bool is_data);

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
  void execute_memory(const Fields& fields);
  void execute_atomic(const Fields& fields, const Access& access);
  Access find_access(const Fields& fields);
  bool can_access(const Access& access, bool to_write);
  std::vector<u32> read_run(u32 code, u32 dwords);
  void write_run(u32 code, const std::vector<u32>& values);
  [[nodiscard]] bool is_beyond(u32 code, u32 dwords) const;
  [[nodiscard]] bool hides_ttmps() const;
  void move_relative(const Fields& fields);
  void fork(u64 mask, u64 target);
  void join(u32 wanted);
  void trap(u32 id);
  void return_from_exception(u64 target);
  void pop_entry(u32 entry, u64 mask, u64 pc);
  void set_csp(u32 before, u32 after);
  void end_with_lanes(const std::string& reason, u64 pc);
  [[nodiscard]] bool branch_condition(const std::string& mnemonic) const;
  void set_status(u32 bit, bool value);

  const Program& program_;
  Generation generation_;
  bool skip_vector_;
  u64 pc_ = 0;    ///< of the current instruction
  u64 next_ = 0;  ///< address of the next instruction
  /// Lanes that wait on the control stack, with their origin.
  struct Waiting {
    u32 entry = 0;
    u64 mask = 0;
    u64 pc = 0;
    bool is_known = true;    ///< `mask` and `pc` are the expected values
    bool by_fork = true;     ///< a fork pushed it
    bool by_setreg = false;  ///< CSP was raised above it
  };
  std::vector<Waiting> waiting_;
  bool vccz_is_stale_ = false;  ///< a half of VCC was written after the whole register
};

}  // namespace salu::test
