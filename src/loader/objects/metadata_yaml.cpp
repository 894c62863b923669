#include "loader/objects/metadata_yaml.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <utility>

#include "loader/number.hpp"
#include "loader/objects/entry_function.hpp"
#include "loader/objects/kernel_metadata.hpp"
#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {
namespace {

using Json = nlohmann::json;

/// True if the metadata is within its limits, with each alias counted as its value.
bool is_within_limits(const Node& node, std::size_t& values, std::size_t depth = 1) {
  if (++values > most_metadata_values) return false;
  const bool is_leaf = node.kind == Node::Kind::null || node.kind == Node::Kind::scalar;
  if (is_leaf) return true;
  return depth <= deepest_metadata && std::ranges::all_of(node.children, [&](const Node* each) {
           return is_within_limits(*each, values, depth + 1);
         });
}

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

/// Replaces the tag with which LLVM marks texts that look like other values, as in `.name: !str 1`, by quotes.
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

using Key = std::pair<const char*, const char*>;  // in version 2, in version 3

template <std::size_t Count>
void take_over(const Json& from, const std::array<Key, Count>& keys, Json& to) {
  if (!from.is_object()) return;
  for (const auto& [old_key, new_key] : keys) {
    if (const auto found = from.find(old_key); found != from.end()) to[new_key] = *found;
  }
}

/// Converts `HiddenGlobalOffsetX` to `hidden_global_offset_x`.
std::string snake_case(std::string_view name) {
  if (name == "HiddenMultiGridSyncArg") return "hidden_multigrid_sync_arg";
  std::string text;
  for (const char c : name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper && !text.empty()) text += '_';
    text += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

u64 number_at(const Json& map, const char* key, u64 absent) {
  const auto found = map.find(key);
  return found != map.end() && found->is_number_unsigned() ? found->get<u64>() : absent;
}

/// Arguments are consecutive, each at a multiple of its alignment.
Json upgrade_argument(const Json& argument, u64& end) {
  static constexpr std::array<Key, 4> keys = {
      {{"Name", ".name"}, {"TypeName", ".type_name"}, {"Size", ".size"}, {"PointeeAlign", ".pointee_align"}}};
  constexpr u64 too_far = u64{1} << 32;
  Json result = Json::object();
  if (!argument.is_object()) return result;
  take_over(argument, keys, result);
  // Names that look like numbers are texts.
  for (const char* const key : {".name", ".type_name"}) {
    if (result.contains(key) && !result[key].is_string()) result[key] = result[key].dump();
  }
  if (const auto kind = argument.find("ValueKind"); kind != argument.end() && kind->is_string())
    result[".value_kind"] = snake_case(kind->get<std::string>());
  const u64 alignment = number_at(argument, "Align", 1);
  if (!std::has_single_bit(alignment) || alignment > too_far || end > too_far) return result;
  const u64 offset = align_up(end, alignment);
  result[".offset"] = offset;
  end = offset + std::min(number_at(argument, "Size", 0), too_far);
  return result;
}

Json upgrade_kernel(const Json& kernel) {
  // WavefrontNumSGPRs and WorkitemNumVGPRs are names of the first compilers of this version.
  static constexpr std::array<Key, 9> properties = {{{"WavefrontNumSGPRs", ".sgpr_count"},
                                                     {"WorkitemNumVGPRs", ".vgpr_count"},
                                                     {"KernargSegmentAlign", ".kernarg_segment_align"},
                                                     {"GroupSegmentFixedSize", ".group_segment_fixed_size"},
                                                     {"PrivateSegmentFixedSize", ".private_segment_fixed_size"},
                                                     {"WavefrontSize", ".wavefront_size"},
                                                     {"NumSGPRs", ".sgpr_count"},
                                                     {"NumVGPRs", ".vgpr_count"},
                                                     {"MaxFlatWorkGroupSize", ".max_flat_workgroup_size"}}};
  static constexpr std::array<Key, 1> attributes = {{{"ReqdWorkGroupSize", ".reqd_workgroup_size"}}};
  Json result = Json::object();
  if (!kernel.is_object()) return result;
  if (const auto name = kernel.find("Name"); name != kernel.end()) {
    const std::string text = name->is_string() ? name->get<std::string>() : name->dump();
    result[".name"] = text;
    result[".symbol"] = text + std::string(descriptor_suffix);
  }
  u64 end = 0;
  if (const auto arguments = kernel.find("Args"); arguments != kernel.end() && arguments->is_array()) {
    Json& list = result[".args"] = Json::array();
    for (const Json& argument : *arguments) list.push_back(upgrade_argument(argument, end));
  }
  if (const auto found = kernel.find("CodeProps"); found != kernel.end()) {
    take_over(*found, properties, result);
    // Hidden arguments that the code does not use may be beyond the size that it specifies.
    if (found->is_object()) end = std::max(end, number_at(*found, "KernargSegmentSize", 0));
    // The first compilers wrote the logarithm here.
    if (const auto size = result.find(".wavefront_size"); size != result.end() && *size == 6U) *size = 64U;
  }
  result[".kernarg_segment_size"] = end;
  if (const auto found = kernel.find("Attrs"); found != kernel.end()) take_over(*found, attributes, result);
  return result;
}

}  // namespace

Result<Json> parse_metadata_yaml(std::string_view text, const std::string& file) {
  const auto document = parse_document(make_source(without_tags(text), file, file_limit_bytes));
  const auto fail = [](const std::string& what) { return Error{ErrorCode::yaml, {}, what, {}}; };
  if (!document) return fail("it is not valid YAML: " + document.error().message);
  if (*document == nullptr) return Json();
  const Node& root = *(*document)->root;
  std::size_t values = 0;
  if (!is_within_limits(root, values)) return fail(metadata_limits_text());
  return value_of(root);
}

Json upgrade_metadata(const Json& version2) {
  Json result = Json::object();
  if (!version2.is_object()) return result;
  const auto kernels = version2.find("Kernels");
  if (kernels == version2.end() || !kernels->is_array()) return result;
  Json& list = result["amdhsa.kernels"] = Json::array();
  for (const Json& kernel : *kernels) list.push_back(upgrade_kernel(kernel));
  return result;
}

}  // namespace salu::loader
