#include "loader/scenario/assumptions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/vector/vector_op.hpp"
#include "isa/decode.hpp"
#include "isa/disassemble.hpp"
#include "isa/operand.hpp"
#include "isa/symbolic.hpp"
#include "loader/number.hpp"
#include "loader/objects/llvm_disassembler.hpp"

namespace salu::loader {
namespace {

/// True if salu executes an instruction in every state. S_BARRIER is executed if the work-group has one wave.
bool always_runs(Generation generation, const isa::Instruction& instruction, std::span<const u32> words) {
  if (instruction.encoding == isa::EncodingClass::vector) {
    const auto known = isa::vector::decode(generation, words);
    return known && core::vector_handler(*known) != nullptr;
  }
  if (instruction.encoding != isa::EncodingClass::scalar || isa::find_operand_fault(generation, instruction))
    return false;
  return instruction.insn != isa::Insn::s_barrier && !isa::info(instruction.insn).is_undocumented;
}

/// The mnemonic of an instruction's text, without the suffix of its encoding.
std::string mnemonic_in(std::string_view text) {
  text = text.substr(0, text.find(' '));
  for (const std::string_view suffix : {"_e32", "_e64", "_sdwa", "_dpp"}) {
    if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  }
  return std::string(text);
}

/// Calls `visit(address, instruction, words)` for every instruction of a program.
template <class Visit>
void for_each_instruction(const Program& program, Visit visit) {
  for (const CodeBlock& block : program.code) {
    for (std::size_t i = 0; i < block.words.size();) {
      const auto words = std::span(block.words).subspan(i);
      const isa::Instruction instruction = isa::decode(program.generation(), words);
      visit(block.base + i * 4, instruction, words);
      i += std::clamp<std::size_t>(instruction.dwords, 1, words.size());
    }
  }
}

class AssumptionReader {
 public:
  AssumptionReader(const Document& document, const Program& program, const SymbolIndex& symbols,
                   const RegisterCounts& counts)
      : document_(document),
        program_(program),
        symbols_(symbols),
        generation_(program.generation()),
        counts_(counts),
        llvm_(*program.target) {}

  std::vector<Assumption> read(const Node& node) {
    if (!node.is_map())
      document_.fail(node, "`assume:` must be a map (`0x1024: {vcc: exec}`), found " + describe(node));
    std::vector<std::pair<const Node*, const Node*>> by_mnemonic;
    for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
      const Node& key = *node.children[i];
      const Node& writes = *node.children[i + 1];
      if (const auto address = find_address(key)) {
        add(key, *address, read_writes(writes, key));
      } else {
        by_mnemonic.emplace_back(&key, &writes);
      }
    }
    for (const auto& [key, writes] : by_mnemonic) add_all(*key, read_writes(*writes, *key));
    std::vector<Assumption> list;
    for (auto& [address, writes] : found_) list.push_back({address, false, std::move(writes)});
    return list;
  }

 private:
  /// Returns the address of a key; nothing if it may be a mnemonic.
  [[nodiscard]] std::optional<u64> find_address(const Node& key) const {
    const std::string& text = key.text;
    const bool is_number = !text.empty() && text.front() >= '0' && text.front() <= '9';
    const std::string name = text.substr(0, text.find('+'));
    if (!is_number && name.size() == text.size() && symbols_.find(name).count == 0) return std::nullopt;
    return read_number(document_, key, "a place of `assume:`", 64, {&symbols_, false});
  }

  void add(const Node& key, u64 address, std::vector<AssumedWrite> writes) {
    const CodeBlock* const block = program_.find_block(address);
    if (block == nullptr || address % 4 != 0)
      document_.fail(key, fmt::format("`assume:`: no instruction at {}", hex(address)));
    const auto words = std::span(block->words).subspan((address - block->base) / 4);
    const isa::Instruction instruction = isa::decode(generation_, words);
    if (always_runs(generation_, instruction, words) &&
        program_.find_unresolved(address, instruction.dwords * u64{4}) == nullptr) {
      document_.fail(key, fmt::format("`assume:`: salu executes the instruction at {} ({}), so there is nothing to "
                                      "assume",
                                      hex(address), isa::disassemble(generation_, instruction)));
    }
    if (!found_.emplace(address, std::move(writes)).second)
      document_.fail(key, fmt::format("`assume:` has two entries for the instruction at {}", hex(address)));
  }

