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

/// `kernel:` of a scenario: starts a kernel of an object as the command processor does, for one wave of a dispatch.
namespace salu::loader {

/// The kernel that a scenario starts, chosen before its code is placed.
struct KernelChoice {
  const Node* node = nullptr;       ///< the whole of `kernel:`
  const Node* name_node = nullptr;  ///< `name:`, or `node` if there is no name
  KernelMetadata metadata;

  /// The symbol of the function: that of the descriptor without `.kd`.
  [[nodiscard]] std::string entry_symbol() const;
};

/// Finds the kernel in the metadata of the objects among the blocks. Rejects an unknown name, and a `symbol:` or
/// --symbol (`symbol`) that specifies another start.
KernelChoice choose_kernel(const Document& document, const Node& node, const std::vector<CodeInput>& inputs,
                           const Target& target, const std::string& symbol);

/// Maps kernarg segment, buffers, dispatch packet and scratch memory into the scenario's memory and sets its initial
/// registers and entry. Code, data and the scenario's own memory blocks must be mapped before.
void launch_kernel(const Document& document, const KernelChoice& choice, const SymbolIndex& symbols,
                   MemoryReader& contents, Scenario& scenario);

}  // namespace salu::loader
