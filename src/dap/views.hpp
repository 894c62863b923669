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
  std::string expression{};     ///< its expression, which can be set; may be empty
  std::optional<u64> memory{};  ///< the address of its memory, or to which it points
  u64 reference = 0;            ///< of its members; 0 without members
  u64 indexed = 0;              ///< number of indexed members

  [[nodiscard]] Json to_json() const;
};

/// `1 bit`, `32 bits`.
std::string bits_text(u32 width);
/// The width of an expression that is a register or memory; 0 for others.
u32 place_width(const expr::Expression& expression);
u32 place_width(const debug::Session& session, const std::string& expression);

/// The part of a group that a client requests.
struct Window {
  u64 start = 0;
  u64 count = 0;  ///< 0: all
};
inline constexpr u64 most_variables = 4096;  ///< in one answer

/// The groups into which the state of the selected wave is divided, for `scopes`.
Json list_scopes(const Debuggee& debuggee);
/// Returns the wave that a group belongs to.
Result<u64> wave_of_variables(const Debuggee& debuggee, u64 reference);
/// The members of a group. The session returns to its position.
Result<std::vector<Variable>> list_variables(Debuggee& debuggee, u64 reference, const Window& window);
/// Finds a member by its name.
Result<Variable> find_variable(Debuggee& debuggee, u64 reference, const std::string& name);

}  // namespace salu::dap
