#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>
#include <vector>

/// The installed versions of LLVM.
namespace salu::loader {

/// False in the browser, where programs cannot be started and libraries cannot be loaded, so that messages must not
/// advise to install them.
#ifdef __wasm__
inline constexpr bool can_start_programs = false;
#else
inline constexpr bool can_start_programs = true;
#endif

/// The environment variable with the version of LLVM to use.
inline constexpr const char* llvm_version_variable = "SALU_LLVM_VERSION";

/// Returns the version in `llvm` (the value of `--llvm`), otherwise that in the environment variable SALU_LLVM_VERSION;
/// empty if neither is set.
std::string chosen_llvm_version(const std::string& llvm);

/// Returns the versions whose programs and libraries are searched: only the chosen one, or all, newest first.
std::vector<u32> llvm_versions(const std::string& llvm);

/// Finds a program of LLVM (`llvm-mc`) in PATH. Names with a version are tried in the order of `llvm_versions`, and
/// unless a version is chosen, the name without a version is tried last.
std::vector<std::string> find_llvm_programs(const std::string& name, const std::string& llvm);

/// True for a number that `--llvm` accepts.
bool is_llvm_version(const std::string& text);

}  // namespace salu::loader
