#include "loader/assembly/text_object.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "loader/launch/kernel_metadata.hpp"
#include "loader/number.hpp"
#include "loader/rejection.hpp"
#include "loader/scenario/yaml_tree.hpp"

namespace salu::loader {
namespace {

using Json = nlohmann::json;

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

/// A value as LLVM reads it: numbers and truth values where a scalar is written without quotes.
Json value_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return nullptr;
    case Node::Kind::scalar:
      if (!node.plain) return node.text;
      if (node.text == "true" || node.text == "false") return node.text == "true";
      if (const auto number = parse_number(node.text).number; number && number->fits(64)) {
        if (number->negative) return static_cast<i64>(number->low64());
        return number->low64();
      }
      return node.text;
    case Node::Kind::sequence: {
      Json list = Json::array();
      for (const Node* each : node.children) list.push_back(value_of(*each));
      return list;
    }
    case Node::Kind::map: {
      Json map = Json::object();
      for (std::size_t i = 0; i < node.children.size(); i += 2)
        map[node.children[i]->text] = value_of(*node.children[i + 1]);
      return map;
    }
  }
  return nullptr;
}

/// LLVM marks texts that look like something else: `.name: !str 1`. Quotes do the same without a tag.
std::string without_tags(std::string_view yaml) {
  constexpr std::string_view tag = " !str ";
  std::string text;
  while (true) {
    const std::size_t found = yaml.find(tag);
    text += yaml.substr(0, found);
    if (found == std::string_view::npos) return text;
    yaml.remove_prefix(found + tag.size());
    const std::string_view value = yaml.substr(0, yaml.find('\n'));
    const bool is_quoted = value.starts_with('\'') || value.starts_with('"');
    text += is_quoted ? fmt::format(" {}", value) : fmt::format(" '{}'", value);
    yaml.remove_prefix(value.size());
  }
}

ElfNote metadata_note(const std::string& yaml, const CodeInput& input) {
  const auto document = parse_document(make_source(without_tags(yaml), input.file));
  if (!document || *document == nullptr) {
    reject(ErrorCode::assembly, input.where,
           "the metadata of the kernels (.amdgpu_metadata) is no YAML" +
               (document ? std::string() : ": " + document.error().message),
           input.source_line);
  }
  ElfNote note;
  note.name = "AMDGPU";
  note.type = metadata_note_type;
  const std::vector<std::uint8_t> bytes = Json::to_msgpack(value_of(*(*document)->root));
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

bool may_have_kernels(const CodeInput& input) {
  return input.kind == CodeInput::Kind::assembly &&
         (input.text.find(".amdgpu_metadata") != std::string::npos || input.text.find(".include") != std::string::npos);
}

}  // namespace salu::loader
