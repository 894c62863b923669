#include "loader/assembly/text_assembler.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "loader/assembly/included_files.hpp"
#include "loader/assembly/llvm_assembler.hpp"
#include "loader/number.hpp"
#include "loader/objects/scratch_memory.hpp"
#include "loader/rejection.hpp"

namespace salu::loader {
namespace {

assembler::Assembly assemble_here(const CodeInput& input, const Target& target, u64 base) {
  assembler::Options options;
  options.generation = target.generation;
  options.target = &target;
  options.file = input.file;
  options.base = base;
  options.first_line = input.first_line;
  options.first_column = input.first_column;
  for (const std::string& symbol : input.assembly.symbols) {
    if (auto definition = parse_definition(symbol)) options.constants.push_back(std::move(*definition));
  }
  for (const std::string_view name : scratch_symbols) {
    if (const auto value = scratch_symbol_value(name)) options.externals.emplace_back(name, *value);
  }
  options.include = include_reader(input);
  return assembler::assemble(input.text, options);
}

/// False where no other program can be started: in the browser, advice about programs to install is of no use.
#ifdef __wasm__
constexpr bool can_start_programs = false;
#else
constexpr bool can_start_programs = true;
#endif

/// Whether LLVM's assembler may be asked; files that it reads are out of the hands of `FileRules`.
bool may_ask_llvm(const CodeInput& input) { return can_start_programs && !input.files.root; }

Error llvm_is_not_to_be_asked(const CodeInput& input) {
  std::string reason = "LLVM's assembler would read any file that the text names, which --root forbids";
  if (!can_start_programs) reason = "LLVM's assembler is not part of this build of salu";
  if (may_ask_llvm(input)) reason = missing_llvm_assembler();
  return {ErrorCode::assembly, input.where, std::move(reason), input.source_line};
}

/// An error or a remark at the place that the user knows.
template <class Message>
void place_messages(const CodeInput& input, std::vector<Message>& messages) {
  if (input.exact_places) return;
  for (Message& message : messages) {
    message.where = input.where;
    message.source_line = input.source_line;
  }
}

AssembledText assemble_as_asked(const CodeInput& input, const Target& target, u64 base) {
  const Assembler assembler = input.assembly.assembler.value_or(Assembler::automatic);
  AssembledText text;
  if (assembler != Assembler::llvm) {
    text.own = assemble_here(input, target, base);
    text.errors = std::exchange(text.own.errors, {});
    // A file that cannot be had, or is not to be read, is no matter of who reads it.
    const bool is_asked = assembler == Assembler::automatic && text.own.has_unknown && !text.own.lacks_files;
    if (!is_asked) return text;
  }
  const auto program = may_ask_llvm(input) ? find_llvm_assembler() : std::nullopt;
  if (!program) {
    Error reason = llvm_is_not_to_be_asked(input);
    if (assembler == Assembler::llvm) {
      text.errors = {std::move(reason)};
    } else if (can_start_programs) {
      text.remarks.push_back({input.where, "LLVM's assembler may know more: " + reason.message, {}});
    }
    return text;
  }
  if (auto overwritten = find_overwritten(input)) {
    text.errors = {*std::move(overwritten)};
    return text;
  }
  LlvmAssembly llvm = assemble_with_llvm(*program, input, target);
  if (assembler == Assembler::llvm) {
    text.errors = std::move(llvm.errors);
  } else if (!llvm.errors.empty()) {
    const Error& first = llvm.errors.front();
    // Where both stumble over the same line, nothing is new.
    const bool is_known =
        std::ranges::any_of(text.errors, [&](const Error& own) { return own.where.line == first.where.line; });
    if (!is_known)
      text.remarks.push_back(
          {first.where, fmt::format("{} refuses the text, too: {}", *program, first.message), first.source_line});
  } else {
    const Error& first = text.errors.front();
    text.remarks.push_back({first.where,
                            fmt::format("the text is assembled by {}, because salu's own assembler refuses it: {}",
                                        *program, first.message),
                            first.source_line});
    text.errors.clear();
    text.own = {};
  }
  text.object = std::move(llvm.object);
  return text;
}

}  // namespace

AssembledText assemble_text(const CodeInput& input, const Target& target, u64 base) {
  AssembledText text = assemble_as_asked(input, target, base);
  std::vector<Remark> more = std::exchange(text.remarks, std::exchange(text.own.remarks, {}));
  std::ranges::move(more, std::back_inserter(text.remarks));
  place_messages(input, text.remarks);
  place_messages(input, text.errors);
  return text;
}

void reject_text(AssembledText text) {
  // What the caller is about to do is more than what is wrong with the text.
  const auto overwriting = std::ranges::find(text.errors, ErrorCode::overwrite, &Error::code);
  if (overwriting != text.errors.end()) std::rotate(text.errors.begin(), overwriting, overwriting + 1);
  Error first = std::move(text.errors.front());
  first.remarks = std::move(text.remarks);
  first.more.assign(std::move_iterator(text.errors.begin() + 1), std::move_iterator(text.errors.end()));
  throw Rejection(std::move(first));
}

std::optional<std::pair<std::string, i64>> parse_definition(std::string_view text) {
  constexpr u32 bits = 64;
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  const ParsedNumber value = parse_number(text.substr(equals + 1));
  if (!value.number || !value.number->fits(bits)) return std::nullopt;
  return std::pair{std::string(text.substr(0, equals)), static_cast<i64>(value.number->low64())};
}

std::optional<Assembler> find_assembler(std::string_view name) {
  if (name == "auto") return Assembler::automatic;
  if (name == "salu") return Assembler::salu;
  if (name == "llvm") return Assembler::llvm;
  return std::nullopt;
}

}  // namespace salu::loader
