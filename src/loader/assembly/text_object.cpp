#include "loader/assembly/text_object.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "loader/launch/kernel_metadata.hpp"
#include "loader/launch/metadata_yaml.hpp"
#include "loader/rejection.hpp"

namespace salu::loader {
namespace {

struct System {
  std::string_view name;
  u8 os_abi;  ///< EI_OSABI
};
constexpr std::array<System, 3> systems = {{{"amdhsa", 64}, {"amdpal", 65}, {"mesa3d", 66}}};

/// What llc and llvm-mc of LLVM 19 make without being told.
constexpr u32 usual_code_object_version = 5;

// EF_AMDGPU_FEATURE_XNACK_V4 and EF_AMDGPU_FEATURE_SRAMECC_V4 (LLVM AMDGPUUsage, ELF header flags).
constexpr u32 xnack_lowest = 8;
constexpr u32 sramecc_lowest = 10;
constexpr u32 feature_any = 1;
constexpr u32 feature_off = 2;
constexpr u32 feature_on = 3;

u32 feature_of(std::string_view target, std::string_view name) {
  const std::size_t found = target.find(":" + std::string(name));
  const std::size_t sign = found == std::string_view::npos ? found : found + 1 + name.size();
  if (sign >= target.size()) return feature_any;
  return target[sign] == '-' ? feature_off : feature_on;
}

ElfNote metadata_note(const std::string& yaml, const CodeInput& input) {
  const auto metadata = parse_metadata_yaml(yaml, input.file);
  if (!metadata || metadata->is_null()) {
    reject(ErrorCode::assembly, input.where,
           "the metadata of the kernels (.amdgpu_metadata) cannot be used: " +
               (metadata ? "it is empty" : metadata.error().message),
           input.source_line);
  }
  ElfNote note;
  note.name = "AMDGPU";
  note.type = metadata_note_type;
  const std::vector<std::uint8_t> bytes = nlohmann::json::to_msgpack(*metadata);
  note.bytes.assign(bytes.begin(), bytes.end());
  return note;
}

}  // namespace

bool describes_object(const assembler::Assembly& assembly) {
  return !assembly.functions.empty() || !assembly.object.kernels.empty();
}

LoadedObject object_of_text(const assembler::Assembly& assembly, const CodeInput& input, const Target& target) {
  const assembler::ObjectOfText& said = assembly.object;
  const bool is_for_kernels = said.system.empty() && (!said.kernels.empty() || !said.metadata.empty());
  const auto* const system = std::ranges::find(systems, is_for_kernels ? "amdhsa" : said.system, &System::name);
  LoadedObject object;
  object.file = input.file;
  object.os_abi = system == systems.end() ? u8{0} : system->os_abi;
  if (object.os_abi == systems.front().os_abi)
    object.code_object_version = said.code_object_version == 0 ? usual_code_object_version : said.code_object_version;
  object.flags = target.elf_machine;
  if (target.has_xnack) object.flags |= feature_of(said.target, "xnack") << xnack_lowest;
  if (said.target.find(":sramecc") != std::string::npos)
    object.flags |= feature_of(said.target, "sramecc") << sramecc_lowest;
  if (!said.metadata.empty()) object.notes.push_back(metadata_note(said.metadata, input));
  return object;
}

std::string_view target_said_by_text(std::string_view text) {
  constexpr std::string_view directive = ".amdgcn_target";
  for (std::size_t found = text.find(directive); found != std::string_view::npos;
       found = text.find(directive, found + 1)) {
    // Behind anything else on its line it may be part of a comment.
    const std::size_t line_feed = text.rfind('\n', found);
    const std::size_t start = line_feed == std::string_view::npos ? 0 : line_feed + 1;
    if (text.substr(start, found - start).find_first_not_of(" \t") != std::string_view::npos) continue;
    std::string_view name = text.substr(found + directive.size());
    name = name.substr(0, name.find('\n'));
    const std::size_t open = name.find('"');
    const std::size_t close = open == std::string_view::npos ? open : name.find('"', open + 1);
    if (close != std::string_view::npos) return name.substr(open + 1, close - open - 1);
  }
  return {};
}

const Target* find_target_of_text(std::string_view text) {
  std::string_view name = target_said_by_text(text);
  const std::size_t dashes = name.rfind("--");
  if (dashes == std::string_view::npos) return nullptr;
  name.remove_prefix(dashes + 2);
  return find_target(name.substr(0, name.find(':')));
}

bool may_have_kernels(const CodeInput& input) {
  return input.kind == CodeInput::Kind::assembly &&
         (input.text.find(".amdgpu_metadata") != std::string::npos || input.text.find(".include") != std::string::npos);
}

}  // namespace salu::loader
