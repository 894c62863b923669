#include "info_text.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "loader/number.hpp"
#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu::app {
namespace {

using Json = nlohmann::ordered_json;
using loader::InspectedKernel;
using loader::InspectedObject;
using support::hex;
using support::printable;

std::string registers_text(const loader::StartingSgprs& sgprs) {
  if (sgprs.count == 1) return fmt::format("s{}", sgprs.first);
  return fmt::format("s[{}:{}]", sgprs.first, sgprs.first + sgprs.count - 1);
}

std::string header(const InspectedObject& object) {
  const char* const kind = object.is_text ? "assembly" : object.is_relocatable ? "relocatable object" : "shared object";
  std::string text = fmt::format("{}: {} for {} ({})\n", printable(object.file), kind, object.target->processor,
                                 generation_name(object.target->generation));
  std::string about;
  const auto add = [&](const std::string& part) { about += (about.empty() ? "  " : ", ") + part; };
  if (const auto os = loader::os_name(object.os_abi); !os.empty()) add(std::string(os));
  if (object.code_object_version != 0) add(fmt::format("code object version {}", object.code_object_version));
  if (const auto xnack = loader::xnack_setting(object); !xnack.empty()) add(fmt::format("xnack {}", xnack));
  if (const auto sramecc = loader::sramecc_setting(object); !sramecc.empty()) add(fmt::format("sramecc {}", sramecc));
  return about.empty() ? text : text + about + "\n";
}

std::string arguments_text(const InspectedKernel& kernel) {
  const loader::KernelMetadata& metadata = kernel.metadata;
  std::string text = fmt::format("  kernarg segment: {}\n", support::counted(metadata.kernarg_size_bytes, "byte"));
  if (!metadata.knows_arguments) return text + "    the object does not describe its contents\n";
  if (metadata.arguments.empty()) return text;
  std::size_t width = 4;
  for (const loader::KernelArgument& argument : metadata.arguments) width = std::max(width, argument.value_kind.size());
  text += fmt::format("    {:>6} {:>5}  {:{}}  NAME\n", "OFFSET", "SIZE", "KIND", width);
  for (std::size_t i = 0; i < metadata.arguments.size(); ++i) {
    const loader::KernelArgument& argument = metadata.arguments[i];
    const std::string name = argument.is_hidden() ? std::string() : printable(kernel.argument_names[i]);
    const std::string type = argument.type_name.empty() ? "" : " (" + printable(argument.type_name) + ")";
    std::string row = fmt::format("    {:6} {:5}  {:{}}  {}{}", argument.offset, argument.size_bytes,
                                  printable(argument.value_kind), width, name, type);
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

std::string kernel_text(const InspectedKernel& kernel, const InspectedObject& object) {
  const loader::KernelMetadata& metadata = kernel.metadata;
  std::string text = fmt::format("\nkernel {}", printable(metadata.name));
  if (kernel.address) text += fmt::format(" at {}", hex(*kernel.address));
  if (kernel.size_bytes != 0) text += fmt::format(", {}", support::counted(kernel.size_bytes, "byte"));
  text += "\n" + arguments_text(kernel);
  text += fmt::format("  LDS {} bytes, scratch {} bytes per work-item, at most {} work-items in a work-group\n",
                      metadata.group_segment_bytes, metadata.private_segment_bytes, metadata.max_workgroup_size);
  if (metadata.sgpr_count || metadata.vgpr_count) {
    text += fmt::format("  uses {} SGPRs, {} VGPRs", metadata.sgpr_count.value_or(0), metadata.vgpr_count.value_or(0));
    text += metadata.agpr_count ? fmt::format(", {} AGPRs\n", *metadata.agpr_count) : "\n";
  }
  if (!kernel.descriptor) return text + "  its descriptor is not in the object\n";
  text += "  starts with";
  for (const loader::StartingSgprs& sgprs : starting_sgprs(*kernel.descriptor, object.target->generation))
    text += fmt::format(" {} {}", registers_text(sgprs), sgprs.what) + ",";
  text.back() = '\n';
  return text;
}

Json kernel_json(const InspectedKernel& kernel, const InspectedObject& object) {
  const loader::KernelMetadata& metadata = kernel.metadata;
  Json arguments = metadata.knows_arguments ? Json::array() : Json();
  for (std::size_t i = 0; i < metadata.arguments.size(); ++i) {
    const loader::KernelArgument& argument = metadata.arguments[i];
    Json each = {{"name", kernel.argument_names[i]},
                 {"kind", argument.value_kind},
                 {"offset", argument.offset},
                 {"size", argument.size_bytes},
                 {"hidden", argument.is_hidden()}};
    if (!argument.type_name.empty()) each["type"] = argument.type_name;
    arguments.push_back(std::move(each));
  }
  Json json = {{"name", metadata.name}, {"descriptor", metadata.descriptor_symbol}};
  if (kernel.address) json["address"] = hex(*kernel.address);
  if (kernel.size_bytes != 0) json["size"] = kernel.size_bytes;
  json["kernarg_size"] = metadata.kernarg_size_bytes;
  json["arguments"] = std::move(arguments);
  json["lds"] = metadata.group_segment_bytes;
  json["scratch"] = metadata.private_segment_bytes;
  json["max_workgroup_size"] = metadata.max_workgroup_size;
  if (metadata.sgpr_count) json["sgprs"] = *metadata.sgpr_count;
  if (metadata.vgpr_count) json["vgprs"] = *metadata.vgpr_count;
  if (metadata.agpr_count) json["agprs"] = *metadata.agpr_count;
  if (!kernel.descriptor) return json;
  Json sgprs = Json::array();
  for (const loader::StartingSgprs& each : starting_sgprs(*kernel.descriptor, object.target->generation))
    sgprs.push_back({{"first", each.first}, {"count", each.count}, {"what", each.what}});
  json["starts_with"] = std::move(sgprs);
  return json;
}

}  // namespace

std::string info_text(const InspectedObject& object) {
  std::string text = header(object);
  for (const InspectedKernel& kernel : object.kernels) text += kernel_text(kernel, object);
  if (!object.functions.empty()) text += "\nfunctions\n";
  for (const Symbol& function : object.functions)
    text +=
        fmt::format("  {} {:6} bytes  {}\n", hex(function.address, 6), function.size_bytes, printable(function.name));
  const auto list_unresolved = [&](std::string_view heading, std::string Unresolved::* what, std::string_view link) {
    bool is_first = true;
    for (std::size_t i = 0; i < object.unresolved.size(); ++i) {
      const std::string& each = object.unresolved[i].*what;
      if (each.empty()) continue;
      if (std::exchange(is_first, false)) text += fmt::format("\n{}\n", heading);
      text += fmt::format("  {}{} {}\n", printable(each), link, printable(object.places[i]));
    }
  };
  list_unresolved("not defined here", &Unresolved::symbol, ", used at");
  list_unresolved("not encoded", &Unresolved::instruction, ", at");
  return text;
}

std::string info_json(const InspectedObject& object) {
  Json json = {{"schema", "salu-info-v1"},
               {"file", object.file},
               {"kind", object.is_text          ? "assembly"
                        : object.is_relocatable ? "relocatable"
                                                : "shared"},
               {"target", object.target->processor},
               {"generation", generation_name(object.target->generation)}};
  if (const auto os = loader::os_name(object.os_abi); !os.empty()) json["os"] = os;
  if (object.code_object_version != 0) json["code_object_version"] = object.code_object_version;
  if (const auto xnack = loader::xnack_setting(object); !xnack.empty()) json["xnack"] = xnack;
  if (const auto sramecc = loader::sramecc_setting(object); !sramecc.empty()) json["sramecc"] = sramecc;
  json["kernels"] = Json::array();
  for (const InspectedKernel& kernel : object.kernels) json["kernels"].push_back(kernel_json(kernel, object));
  json["functions"] = Json::array();
  for (const Symbol& function : object.functions)
    json["functions"].push_back(
        {{"name", function.name}, {"address", hex(function.address)}, {"size", function.size_bytes}});
  json["undefined"] = Json::array();
  json["unencoded"] = Json::array();
  for (std::size_t i = 0; i < object.unresolved.size(); ++i) {
    const auto& [address, symbol, instruction] = object.unresolved[i];
    if (instruction.empty()) {
      json["undefined"].push_back({{"symbol", symbol}, {"at", object.places[i]}});
    } else {
      json["unencoded"].push_back({{"instruction", instruction}, {"at", object.places[i]}});
    }
  }
  return support::printable_json(json.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace salu::app
