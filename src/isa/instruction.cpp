#include "isa/instruction.hpp"

#include "isa/table.hpp"

namespace salu::isa {
namespace {

constexpr std::array<std::string_view, format_count> format_names = {"SOP2", "SOP1", "SOPC", "SOPK",
                                                                     "SOPP", "SMRD", "SMEM"};

constexpr std::array<MnemonicAlias, 1> aliases = {{{"s_cmp_ne_u64", "s_cmp_lg_u64"}}};

}  // namespace

std::string_view format_name(Format format) { return format_names[static_cast<std::size_t>(format)]; }

const InstructionInfo& info(Insn insn) { return row(insn); }

std::span<const InstructionInfo> all_instructions() { return rows::table; }

std::span<const MnemonicAlias> mnemonic_aliases() { return aliases; }

}  // namespace salu::isa
