#pragma once

#include <salu/scenario.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/machine.hpp"
#include "dap/arguments.hpp"
#include "debug/code_lines.hpp"

namespace salu::dap {

/// What the code of a program comes from, as a client shows it: the files of its lines, as far as they are there, and a
/// listing of its code for the rest.
class Sources {
 public:
  /// Both have to outlive it.
  Sources(const Scenario& scenario, const core::Machine& machine);

  /// A source as a client names one.
  struct Id {
    bool is_listing = false;
    std::vector<u32> files;  ///< indices into `Program::files`

    friend bool operator==(const Id&, const Id&) = default;
  };
  /// One name for all names of a file: without links and dots, as far as it is there.
  static std::string one_name(const std::string& path);
  /// The source of this program that a client means; an error says that it has none.
  [[nodiscard]] Result<Id> find(Arguments& source) const;

  struct Origin {
    Json source;
    u32 line = 0;
  };
  /// Where an instruction comes from; nothing where there is no code.
  [[nodiscard]] std::optional<Origin> origin_of(u64 address) const;

  using Line = debug::CodeLine;
  /// The lines of a source from `first` to `last` that have code, in order.
  [[nodiscard]] std::vector<Line> lines(const Id& source, u32 first, u32 last) const;
  /// The first line from `line` on that has code.
  [[nodiscard]] std::optional<Line> line_at_or_after(const Id& source, u32 line) const;

  /// All sources, for `loadedSources`.
  [[nodiscard]] Json all() const;
  /// The text of the listing.
  [[nodiscard]] const std::string& listing() const { return listing_; }
  static constexpr i64 listing_reference = 1;

 private:
  void list_code(const core::Machine& machine);
  [[nodiscard]] Json listing_source() const;

  const Scenario& scenario_;
  std::vector<std::optional<std::filesystem::path>> paths_;  ///< of the files that are there
  std::string listing_;
  std::map<u64, u32> line_in_listing_;  ///< by address
  std::vector<Line> listed_;            ///< by line
};

}  // namespace salu::dap
