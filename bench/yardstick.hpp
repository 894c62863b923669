#pragma once

#include <salu/integer.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

/// The yardstick: the least that a threaded interpreter of GFX9 words has to do. It knows a dozen and a half
/// instructions, has no faults, warnings, generations, allocation or observed runs, one range of memory, is compiled
/// for the very processor that it is timed on, and exists only to be timed beside salu.
namespace salu::bench {

/// How the yardstick's loop is written.
enum class YardstickLoop : u8 { direct_goto, tail_calls };

/// Whether this build has the loop.
bool has_yardstick(YardstickLoop loop);

class Yardstick {
 public:
  /// Sixteen bytes: where to go, operands as places in `registers`, the way to a branch's target in micro-ops.
  struct MicroOp {
    const void* handler;
    u8 d;
    u8 a;
    u8 b;
    u8 cost;     ///< of a branch: instructions since the last one
    i32 target;  ///< of a load: the offset in bytes
  };
  struct Context {
    std::array<u32, 264>
        registers;  ///< SGPRs at their codes, inline integers at theirs; an operand code is 8 bits wide
    u32 scc;
    i64 budget;
    u64 memory_base;
    u64 memory_bytes;
    const u8* memory;
    bool has_fault;  ///< something was loaded from elsewhere
  };

  /// A loop that the build lacks is replaced by the computed goto.
  explicit Yardstick(YardstickLoop loop);

  /// What loads see, at an address. It has to outlive the runs.
  void set_memory(u64 base, std::span<const u8> bytes);
  /// Zeroes the registers, then gives the first of them these values.
  void set_registers(std::span<const u32> first);
  /// Words to micro-ops. False when one is outside the subset.
  bool decode(std::span<const u32> words);
  /// Runs what was decoded last until S_ENDPGM.
  void run();

  [[nodiscard]] u32 read(u32 sgpr) const { return context_.registers[sgpr]; }

 private:
  YardstickLoop loop_;
  const void* const* handlers_;
  Context context_{};
  std::vector<MicroOp> ops_;
};

}  // namespace salu::bench
