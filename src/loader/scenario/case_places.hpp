#pragma once

#include <salu/cases.hpp>
#include <salu/error.hpp>
#include <salu/scenario.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loader/scenario/case_columns.hpp"
#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"

/// What columns of a table are about, where no table of a scenario says it: on a command line, in a file of its own.
namespace salu::loader {

/// A part of the state by the name that a column of `cases:` has: `s0`, `s[2:3]`, `args.n`, `memory.0x10000`; also the
/// low bits of a register (`s0:8`), and up to 8 bytes of memory (`memory.0x10000:1`).
struct CasePlace {
  CaseColumn column;
  u32 bits = 32;  ///< the low ones that count

  [[nodiscard]] const std::string& name() const { return column.path; }
  [[nodiscard]] bool is_memory() const {
    return column.kind == CaseColumn::Kind::input_memory || column.kind == CaseColumn::Kind::expected_memory;
  }
};

/// Finds places of one scenario. Errors are about wrong usage, at `where` (`--vary s0=1..5`).
class CasePlaces {
 public:
  /// The scenario has to outlive it.
  explicit CasePlaces(const Scenario& scenario);

  /// A place to set; no two of them may share bits.
  Result<CasePlace> add_input(const std::string& name, const std::string& where);
  /// A place to ask for, or the lanes of a vector register.
  Result<std::vector<CasePlace>> find_outputs(const std::string& name, const std::string& where);

 private:
  Result<std::vector<CasePlace>> find(const std::string& name, const std::string& where, bool is_input);

  const Scenario& scenario_;
  SymbolIndex symbols_;
  CaseColumns columns_;
  std::vector<std::size_t> inputs_;  ///< headings
};

/// The rows of a table in a file of its own (.csv, .jsonl) for a scenario.
Result<std::shared_ptr<const CaseTable>> load_case_rows(const std::string& path, const Scenario& scenario,
                                                        const LoadOptions& options);

}  // namespace salu::loader
