#pragma once

#include <salu/error.hpp>
#include <salu/program.hpp>
#include <salu/scenario.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/launch/kernel_descriptor.hpp"
#include "loader/objects/kernel_metadata.hpp"

/// What an object, or a text that becomes one, holds: for `salu info`.
namespace salu::loader {

struct InspectedKernel {
  KernelMetadata metadata;
  /// How the arguments are named in `args:`, in the order of the metadata.
  std::vector<std::string> argument_names;
  std::optional<KernelDescriptor> descriptor;  ///< none: the object does not hold it
  std::optional<u64> address;                  ///< of the first instruction that runs
  u64 size_bytes = 0;                          ///< of its code; 0 where that is not known
};

struct InspectedObject {
  std::string file;
  const Target* target = nullptr;
  bool is_text = false;
  bool is_relocatable = false;  ///< an object that is not linked: addresses are from the beginning of its code
  u8 os_abi = 0;                ///< EI_OSABI
  u32 code_object_version = 0;  ///< 2 to 6 for amdhsa, else 0
  u32 flags = 0;                ///< e_flags
  std::vector<InspectedKernel> kernels;
  std::vector<Symbol> functions;       ///< that are no kernels, by address
  std::vector<Unresolved> unresolved;  ///< by address; `places` names where
  std::vector<std::string> places;     ///< `f+0x14`, as many as `unresolved`
};

/// `amdhsa`, `amdpal`, `mesa3d`; empty for none of them.
std::string_view os_name(u8 os_abi);

/// A feature of the target as `e_flags` say it: `on`, `off`, `any`; empty where the target or the version has no such
/// thing.
std::string_view xnack_setting(const InspectedObject& object);
std::string_view sramecc_setting(const InspectedObject& object);

/// SGPRs that a kernel starts with: how many, and what is in them.
struct StartingSgprs {
  u32 first = 0;
  u32 count = 0;
  std::string_view what;  ///< as `.amdhsa_` directives call it: `kernarg_segment_ptr`
};
std::vector<StartingSgprs> starting_sgprs(const KernelDescriptor& descriptor, Generation generation);

/// Looks into a file: an ELF object or assembly. `options` say for which processor, where the file does not, and how
/// text is assembled.
Result<InspectedObject> inspect_file(const std::string& path, const LoadOptions& options);

/// A scenario for a kernel or function with this name, its arguments to be filled in; it runs as it is. Nothing when
/// there is neither. `path` is the file as the scenario is to name it.
std::optional<std::string> starting_scenario(const InspectedObject& object, std::string_view name,
                                             std::string_view path);

}  // namespace salu::loader