  /// Adds an assumption for every instruction with a mnemonic that does not have its own.
  void add_all(const Node& key, const std::vector<AssumedWrite>& writes) {
    const std::string mnemonic = mnemonic_in(key.text);
    bool is_there = false;
    for (const auto& [address, name] : foreign_instructions()) {
      if (name != mnemonic) continue;
      is_there = true;
      found_.emplace(address, writes);
    }
    if (is_there) return;
    std::set<std::string_view> names;
    for (const auto& [address, name] : foreign_instructions()) {
      if (!name.empty()) names.insert(name);
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    std::string problem = fmt::format(
        "`assume:`: {} is neither a label nor an instruction in the code that salu does "
        "not execute",
        quote(key.text));
    if (!llvm_.problem().empty()) {
      problem += "; " + llvm_.problem() + ": name its address";
    } else if (known.empty()) {
      problem += "; the code does not contain such instructions";
    } else {
      problem += "; the code has " + support::first_names(known);
    }
    document_.fail(key, problem);
  }

  /// The instructions that salu may not execute, by address; the name is empty if unknown.
  const std::map<u64, std::string>& foreign_instructions() {
    if (foreign_) return *foreign_;
    foreign_.emplace();
    for_each_instruction(program_, [&](u64 address, const isa::Instruction& instruction, std::span<const u32> words) {
      if (always_runs(generation_, instruction, words)) return;
      const auto known = isa::is_unknown_vector(generation_, instruction) ? llvm_.decode(words) : std::nullopt;
      std::string name = mnemonic_in(known ? known->text : isa::disassemble(generation_, instruction));
      if (name.starts_with('<')) name.clear();
      foreign_->emplace(address, std::move(name));
    });
    return *foreign_;
  }

  std::vector<AssumedWrite> read_writes(const Node& node, const Node& key) {
    if (!node.is_map()) {
      document_.fail(
          node, fmt::format("`assume:`: the value of {} must be a map ({{vcc: exec}}, or {{}} for no effect), found {}",
                            quote(key.text), describe(node)));
    }
    std::vector<AssumedWrite> writes;
    for (std::size_t i = 0; i + 1 < node.children.size(); i += 2)
      read_write(*node.children[i], *node.children[i + 1], writes);
    return writes;
  }

  void read_write(const Node& key, const Node& value, std::vector<AssumedWrite>& writes) {
    const RegisterName name = read_register_name(document_, key, generation_, counts_);
    if (!name.is_in_file() && !name.is_scc() && !name.is_vector()) {
      document_.fail(key,
                     fmt::format("`assume:` cannot write {}; it can write SGPRs, VCC, EXEC, M0, TTMPs, SCC and vector "
                                 "registers",
                                 quote(key.text)));
    }
    const std::string what = quote(key.text);
    const auto source = value.is_scalar() ? parse_register_name(generation_, value.text) : std::nullopt;
    if (source && (source->width != name.width || source->is_vector() != name.is_vector() ||
                   (!source->is_in_file() && !source->is_scc() && !source->is_vector()))) {
      document_.fail(value,
                     fmt::format("`assume:`: {} cannot be copied to {}: expected a register of the same kind and "
                                 "size",
                                 quote(value.text), what));
    }
    if (const u32 registers = name.vector_registers(); registers != 0) {
      const Number number = source ? Number{} : read_value(document_, value, what, 32 * registers, {&symbols_, true});
      for (u32 i = 0; i < registers; ++i) {
        const u32 offset = i * state_index::lanes;
        AssumedWrite write{{name.index + offset, RegisterName::vector_width}, number.twos_complement()[i], {}};
        if (source) write.from = RegisterName{source->index + offset, RegisterName::vector_width};
        writes.push_back(write);
      }
      return;
    }
    const std::vector<RegisterName> pieces = pieces_of(name);
    const Number number = source ? Number{} : read_register_value(document_, value, what, name, generation_, symbols_);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      AssumedWrite write{pieces[i], piece_value(number, i, pieces[i].width), {}};
      if (source) write.from = pieces_of(*source)[i];
      writes.push_back(write);
    }
  }

  const Document& document_;
  const Program& program_;
  const SymbolIndex& symbols_;
  Generation generation_;
  RegisterCounts counts_;
  LlvmDisassembler llvm_;
  std::map<u64, std::vector<AssumedWrite>> found_;
  std::optional<std::map<u64, std::string>> foreign_;
};

constexpr u32 message_mask = 15;  // of SIMM16

u32 read_message(const Document& document, const Node& key, Generation generation) {
  const auto number = parse_number(key.text).number;
  if (number && !number->negative && number->low64() <= message_mask && number->fits(32))
    return static_cast<u32>(number->low64());
  const isa::MessageName* const message = isa::find_message(key.text);
  if (message != nullptr && message->exists_on(generation)) return message->id;
  std::vector<std::string> names;
  for (u32 id = 0; id <= message_mask; ++id) {
    const std::string name = isa::message_name(generation, id);
    if (!name.empty()) names.push_back(support::lower_case(name.substr(name.find('_') + 1)));
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  document.fail(key, fmt::format("`replies:`: {} is not a message of {}; expected {}, or a number up to 15",
                                 quote(key.text), generation_name(generation), name_list(known)));
}

}  // namespace

void add_replies(const Document& document, const Node& node, const Program& program, const SymbolIndex& symbols,
                 std::vector<Assumption>& assumptions) {
  if (!node.is_map()) document.fail(node, "`replies:` must be a map (`get_doorbell: 0x10`), found " + describe(node));
  std::set<u32> given;
  for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
    const Node& key = *node.children[i];
    const u32 message = read_message(document, key, program.generation());
    const u64 value = read_number(document, *node.children[i + 1], quote(key.text), 64, {&symbols, false});
    if (!given.insert(message).second)
      document.fail(key, fmt::format("`replies:` has two replies to message {}", message));
    bool is_sent = false;
    for_each_instruction(program, [&](u64 address, const isa::Instruction& instruction, std::span<const u32>) {
      const bool sends = instruction.encoding == isa::EncodingClass::scalar &&
                         instruction.insn == isa::Insn::s_sendmsg && (instruction.simm16 & message_mask) == message;
      if (!sends) return;
      is_sent = true;
      assumptions.push_back({address, true, {{RegisterName::in_file(state_index::exec, 2), value, {}}}});
    });
    if (!is_sent) {
      document.fail(key, fmt::format("`replies:`: no S_SENDMSG in the code sends {}", quote(key.text)));
    }
  }
  std::ranges::sort(assumptions, {}, &Assumption::address);
}

std::vector<Assumption> read_assumptions(const Document& document, const Node& node, const Program& program,
                                         const SymbolIndex& symbols, const RegisterCounts& counts) {
  return AssumptionReader(document, program, symbols, counts).read(node);
}

}  // namespace salu::loader
