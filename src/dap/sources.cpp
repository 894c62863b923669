#include "dap/sources.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

#include "support/numbers.hpp"

namespace salu::dap {
namespace {

namespace fs = std::filesystem;

constexpr u32 last_line = std::numeric_limits<u32>::max();
constexpr std::size_t most_listed = 100'000;

/// A canonical name of a file; nothing if it does not exist.
std::optional<fs::path> real_path(const std::string& name) {
  std::error_code error;
  if (name.empty() || !fs::is_regular_file(name, error) || error) return std::nullopt;
  fs::path path = fs::canonical(name, error);
  if (error) return std::nullopt;
  return path;
}

}  // namespace

Sources::Sources(const Scenario& scenario, const core::Machine& machine) : scenario_(scenario) {
  for (const std::string& file : scenario.program.files) paths_.push_back(real_path(file));
  list_code(machine);
}

/// Lists a line for each label and each instruction.
void Sources::list_code(const core::Machine& machine) {
  const Program& program = scenario_.program;
  u32 line = 1;
  const auto add = [&](const std::string& text) {
    listing_ += text + "\n";
    ++line;
  };
  add(fmt::format("// {} on {}, as it was loaded", scenario_.name, program.target->name));
  for (const CodeBlock& block : program.code) {
    for (u64 address = block.base; address < block.end();) {
      if (listed_.size() == most_listed) {
        add("// ... and more: the listing ends here");
        return;
      }
      const std::string label = program.describe_address(address);
      if (!label.empty() && label.find('+') == std::string::npos) add(label + ":");
      line_in_listing_[address] = line;
      listed_.push_back({line, {address}});
      add(fmt::format("  {}  {}", support::hex(address), machine.code().text_at(address)));
      address += u64{machine.code().instruction_at(address)->dwords} * 4;
    }
  }
}

Json Sources::listing_source() const {
  return {{"name", fs::path(scenario_.file).filename().string() + " (code)"},
          {"sourceReference", listing_reference},
          {"presentationHint", "deemphasize"}};
}

std::string Sources::one_name(const std::string& path) {
  const std::optional<fs::path> real = real_path(path);
  return real ? real->string() : path;
}

Result<Sources::Id> Sources::find(Arguments& source) const {
  const u64 reference = source.count("sourceReference", 0);
  const std::string path = source.text("path");
  if (source.problem()) return *source.problem();
  if (reference == static_cast<u64>(listing_reference)) return Id{true, {}};
  if (reference != 0) return refusal(fmt::format("no source with the reference {}", reference));
  if (path.empty()) return refusal("a source needs a `path` or a `sourceReference`");
  Id id;
  const std::optional<fs::path> wanted = real_path(path);
  for (u32 i = 0; wanted && i < paths_.size(); ++i) {
    if (paths_[i] == wanted) id.files.push_back(i);
  }
  if (id.files.empty()) return refusal("no code of this program is from " + path);
  return id;
}

std::optional<Sources::Origin> Sources::origin_of(u64 address) const {
  const LineEntry* const entry = scenario_.program.find_line(address);
  if (entry != nullptr && entry->line != 0 && paths_[entry->file]) {
    const fs::path& path = *paths_[entry->file];
    return Origin{{{"name", path.filename().string()}, {"path", path.string()}}, entry->line};
  }
  const auto found = line_in_listing_.find(address);
  if (found == line_in_listing_.end()) return std::nullopt;
  return Origin{listing_source(), found->second};
}

std::vector<Sources::Line> Sources::lines(const Id& source, u32 first, u32 last) const {
  if (source.is_listing) {
    std::vector<Line> result;
    std::ranges::copy_if(listed_, std::back_inserter(result),
                         [&](const Line& each) { return each.line >= first && each.line <= last; });
    return result;
  }
  return debug::code_lines(scenario_.program, source.files, first, last);
}

std::optional<Sources::Line> Sources::line_at_or_after(const Id& source, u32 line) const {
  std::vector<Line> found = lines(source, line, last_line);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

Json Sources::all() const {
  Json sources = Json::array();
  std::vector<fs::path> seen;
  for (const auto& path : paths_) {
    if (!path || std::ranges::find(seen, *path) != seen.end()) continue;
    seen.push_back(*path);
    sources.push_back({{"name", path->filename().string()}, {"path", path->string()}});
  }
  sources.push_back(listing_source());
  return sources;
}

}  // namespace salu::dap
