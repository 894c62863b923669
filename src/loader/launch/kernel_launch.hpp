#pragma once

#include <salu/scenario.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "loader/objects/code_input.hpp"
#include "loader/objects/kernel_metadata.hpp"
#include "loader/yaml/memory_blocks.hpp"
#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"

/// `kernel:` of a scenario: a kernel of an object, started as the command processor starts one wave of a dispatch.
namespace salu::loader {

/// Which kernel a scenario starts, known before its code is placed.
struct KernelChoice {
  const Node* node = nullptr;       ///< the whole of `kernel:`
  const Node* name_node = nullptr;  ///< `name:`, or `node` without it
  KernelMetadata metadata;

  /// The function's symbol: that of the descriptor without `.kd`.
  [[nodiscard]] std::string entry_symbol() const;
};

/// Looks the kernel up in the metadata of the objects among the blocks. Rejects a name that none of them has, and a
/// `symbol:` or --symbol (`symbol`) that says to start elsewhere.
KernelChoice choose_kernel(const Document& document, const Node& node, const std::vector<CodeInput>& inputs,
                           const Target& target, const std::string& symbol);

/// Maps kernarg segment, buffers, dispatch packet and scratch memory into the scenario's memory and sets its initial
/// registers and entry. Code, data and the scenario's own memory blocks have to be in memory already.
void launch_kernel(const Document& document, const KernelChoice& choice, const SymbolIndex& symbols,
                   MemoryReader& contents, Scenario& scenario);

}  // namespace salu::loader
