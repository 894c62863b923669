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

/// What is varied and what is compared: pieces of state that two programs know by the same name.
namespace salu::equiv {

/// The two programs: A, the reference, and B.
using Programs = std::array<const Scenario*, 2>;
inline constexpr std::array<std::size_t, 2> both_sides = {0, 1};

/// The low `bits` bits set; all for 64 and more.
constexpr u64 low_bits(u32 bits) { return support::ones(bits); }

/// A register, or memory at an address, in each of the two programs.
struct Place {
  std::string name;  ///< as reports print it: `s0`, `s[2:3]`, `args.n`, `memory 0x10000`
  bool is_memory = false;
  std::array<RegisterName, 2> registers{};
  std::array<u64, 2> addresses{};
  u64 size_bytes = 0;  ///< of memory
};

/// Whether two places share a bit in either program.
bool share_bits(const Place& left, const Place& right);

/// A place that is given values of up to 64 bits, `first` to `first + span` modulo 2^`bits`.
struct Input {
  Place place;
  u32 bits = 32;
  u64 first = 0;
  u64 span = low_bits(32);

  [[nodiscard]] bool is_whole() const { return span == low_bits(bits); }
  [[nodiscard]] support::ValueRange range() const { return {first, span, 1, bits}; }
  [[nodiscard]] bool allows(u64 value) const { return ((value - first) & low_bits(bits)) <= span; }
  /// `s1=1..31 (5 bits)`, as much of it as is not plain.
  [[nodiscard]] std::string describe() const;
};

/// A register as an input that takes all values.
inline Input whole_input(Place place) {
  const u32 bits = std::min<u32>(place.registers[0].width, 64);
  return {std::move(place), bits, 0, low_bits(bits)};
}

/// A place that is compared.
struct Output {
  Place place;
  u64 mask = ~u64{0};  ///< of a register: the bits that count
  /// Of a function: a result or a temporary, which the runs do not tell. It is written on paths that no first run took.
  bool may_be_temporary = false;
};

/// The inputs that a text of --inputs or --exhaustive (`option`, for messages) names.
Result<std::vector<Input>> parse_inputs(std::string_view text, const std::string& option, const Programs& programs);

/// A register of either program whose value stays.
struct FixedRegister {
  std::string text;  ///< as written: `s1=0`
  std::size_t side = 0;
  RegisterName name;
};
/// The registers that texts like `s1` or `s1=0` name, in pieces; names that a program does not have are left out.
std::vector<FixedRegister> parse_fixed(const std::vector<std::string>& texts, const Programs& programs);
/// What of a place stays, as written; null when nothing does.
const std::string* find_fixed(const std::vector<FixedRegister>& fixed, const Place& place);

/// What --outputs names.
struct OutputChoice {
  std::vector<Output> outputs;
  bool all_memory = false;  ///< `memory`
  bool stop = false;        ///< `stop`
};
Result<OutputChoice> parse_outputs(const std::vector<std::string>& texts, const Programs& programs);

/// The register of one program by its name in the other; nothing where the other lacks it.
std::optional<RegisterName> find_in(const Scenario& other, const std::string& name);

/// A register dword or pair of the file as an input or output of both programs; nothing where one of them lacks it.
std::optional<Place> file_place(const Programs& programs, std::size_t side, u32 code, u32 dwords);

/// Lanes of a vector register (a bit each; a0 is number 256), each as an input or output of both programs; none where
/// one of them lacks the register.
std::vector<Place> lane_places(const Programs& programs, u32 number, u64 lanes);

/// The place of an argument of a kernel, and its size; null where it has none of that name.
const KernelArgumentPlace* find_argument(const Scenario& scenario, std::string_view name);

/// The arguments of a kernel that are passed by value and that both programs have, as inputs; with `buffers` also the
/// first bytes of what its pointers point to. What cannot be varied is added to `left_out`, with the reason.
std::vector<Input> argument_inputs(const Programs& programs, bool buffers, std::vector<std::string>& left_out);

/// What a register or memory place holds in a state.
u64 read_bytes(const Memory& memory, u64 address, u64 size_bytes);

}  // namespace salu::equiv
