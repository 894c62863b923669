#pragma once

#include <salu/program.hpp>

#include <vector>

#include "loader/scenario/registers.hpp"
#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"

/// `assume:` and `replies:` of a scenario: what instructions that salu does not execute are taken to have done, and
/// what S_SENDMSG is answered with.
namespace salu::loader {

/// Reads the assumptions, by address. A key is an address, a label (`loop+0x8`) or a mnemonic, which stands for every
/// such instruction that has no assumption of its own; the mnemonics of vector instructions come from LLVM's library.
/// Rejects words that are not an instruction, instructions that salu executes, and registers that the instruction
/// cannot write. `counts`: the allocated registers.
std::vector<Assumption> read_assumptions(const Document& document, const Node& node, const Program& program,
                                         const SymbolIndex& symbols, const RegisterCounts& counts);

/// Adds what messages are answered with: a value for EXEC, which is where a wave finds it (AMD's Vega and CDNA manuals,
/// MSG_GET_DOORBELL). A key is a message's name (`get_doorbell`) or number. Rejects a message that the code does not
/// send.
void add_replies(const Document& document, const Node& node, const Program& program, const SymbolIndex& symbols,
                 std::vector<Assumption>& assumptions);

}  // namespace salu::loader
