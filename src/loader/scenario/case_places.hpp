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

/// Places of table columns outside of a scenario: on a command line, and in separate files.
namespace salu::loader {

/// A part of the state, named like a column of `cases:`: `s0`, `s[2:3]`, `args.n`, `memory.0x10000`; also the low bits
/// of a register (`s0:8`), and up to 8 bytes of memory (`memory.0x10000:1`).
struct CasePlace {
  CaseColumn column;
  u32 bits = 32;  ///< number of low bits used

  [[nodiscard]] const std::string& name() const { return column.path; }
  [[nodiscard]] bool is_memory() const {
    return column.kind == CaseColumn::Kind::input_memory || column.kind == CaseColumn::Kind::expected_memory;
  }
};

/// Finds places of one scenario. Reports usage errors at `where` (`--vary s0=1..5`).
class CasePlaces {
 public:
  /// `scenario` must outlive the object.
  explicit CasePlaces(const Scenario& scenario);

  /// Finds a place to set. Inputs must not share bits.
  Result<CasePlace> add_input(const std::string& name, const std::string& where);
  /// Finds an output place, or the lanes of a vector register.
  Result<std::vector<CasePlace>> find_outputs(const std::string& name, const std::string& where);

 private:
  Result<std::vector<CasePlace>> find(const std::string& name, const std::string& where, bool is_input);

  const Scenario& scenario_;
  SymbolIndex symbols_;
  CaseColumns columns_;
  std::vector<std::size_t> inputs_;  ///< headings
};

/// Loads the rows of a separate table file (.csv, .jsonl) for a scenario.
Result<std::shared_ptr<const CaseTable>> load_case_rows(const std::string& path, const Scenario& scenario,
                                                        const LoadOptions& options);

}  // namespace salu::loader
