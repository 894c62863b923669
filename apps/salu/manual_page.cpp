#include "manual_page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <vector>

#include "wrapped_text.hpp"

namespace salu::app {
namespace {

/// Text as troff takes it, character by character.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      case '"':
        result += "\\(dq";
        break;
      default:
        result += c;
    }
  }
  // A dot at the beginning of a line would begin a command.
  return result.starts_with('.') ? "\\&" + result : result;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

/// A paragraph, with text between backquotes in bold. Lines are short, to keep the source readable.
std::string paragraph(std::string_view text) {
  constexpr std::size_t width = 72;
  const std::string lines = wrapped(text, width);
  std::string result;
  bool is_bold = false;
  std::size_t from = 0;
  while (from <= lines.size()) {
    const std::size_t end = std::min(lines.find_first_of("`\n", from), lines.size());
    result += escaped(std::string_view(lines).substr(from, end - from));
    if (end == lines.size() || lines[end] == '\n') {
      result += '\n';
    } else {
      is_bold = !is_bold;
      result += is_bold ? "\\fB" : "\\fR";
    }
    from = end + 1;
  }
  return result;
}

std::string upper(std::string_view text) {
  std::string result;
  for (const char c : text) result += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

std::string title_line(const std::string& name, const ManualEdition& edition) {
  return fmt::format(".TH {} 1 {} \"salu {}\" \"User Commands\"\n", escaped(upper(name)), edition.date,
                     edition.version);
}

/// `-o`, `--output` FILE
std::string option_line(const OptionDeclaration& option) {
  std::string line;
  for (const std::string& name : option.names) line += (line.empty() ? "" : ", ") + bold(name);
  if (option.is_value_optional) {
    std::string words;
    for (const std::string& word : option.words) words += (words.empty() ? "" : "|") + bold(word);
    return line + "[=" + words + "]";
  }
  if (!option.value.empty()) line += " " + italic(option.value);
  return line;
}

std::string option_list(const std::vector<OptionDeclaration>& options) {
  std::string text;
  for (const OptionDeclaration& option : options) {
    const std::string required = option.is_required && !option.names.empty() ? " (required)" : "";
    text += ".TP\n" + option_line(option) + "\n" + paragraph(option.help + required);
  }
  return text;
}

/// The options, with a subsection for each heading of help.
std::string option_sections(const CommandDeclaration& command) {
  std::vector<std::string> groups = {general_options};
  for (const OptionDeclaration& option : command.options) {
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  }
  std::string text = ".SH OPTIONS\n";
  for (const std::string& group : groups) {
    std::vector<OptionDeclaration> together;
    std::ranges::copy_if(command.options, std::back_inserter(together),
                         [&](const OptionDeclaration& option) { return option.group == group; });
    if (group != general_options) text += ".SS " + escaped(group) + "\n";
    text += option_list(together);
  }
  return text;
}

/// A sentence about the command and the notes of its help.
std::string description_of(const CommandDeclaration& command) {
  std::string text = command.description + ". " + command.epilogue.notes;
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string epilogue_sections(const Epilogue& epilogue) {
  std::string text;
  if (!epilogue.exit_codes.empty()) text += ".SH \"EXIT STATUS\"\n";
  for (const auto& [code, meaning] : epilogue.exit_codes)
    text += fmt::format(".TP\n.B {}\n", code) + paragraph(meaning);
  if (!epilogue.examples.empty()) text += ".SH EXAMPLES\n";
  bool is_first = true;
  for (const Epilogue::Example& example : epilogue.examples) {
    if (example.what.empty()) {
      // The first paragraph after a heading needs no .PP.
      text += (is_first ? "" : ".PP\n") + std::string(".nf\n.RS 4\n") + escaped(example.command) + "\n.RE\n.fi\n";
      is_first = false;
    } else {
      text += ".TP\n" + bold(example.command) + "\n" + paragraph(example.what);
    }
  }
  return text;
}

std::string synopsis(const std::string& name, const CommandDeclaration& command) {
  std::string text = ".SH SYNOPSIS\n" + bold(name) + " [" + italic("OPTIONS") + "]";
  for (const OptionDeclaration& argument : command.arguments) {
    const std::string shown = italic(argument.value) + (argument.is_repeatable ? "..." : "");
    text += argument.is_required ? " " + shown : " [" + shown + "]";
  }
  if (!command.commands.empty()) text += " " + italic("COMMAND") + " ...";
  return text + "\n";
}

}  // namespace

std::string manual_page(const CommandDeclaration& program, const ManualEdition& edition) {
  std::string text = title_line(program.name, edition);
  text += ".SH NAME\n" + escaped(program.name) + " \\- " + escaped(program.description) + "\n";
  text += synopsis(program.name, program);
  text += ".SH DESCRIPTION\n" + paragraph(description_of(program));
  text += ".SH COMMANDS\n";
  std::string also;
  for (const CommandDeclaration& command : program.commands) {
    text += ".TP\n" + bold(command.name) + "\n" + paragraph(command.description);
    also += fmt::format("{}.BR {} (1)", also.empty() ? "" : ",\n", escaped(program.name + "-" + command.name));
  }
  text += option_sections(program) + epilogue_sections(program.epilogue);
  return text + ".SH \"SEE ALSO\"\n" + also + "\n";
}

std::string manual_page(const CommandDeclaration& program, const CommandDeclaration& command,
                        const ManualEdition& edition) {
  std::string text = title_line(program.name + "-" + command.name, edition);
  text += ".SH NAME\n" + escaped(program.name + "-" + command.name) + " \\- " + escaped(command.description) + "\n";
  text += synopsis(program.name + " " + command.name, command);
  text += ".SH DESCRIPTION\n" + paragraph(description_of(command));
  for (const OptionDeclaration& argument : command.arguments)
    text += ".TP\n" + italic(argument.value) + "\n" + paragraph(argument.help);
  text += option_sections(command) + epilogue_sections(command.epilogue);
  return text + fmt::format(".SH \"SEE ALSO\"\n.BR {} (1)\n", escaped(program.name));
}

}  // namespace salu::app
