#pragma once

#include <salu/integer.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

/// The yardstick: a minimal threaded interpreter of GFX9 words. It supports about eighteen instructions and one range
/// of memory, without faults, warnings, generations, allocation or observed runs. It is compiled for the processor on
/// which it is timed, and its only purpose is the comparison with salu.
namespace salu::bench {

/// The dispatch of the yardstick's loop.
enum class YardstickLoop : u8 { direct_goto, tail_calls };

/// True if this build contains the loop.
bool has_yardstick(YardstickLoop loop);

class Yardstick {
 public:
  /// Sixteen bytes: the handler, operands as indices into `registers`, and the target of a branch as a distance in
  /// micro-ops.
  struct MicroOp {
    const void* handler;
    u8 d;
    u8 a;
    u8 b;
    u8 cost;     ///< for a branch: instructions since the last one
    i32 target;  ///< for a load: the offset in bytes
  };
  struct Context {
    std::array<u32, 264> registers;  ///< SGPRs and inline integers at their codes; an operand code is 8 bits wide
    u32 scc;
    i64 budget;
    u64 memory_base;
    u64 memory_bytes;
    const u8* memory;
    bool has_fault;  ///< an address outside of the memory was loaded
  };

  /// A loop that the build does not contain is replaced by the computed goto.
  explicit Yardstick(YardstickLoop loop);

  /// Sets the memory for loads. It must outlive the runs.
  void set_memory(u64 base, std::span<const u8> bytes);
  /// Zeroes the registers, then sets the first of them.
  void set_registers(std::span<const u32> first);
  /// Decodes words to micro-ops. Returns false if an instruction is not supported.
  bool decode(std::span<const u32> words);
  /// Runs the decoded program until S_ENDPGM.
  void run();

  [[nodiscard]] u32 read(u32 sgpr) const { return context_.registers[sgpr]; }

 private:
  YardstickLoop loop_;
  const void* const* handlers_;
  Context context_{};
  std::vector<MicroOp> ops_;
};

}  // namespace salu::bench
