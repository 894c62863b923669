#include "completion_script.hpp"

namespace salu::app {

std::string filled(std::string_view script, const std::vector<std::pair<std::string, std::string>>& texts) {
  std::string result(script);
  for (const auto& [name, text] : texts) {
    const std::string line = "@" + name + "@\n";
    result.replace(result.find(line), line.size(), text);
  }
  return result;
}

std::string quoted(std::string_view text, std::string_view quote_inside) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string(quote_inside) : std::string(1, c);
  return result + "'";
}

std::string completion_script(const CommandDeclaration& program, Shell shell) {
  switch (shell) {
    case Shell::bash:
      return bash_script(program);
    case Shell::zsh:
      return zsh_script(program);
    case Shell::fish:
      break;
  }
  return fish_script(program);
}

}  // namespace salu::app
