#include "api/opening.hpp"

#include "loader/scenario/one_scenario.hpp"
#include "support/numbers.hpp"

namespace salu::api {

Result<Scenario> load_selected(const std::string& path, const LoadOptions& options,
                               const ScenarioSelection& selection) {
  return loader::load_one(
      path, options,
      {.document = selection.document, .row = selection.row, .document_option = "`document`", .row_option = "`row`"});
}

std::optional<Error> find_wave_problem(const Scenario& scenario) {
  if (scenario.waves == nullptr) return std::nullopt;
  return usage("the scenario runs all waves of a grid; select one wave with `wave:`");
}

std::optional<Error> find_mapping_problem(const Memory& memory, u64 address, u64 size_bytes) {
  const bool is_in_space = size_bytes <= Memory::end_address && address <= Memory::end_address - size_bytes;
  if (size_bytes == 0 || (is_in_space && memory.is_mapped(address, size_bytes))) return std::nullopt;
  return usage("the memory at " + support::range_text(address, address + size_bytes) + " is not mapped");
}

Result<std::vector<u8>> read_mapped(const Memory& memory, u64 address, std::size_t size_bytes) {
  if (std::optional<Error> problem = find_mapping_problem(memory, address, size_bytes)) return *std::move(problem);
  std::vector<u8> bytes(size_bytes);
  memory.read(address, bytes);
  return bytes;
}

}  // namespace salu::api
