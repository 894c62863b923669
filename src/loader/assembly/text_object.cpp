#include "loader/assembly/text_object.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "loader/objects/kernel_metadata.hpp"
#include "loader/objects/metadata_yaml.hpp"
#include "loader/rejection.hpp"

namespace salu::loader {
namespace {

struct System {
  std::string_view name;
  u8 os_abi;  ///< EI_OSABI
};
constexpr std::array<System, 3> systems = {{{"amdhsa", 64}, {"amdpal", 65}, {"mesa3d", 66}}};

/// The default of llc and llvm-mc in LLVM 19.
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

std::optional<isa::TargetId> target_said_by_text(std::string_view text) {
  std::string_view left = text;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with(".amdgcn_target") && !line.starts_with(".amd_amdgpu_isa")) continue;
    const std::size_t open = line.find('"');
    const std::size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
    if (close != std::string_view::npos) return isa::parse_target_id(line.substr(open + 1, close - open - 1));
  }
  return std::nullopt;
}

const Target* find_target_of_text(std::string_view text) {
  const auto id = target_said_by_text(text);
  return id ? find_target(id->processor) : nullptr;
}

std::vector<std::pair<assembler::KernelWithHeader, KernelCodeHeader>> headers_of_text(
    const assembler::Assembly& assembly, u64 base) {
  std::vector<std::pair<assembler::KernelWithHeader, KernelCodeHeader>> headers;
  for (const assembler::KernelWithHeader& each : assembly.headers) {
    std::string bytes;
    for (u64 i = 0; i < KernelCodeHeader::size_bytes; ++i) {
      const u64 offset = each.address - base + i;
      bytes += static_cast<char>(assembly.words[static_cast<std::size_t>(offset / 4)] >> (8 * (offset % 4)) & 0xff);
    }
    headers.emplace_back(each, parse_kernel_code_header(bytes));
  }
  return headers;
}

bool may_have_kernels(const CodeInput& input) {
  const auto has = [&](std::string_view directive) { return input.text.find(directive) != std::string::npos; };
  return input.kind == CodeInput::Kind::assembly &&
         (has(".amdgpu_metadata") || has(".amd_kernel_code_t") || has(".include"));
}

}  // namespace salu::loader
