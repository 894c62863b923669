#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <span>
#include <string>

#include "loader/objects/program_builder.hpp"

/// Code as text, for people.
namespace salu::loader {

/// All of a program, an instruction a line behind its address and its words: symbols and branch targets as labels (L1,
/// L2, ... where there is no symbol), source lines, and what relocations refer to, as comments.
std::string list_code(const BuiltProgram& code);

/// The text of the one instruction that these words are; `<invalid>` where they are not exactly one.
std::string list_instruction(Generation generation, std::span<const u32> words);

}  // namespace salu::loader
