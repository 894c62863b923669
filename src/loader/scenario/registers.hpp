#pragma once

#include <salu/scenario.hpp>
#include <salu/state.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loader/number.hpp"
#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

/// s[30:31]: the return address of a function in LLVM's default calling convention.
inline constexpr u32 return_register = 30;

/// Values for the first `count` lanes of a vector register or a pair.
struct LaneValues {
  std::array<u64, state_index::lanes> values{};
  u32 count = 0;
};

/// Writes the values of one source (`registers:`, a state file, `--set`) into a state. Names may overlap (`mode` and
/// `csp`, `s0` and `s[0:1]`) if they agree on shared bits.
class RegisterWriter {
 public:
  RegisterWriter(WaveState& state, Generation generation) : state_(state), generation_(generation) {}

  /// Sets a register, a tuple of up to 16, or a lane. `value` must fit. Returns an error; empty on success.
  std::string write(const RegisterName& name, const Number& value);
  /// Sets lanes of one or two vector registers.
  std::string write(const RegisterName& name, const LaneValues& lanes);

  /// The values set so far, in order.
  [[nodiscard]] const std::vector<std::pair<RegisterName, u64>>& written() const { return written_; }

  /// True if any part of these dwords of the register file was set.
  [[nodiscard]] bool wrote(u32 first_code, u32 dwords) const;

 private:
  struct Bits {
    u64 mask = 0;
    u64 value = 0;
  };
  std::string write_piece(const RegisterName& name, u64 value);
  std::string write_lane(u32 index, u32 value);
  void set(const RegisterName& name, u64 value);

  WaveState& state_;
  Generation generation_;
  std::array<Bits, state_index::scalar_count> given_{};
  std::unordered_map<u32, u32> given_lanes_;  ///< by `state_index`
  std::vector<std::pair<RegisterName, u64>> written_;
};

/// Sets registers in each wave of a scenario with several waves; does nothing for one wave.
void set_in_waves(Scenario& scenario, const std::vector<std::pair<RegisterName, u64>>& values);

/// The numbers of registers that can be named.
struct RegisterCounts {
  u32 sgprs = 0;
  u32 vgprs = VectorRegisters::vgprs;
  u32 agprs = VectorRegisters::vgprs;
};

inline RegisterCounts allocated_registers(const WaveState& state) { return {state.sgprs, state.vgprs, state.agprs}; }
inline RegisterCounts all_registers(Generation generation) { return {sgpr_limit(generation)}; }

/// Reads the name of a register in a document. Rejects registers that the generation does not have, that are beyond
/// `counts`, and that cannot be set from outside.
RegisterName read_register_name(const Document& document, const Node& node, Generation generation,
                                const RegisterCounts& counts);

/// Finds such a register by a name from another source; on failure returns nothing and sets `what_is_wrong`.
std::optional<RegisterName> find_settable_register(std::string_view text, Generation generation,
                                                   const RegisterCounts& counts, std::string& what_is_wrong);

/// Reads a value for a register: a number, {f32: 1.5}, a label, or a list of dwords (lowest first) for a tuple. PC must
/// be dword aligned and within the address space.
Number read_register_value(const Document& document, const Node& node, const std::string& what,
                           const RegisterName& name, Generation generation, const SymbolIndex& symbols);

/// Reads the value of whole vector registers: a value for all lanes, a list from lane 0 on, or {lane_ids: true}.
LaneValues read_lane_values(const Document& document, const Node& node, const std::string& what,
                            const RegisterName& name, const SymbolIndex& symbols);

/// Reads the value of a register of any kind and sets it. Rejects malformed values; returns any other error, or an
/// empty text.
std::string write_register_value(const Document& document, const Node& node, const std::string& what,
                                 const RegisterName& name, Generation generation, const SymbolIndex& symbols,
                                 RegisterWriter& writer);

/// Reads `registers:`. `counts` limits the registers that may be named.
void read_registers(const Document& document, const Node& node, Generation generation, const RegisterCounts& counts,
                    const SymbolIndex& symbols, RegisterWriter& writer);
/// Reads `hwregs:`.
void read_hwregs(const Document& document, const Node& node, Generation generation, const SymbolIndex& symbols,
                 RegisterWriter& writer);
/// Reads the numbers of registers of the wave: `sgprs:`, `vgprs:` and `agprs:`, if present.
void read_allocation(const Document& document, const MapReader& map, Generation generation, WaveState& state);

/// Reads `expect: registers:`. A tuple of more than two registers becomes several expectations.
std::vector<RegisterExpectation> read_register_expectations(const Document& document, const Node& node,
                                                            Generation generation, const SymbolIndex& symbols);
/// Reads the expectation of one register: a value, or {value: 0x10, mask: 0xff}. For vector registers it returns an
/// expectation for each lane. `text` is the name in messages.
std::vector<RegisterExpectation> read_register_expectation(const Document& document, const Node& node,
                                                           const std::string& text, const RegisterName& name,
                                                           Generation generation, const SymbolIndex& symbols);

/// Splits a tuple into pieces of at most 64 bits, lowest first, and vector registers into lanes.
std::vector<RegisterName> pieces_of(const RegisterName& name);

/// Returns 64 bits of a number from bit 64 * `index` on, truncated to `width` bits.
u64 piece_value(const Number& number, std::size_t index, u32 width);

}  // namespace salu::loader
