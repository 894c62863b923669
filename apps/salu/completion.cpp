#include <memory>

#include "commands.hpp"
#include "completion_script.hpp"
#include "exit_codes.hpp"
#include "output.hpp"

namespace salu::app {

void add_completion(Command& app, const CommandLine& line) {
  Command command = app.add("completion", "print a shell completion script");
  const auto shell = std::make_shared<Shell>(Shell::bash);
  const Choices<Shell> shells = {{"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}};
  command.choice("SHELL", *shell, shells, "bash, zsh or fish", Command::Need::required);
  command.epilogue({.notes =
                        "To enable completion in one session, run `source <(salu completion bash)`, the same with zsh, "
                        "or `salu completion fish | source`. Installed packages contain all three scripts.",
                    .examples = {"salu completion bash > ~/.local/share/bash-completion/completions/salu",
                                 "salu completion zsh > ~/.zfunc/_salu",
                                 "salu completion fish > ~/.config/fish/completions/salu.fish"},
                    .exit_codes = {{exit_code::good, "printed"}, {exit_code::usage, "wrong usage"}}});
  command.action([shell, &line] {
    print_data(completion_script(declarations_of(line), *shell));
    return exit_code::good;
  });
}

}  // namespace salu::app
