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

/// The sources of the code for the client: existing files of its line entries, and a listing for the rest.
class Sources {
 public:
  /// Both must outlive this object.
  Sources(const Scenario& scenario, const core::Machine& machine);

  /// A source named by a client.
  struct Id {
    bool is_listing = false;
    std::vector<u32> files;  ///< indices into `Program::files`

    friend bool operator==(const Id&, const Id&) = default;
  };
  /// A canonical name of a file, without links and dots, as far as it exists.
  static std::string one_name(const std::string& path);
  /// Finds the source that a client names; an error if this program does not have it.
  [[nodiscard]] Result<Id> find(Arguments& source) const;

  struct Origin {
    Json source;
    u32 line = 0;
  };
  /// The source line of an instruction; nothing outside of code.
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
  std::vector<std::optional<std::filesystem::path>> paths_;  ///< of existing files
  std::string listing_;
  std::map<u64, u32> line_in_listing_;  ///< by address
  std::vector<Line> listed_;            ///< by line
};

}  // namespace salu::dap
