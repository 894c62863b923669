#include "loader/scenario/case_places.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "loader/rejection.hpp"
#include "support/numbers.hpp"

namespace salu::loader {
namespace {

constexpr std::string_view output_prefix = "expect.";

/// Splits a name into the name and the size after it.
std::pair<std::string, std::string_view> split_size(std::string_view name) {
  const std::size_t bracket = name.find(']');
  const std::size_t colon = name.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const bool is_inside = bracket == std::string_view::npos && name.find('[') != std::string_view::npos;
  if (colon == std::string_view::npos || is_inside) return {std::string(name), {}};
  return {std::string(name.substr(0, colon)), name.substr(colon + 1)};
}

/// Parses a size in bytes.
Result<u32> read_bytes(std::string_view text) {
  const std::optional<u64> size = support::parse_unsigned(text);
  if (size && *size != 0 && *size <= 8) return static_cast<u32>(*size);
  return Error{ErrorCode::usage, {}, "expected 1 to 8 bytes after `:`; use another place for further bytes", {}};
}

/// Applies the size: bits of a register, or bytes of an argument or memory. Returns an error; empty on success.
std::string take_size(CasePlace& place, std::string_view text, const Scenario& scenario) {
  CaseColumn& column = place.column;
  if (!place.is_memory()) {
    const std::optional<u64> size = support::parse_unsigned(text);
    if (!size || *size == 0 || *size > place.bits) return fmt::format("expected 1 to {} bits after `:`", place.bits);
    place.bits = static_cast<u32>(*size);
    return {};
  }
  const Result<u32> size = read_bytes(text);
  if (!size) return size.error().message;
  if (!scenario.memory.is_mapped(column.address, *size))
    return "not all of " + range_text(column.address, column.address + *size) + " is memory of " + scenario.name;
  column.size_bytes = *size;
  place.bits = 8 * column.size_bytes;
  return {};
}

}  // namespace

CasePlaces::CasePlaces(const Scenario& scenario)
    : scenario_(scenario), symbols_(scenario.program), columns_(scenario, symbols_) {}

Result<std::vector<CasePlace>> CasePlaces::find(const std::string& name, const std::string& where, bool is_input) {
  Document document;
  document.source = std::make_shared<const Source>(where, "", "", false, 1);
  const Node node;
  const auto [path, size] = split_size(name);
  try {
    std::vector<std::size_t> headings;
    if (is_input && (path == "name" || path.starts_with(output_prefix)))
      document.fail(node, "`" + path + "` is not an input");
    u32 memory_bytes = CaseColumns::dword_bytes;
    if (path.starts_with("memory.") && size.data() != nullptr) {
      const Result<u32> bytes = read_bytes(size);
      if (!bytes) document.fail(node, "`" + name + "`: " + bytes.error().message);
      memory_bytes = *bytes;
    }
    columns_.add_heading(document, node, is_input ? path : std::string(output_prefix) + path,
                         is_input ? inputs_ : headings, memory_bytes);
    const CaseHeading& heading = columns_.heading(is_input ? inputs_.back() : headings.back());
    std::vector<CasePlace> places;
    for (std::size_t i = 0; i < heading.count; ++i) {
      CasePlace place{columns_.columns()[heading.first + i], 32};
      place.bits = place.is_memory() ? 8 * place.column.size_bytes : place.column.name.width;
      const std::string problem = size.data() == nullptr ? std::string() : take_size(place, size, scenario_);
      if (!problem.empty()) document.fail(node, "`" + name + "`: " + problem);
      if (!is_input) place.column.path.erase(0, output_prefix.size());
      if (size.data() != nullptr) place.column.path.append(":").append(size);
      places.push_back(std::move(place));
    }
    return places;
  } catch (Rejection& rejection) {
    Error error = std::move(rejection).take();
    error.code = ErrorCode::usage;
    return error;
  }
}

Result<CasePlace> CasePlaces::add_input(const std::string& name, const std::string& where) {
  Result<std::vector<CasePlace>> found = find(name, where, true);
  if (!found) return std::move(found).error();
  if (found->size() == 1) return std::move(found->front());
  return Error{ErrorCode::usage, {where}, fmt::format("`{}` has 64 lanes; name one, as in {}[7]", name, name), {}};
}

Result<std::vector<CasePlace>> CasePlaces::find_outputs(const std::string& name, const std::string& where) {
  return find(name, where, false);
}

}  // namespace salu::loader
