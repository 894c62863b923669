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

/// The contents of an object, or of a text that describes one, for `salu info`.
namespace salu::loader {

struct InspectedKernel {
  KernelMetadata metadata;
  /// The names of the arguments in `args:`, in the order of the metadata.
  std::vector<std::string> argument_names;
  std::optional<KernelDescriptor> descriptor;  ///< empty if the object does not contain it
  std::optional<u64> address;                  ///< of the first instruction that runs
  u64 size_bytes = 0;                          ///< of its code; 0 if unknown
};

struct InspectedObject {
  std::string file;
  const Target* target = nullptr;
  bool is_text = false;
  bool is_relocatable = false;  ///< an object that is not linked: addresses are relative to its code
  u8 os_abi = 0;                ///< EI_OSABI
  u32 code_object_version = 0;  ///< 2 to 6 for amdhsa, otherwise 0
  u32 flags = 0;                ///< e_flags
  std::vector<InspectedKernel> kernels;
  std::vector<Symbol> functions;       ///< functions that are not kernels, by address
  std::vector<Unresolved> unresolved;  ///< by address
  std::vector<std::string> places;     ///< the places of `unresolved`, such as `f+0x14`
};

/// Returns `amdhsa`, `amdpal` or `mesa3d`; empty for other systems.
std::string_view os_name(u8 os_abi);

/// Returns a feature of the target as specified in `e_flags`: `on`, `off` or `any`; empty if the target or the version
/// does not have it.
std::string_view xnack_setting(const InspectedObject& object);
std::string_view sramecc_setting(const InspectedObject& object);

/// Consecutive SGPRs that a launch initialises, and their contents.
struct StartingSgprs {
  u32 first = 0;
  u32 count = 0;
  std::string_view what;  ///< as in `.amdhsa_` directives: `kernarg_segment_ptr`
};
std::vector<StartingSgprs> starting_sgprs(const KernelDescriptor& descriptor, Generation generation);

/// Inspects an ELF object or assembly file. `options` specify the processor, if the file does not, and how text is
/// assembled.
Result<InspectedObject> inspect_file(const std::string& path, const LoadOptions& options);

/// Returns a scenario for a kernel or function, with placeholder arguments, that can be run; nothing for an unknown
/// name. `path` is the path of the file in the scenario.
std::optional<std::string> starting_scenario(const InspectedObject& object, std::string_view name,
                                             std::string_view path);

}  // namespace salu::loader
