#include "loader/assembly/text_assembler.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "loader/assembly/included_files.hpp"
#include "loader/assembly/llvm_assembler.hpp"
#include "loader/llvm_versions.hpp"
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
  options.keeps_unencoded = true;
  return assembler::assemble(input.text, options);
}

/// True if LLVM's assembler may be used. `FileRules` cannot restrict the files that it reads.
bool may_ask_llvm(const CodeInput& input) { return can_start_programs && !input.files.root; }

std::vector<std::string> assemblers_for(const CodeInput& input) {
  return may_ask_llvm(input) ? find_llvm_assemblers(input.assembly.llvm) : std::vector<std::string>();
}

Error llvm_is_not_to_be_asked(const CodeInput& input) {
  std::string reason = "LLVM's assembler cannot be used with --root, because it reads any file that the text names";
  if (!can_start_programs) reason = "this build of salu cannot use LLVM's assembler";
  if (may_ask_llvm(input)) reason = missing_llvm_assembler(input.assembly.llvm);
  return {ErrorCode::assembly, input.where, std::move(reason), input.source_line};
}

/// Moves errors or warnings to places in the user's files.
template <class Message>
void place_messages(const CodeInput& input, std::vector<Message>& messages) {
  if (input.exact_places) return;
  for (Message& message : messages) {
    message.where = input.where;
    message.source_line = input.source_line;
  }
}

/// The reason why LLVM's assembler is used, or could help.
struct Reason {
  SourcePlace where;
  std::string message;
  std::string source_line;
};

/// Returns the first part of a text that salu's assembler does not support; nothing if another assembler cannot help.
std::optional<Reason> find_lack(const AssembledText& text) {
  if (!text.errors.empty()) {
    // A missing file is an error for every assembler.
    if (text.own.lacks_files || (!text.own.has_unknown && text.own.unencoded.empty())) return std::nullopt;
    const Error& first = text.errors.front();
    return Reason{first.where, "salu's own assembler rejects it: " + first.message, first.source_line};
  }
  if (text.own.unencoded.empty()) return std::nullopt;
  const assembler::UnencodedInstruction& first = text.own.unencoded.front();
  return Reason{first.where, "salu's own assembler does not encode `" + first.text + "`", {}};
}

/// Adds a warning about instructions that stop the run, at the first of them.
void warn_of_unencoded(AssembledText& text) {
  const std::vector<assembler::UnencodedInstruction>& unencoded = text.own.unencoded;
  if (unencoded.empty() || !text.errors.empty()) return;
  const std::string others = unencoded.size() == 1 ? "" : fmt::format(" and {} others are", unencoded.size() - 1);
  text.remarks.push_back({unencoded.front().where,
                          fmt::format("`{}`{} not encoded by salu's assembler; a run stops there",
                                      unencoded.front().text, others.empty() ? " is" : others),
                          {}});
}

/// Uses LLVM's assembler for a text that salu's own rejects or cannot encode completely.
void ask_llvm(const CodeInput& input, const Target& target, const Reason& reason, AssembledText& text) {
  const std::vector<std::string> programs = assemblers_for(input);
  if (programs.empty()) {
    if (can_start_programs)
      text.remarks.push_back(
          {input.where, "LLVM's assembler may support it: " + llvm_is_not_to_be_asked(input).message, {}});
    return;
  }
  if (auto overwritten = find_overwritten(input)) {
    text.errors = {*std::move(overwritten)};
    return;
  }
  LlvmAssembly llvm = assemble_with_llvm(programs, input, target);
  if (!llvm.errors.empty()) {
    const Error& first = llvm.errors.front();
    // An error in the same line adds no information.
    const bool is_known =
        std::ranges::any_of(text.errors, [&](const Error& own) { return own.where.line == first.where.line; });
    if (!is_known)
      text.remarks.push_back({first.where, fmt::format("{} rejects the text as well: {}", llvm.program, first.message),
                              first.source_line});
    return;
  }
  text.remarks.push_back(
      {reason.where, fmt::format("assembled with {}, because {}", llvm.program, reason.message), reason.source_line});
  text.errors.clear();
  text.own = {};
  text.object = std::move(llvm.object);
}

AssembledText assemble_by_llvm(const CodeInput& input, const Target& target) {
  AssembledText text;
  const std::vector<std::string> programs = assemblers_for(input);
  if (programs.empty()) {
    text.errors = {llvm_is_not_to_be_asked(input)};
  } else if (auto overwritten = find_overwritten(input)) {
    text.errors = {*std::move(overwritten)};
  } else {
    LlvmAssembly llvm = assemble_with_llvm(programs, input, target);
    text.errors = std::move(llvm.errors);
    text.object = std::move(llvm.object);
  }
  return text;
}

AssembledText assemble_as_asked(const CodeInput& input, const Target& target, u64 base) {
  const Assembler assembler = input.assembly.assembler.value_or(Assembler::automatic);
  if (assembler == Assembler::llvm) return assemble_by_llvm(input, target);
  AssembledText text;
  text.own = assemble_here(input, target, base);
  text.errors = std::exchange(text.own.errors, {});
  if (assembler == Assembler::automatic) {
    if (const auto reason = find_lack(text)) ask_llvm(input, target, *reason, text);
  }
  warn_of_unencoded(text);
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
  // An input that would be overwritten is more important than errors in the text.
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
