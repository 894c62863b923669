#pragma once

#include <salu/program.hpp>

#include <vector>

#include "loader/scenario/registers.hpp"
#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"

/// `assume:` and `replies:` of a scenario: the assumed effects of instructions that salu does not execute, and replies
/// to messages of S_SENDMSG.
namespace salu::loader {

/// Reads the assumptions, sorted by address. A key is an address, a label (`loop+0x8`) or a mnemonic, which applies to
/// every such instruction without its own assumption. The mnemonics of vector instructions are determined with LLVM's
/// library. Rejects words that are not an instruction, instructions that salu executes, and registers that the
/// instruction cannot write. `counts` are the allocated registers.
std::vector<Assumption> read_assumptions(const Document& document, const Node& node, const Program& program,
                                         const SymbolIndex& symbols, const RegisterCounts& counts);

/// Adds replies to messages: a reply is a value for EXEC (AMD's Vega and CDNA manuals, MSG_GET_DOORBELL). A key is a
/// message's name (`get_doorbell`) or number. Rejects a message that the code does not send.
void add_replies(const Document& document, const Node& node, const Program& program, const SymbolIndex& symbols,
                 std::vector<Assumption>& assumptions);

}  // namespace salu::loader
