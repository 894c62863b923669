#pragma once

#include <salu/error.hpp>
#include <salu/scenario.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/combinations.hpp"

/// Inputs and outputs: parts of the state that have the same name in two programs.
namespace salu::equiv {

/// The two programs: A, the reference, and B.
using Programs = std::array<const Scenario*, 2>;
inline constexpr std::array<std::size_t, 2> both_sides = {0, 1};

/// A mask of the low `bits` bits; all bits for 64 and more.
constexpr u64 low_bits(u32 bits) { return support::ones(bits); }

/// A register, or memory at an address, in each of the two programs.
struct Place {
  std::string name;  ///< as reports print it: `s0`, `s[2:3]`, `args.n`, `memory 0x10000`
  bool is_memory = false;
  std::array<RegisterName, 2> registers{};
  std::array<u64, 2> addresses{};
  u64 size_bytes = 0;  ///< of memory
};

/// True if two places share a bit in either program.
bool share_bits(const Place& left, const Place& right);

/// A place that is varied, with values of up to 64 bits: `first` to `first + span` modulo 2^`bits`.
struct Input {
  Place place;
  u32 bits = 32;
  u64 first = 0;
  u64 span = low_bits(32);

  [[nodiscard]] bool is_whole() const { return span == low_bits(bits); }
  [[nodiscard]] support::ValueRange range() const { return {first, span, 1, bits}; }
  [[nodiscard]] bool allows(u64 value) const { return ((value - first) & low_bits(bits)) <= span; }
  /// Describes the input: its name, with bits and range unless they are the default.
  [[nodiscard]] std::string describe() const;
};

/// Makes an input of a register with all its values.
inline Input whole_input(Place place) {
  const u32 bits = std::min<u32>(place.registers[0].width, 64);
  return {std::move(place), bits, 0, low_bits(bits)};
}

/// A place that is compared.
struct Output {
  Place place;
  u64 mask = ~u64{0};  ///< compared bits of a register
  /// A result or a temporary of a function, which the runs do not distinguish: it is written on paths that no trial run
  /// took.
  bool may_be_temporary = false;
  std::optional<FloatComparison> floats{};  ///< it consists of floats, which may differ by a distance
};

/// Parses the inputs in a text of --inputs or --exhaustive (`option`, for messages).
Result<std::vector<Input>> parse_inputs(std::string_view text, const std::string& option, const Programs& programs);

/// A register of one program that is not varied.
struct FixedRegister {
  std::string text;  ///< as written: `s1=0`
  std::size_t side = 0;
  RegisterName name;
};
/// Parses the registers in texts like `s1` or `s1=0`, in pieces; unknown names of a program are ignored.
std::vector<FixedRegister> parse_fixed(const std::vector<std::string>& texts, const Programs& programs);
/// Returns the text of the first fixed register that overlaps a place; null if none exists.
const std::string* find_fixed(const std::vector<FixedRegister>& fixed, const Place& place);

/// The outputs named by --outputs.
struct OutputChoice {
  std::vector<Output> outputs;
  bool all_memory = false;                         ///< `memory`
  std::optional<FloatComparison> memory_floats{};  ///< of `memory:f32`
  bool stop = false;                               ///< `stop`
};
/// `ulps`: the allowed distance of floats without one.
Result<OutputChoice> parse_outputs(const std::vector<std::string>& texts, const Programs& programs, u64 ulps);

/// Finds a register of the other program by its name; nothing if the other program does not have it.
std::optional<RegisterName> find_in(const Scenario& other, const std::string& name);

/// Returns the place of a register dword or pair of the file in both programs; nothing if one of them does not have it.
std::optional<Place> file_place(const Programs& programs, std::size_t side, u32 code, u32 dwords);

/// Returns the places of lanes (a bit mask) of a vector register (a0 is number 256) in both programs; empty if one of
/// them does not have the register.
std::vector<Place> lane_places(const Programs& programs, u32 number, u64 lanes);

/// Finds an argument of a kernel by its name; null if none exists.
const KernelArgumentPlace* find_argument(const Scenario& scenario, std::string_view name);

/// Returns the arguments of a kernel that are passed by value and that both programs have, as inputs; with `buffers`
/// also the first bytes of buffers that its pointers point to, and for several waves a dword for each work-item.
/// Arguments that cannot be varied are added to `left_out`, with the reason.
std::vector<Input> argument_inputs(const Programs& programs, bool buffers, std::vector<std::string>& left_out);

/// Returns the value of memory.
u64 read_bytes(const Memory& memory, u64 address, u64 size_bytes);

}  // namespace salu::equiv
