#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>
#include <vector>

/// The installed versions of LLVM.
namespace salu::loader {

/// False in the browser, where no program can be started and no library loaded: advice to install one is of no use.
#ifdef __wasm__
inline constexpr bool can_start_programs = false;
#else
inline constexpr bool can_start_programs = true;
#endif

/// Names the version of LLVM, in `--llvm` and here.
inline constexpr const char* llvm_version_variable = "SALU_LLVM_VERSION";

/// The version that `llvm` (of `--llvm`) names, else the environment variable SALU_LLVM_VERSION; empty when neither
/// does.
std::string chosen_llvm_version(const std::string& llvm);

/// The versions whose programs and libraries are looked for: the chosen one alone, else the newest first.
std::vector<u32> llvm_versions(const std::string& llvm);

/// Paths of a program of LLVM, `llvm-mc`, in PATH: those of `llvm_versions`, and last the one without a version in its
/// name unless a version is chosen.
std::vector<std::string> find_llvm_programs(const std::string& name, const std::string& llvm);

/// True for a number that `--llvm` takes.
bool is_llvm_version(const std::string& text);

}  // namespace salu::loader
