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

/// s[30:31]: where a function of LLVM's default calling convention returns to.
inline constexpr u32 return_register = 30;

/// What the lanes of a vector register are, or of a pair of them; the first so many.
struct LaneValues {
  std::array<u64, state_index::lanes> values{};
  u32 count = 0;
};

/// Values from one source (`registers:`, a state file, `--set`) on their way into a state. Names may overlap (`mode`
/// and `csp`, `s0` and `s[0:1]`) as long as they agree on the bits that they share.
class RegisterWriter {
 public:
  RegisterWriter(WaveState& state, Generation generation) : state_(state), generation_(generation) {}

  /// Sets a register, a run of up to 16, or a lane. `value` fits. Returns what is wrong, or nothing.
  std::string write(const RegisterName& name, const Number& value);
  /// Sets lanes of a vector register, or of two.
  std::string write(const RegisterName& name, const LaneValues& lanes);

  /// What was set, in order.
  [[nodiscard]] const std::vector<std::pair<RegisterName, u64>>& written() const { return written_; }

  /// True when a value for any part of these dwords of the register file was given.
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

/// The waves of a scenario, which has some, with registers set in each of them.
std::shared_ptr<const DispatchedWaves> waves_with(const Scenario& scenario,
                                                  const std::vector<std::pair<RegisterName, u64>>& values);

/// The registers that can be named.
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

/// The same for a name from elsewhere: nothing and an explanation.
std::optional<RegisterName> find_settable_register(std::string_view text, Generation generation,
                                                   const RegisterCounts& counts, std::string& what_is_wrong);

/// A value for a register: a number, {f32: 1.5}, a label, or a list of dwords (lowest first) for a run of registers. PC
/// has to be dword aligned and within the address space.
Number read_register_value(const Document& document, const Node& node, const std::string& what,
                           const RegisterName& name, Generation generation, const SymbolIndex& symbols);

/// The same for whole vector registers: a value for all lanes, a list of them from lane 0 on, or {lane_ids: true}.
LaneValues read_lane_values(const Document& document, const Node& node, const std::string& what,
                            const RegisterName& name, const SymbolIndex& symbols);

/// Reads the value of a register of any kind and sets it. Returns what is wrong with it beside its form, or nothing.
std::string write_register_value(const Document& document, const Node& node, const std::string& what,
                                 const RegisterName& name, Generation generation, const SymbolIndex& symbols,
                                 RegisterWriter& writer);

/// Reads `registers:`. `counts`: the registers that may be named.
void read_registers(const Document& document, const Node& node, Generation generation, const RegisterCounts& counts,
                    const SymbolIndex& symbols, RegisterWriter& writer);
/// `hwregs:`.
void read_hwregs(const Document& document, const Node& node, Generation generation, const SymbolIndex& symbols,
                 RegisterWriter& writer);
/// Reads `sgprs:`, `vgprs:` and `agprs:`: how many registers the wave has, where the map says it.
void read_allocation(const Document& document, const MapReader& map, Generation generation, WaveState& state);

/// `expect: registers:`. A run of more than two registers becomes several expectations.
std::vector<RegisterExpectation> read_register_expectations(const Document& document, const Node& node,
                                                            Generation generation, const SymbolIndex& symbols);
/// What is expected of one register: a value, or {value: 0x10, mask: 0xff}; of vector registers an expectation for each
/// lane. `text` is its name as messages show it.
std::vector<RegisterExpectation> read_register_expectation(const Document& document, const Node& node,
                                                           const std::string& text, const RegisterName& name,
                                                           Generation generation, const SymbolIndex& symbols);

/// Cuts a run of registers into pieces of at most 64 bits, lowest first; vector registers into their lanes.
std::vector<RegisterName> pieces_of(const RegisterName& name);

/// 64 bits of a number from bit 64 * `index` on, cut to `width` bits.
u64 piece_value(const Number& number, std::size_t index, u32 width);

}  // namespace salu::loader
