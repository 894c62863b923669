#pragma once

#include <string>
#include <vector>

#include "dap/arguments.hpp"
#include "dap/launch.hpp"

namespace salu::dap {

/// A register, a field, a dword of memory, or a group of these.
struct Variable {
  std::string name{};
  std::string value{};
  std::string type{};
  std::string expression{};     ///< what evaluates to it, and can be set; empty for none
  std::optional<u64> memory{};  ///< the address that it points to, or is at
  u64 reference = 0;            ///< of what is in it; 0 for nothing
  u64 indexed = 0;              ///< how many of these have numbers

  [[nodiscard]] Json to_json() const;
};

/// `1 bit`, `32 bits`.
std::string bits_text(u32 width);
/// The bits of an expression that is a register or memory; 0 for anything else, which has no number of its own.
u32 place_width(const expr::Expression& expression);
u32 place_width(const debug::Session& session, const std::string& expression);

/// What of a group a client wants to see.
struct Window {
  u64 start = 0;
  u64 count = 0;  ///< 0: all
};
inline constexpr u64 most_variables = 4096;  ///< in one answer

/// The groups into which the state of the wave is divided, for `scopes`.
Json list_scopes(const Debuggee& debuggee);
/// What is in a group. The session is where it was afterwards.
Result<std::vector<Variable>> list_variables(Debuggee& debuggee, u64 reference, const Window& window);
/// One of them by its name.
Result<Variable> find_variable(Debuggee& debuggee, u64 reference, const std::string& name);

}  // namespace salu::dap
