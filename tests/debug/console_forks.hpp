#pragma once

#include <string>

#include "debug/consoles.hpp"

namespace salu::debug {

/// A console on a program with a fork.
class ConsoleForks : public ConsoleTest {
 protected:
  /// At 0x1000 a fork: 8 lanes go to `then`, at 0x100c, and 56 wait at 0x1004 in s[0:3]. `body` is what `then` does.
  void start_fork(const std::string& body, const std::string& more_registers = {}) {
    start(
        "target: gfx900\n"
        "code:\n"
        "  asm: |\n"
        "    s_cbranch_i_fork s[32:33], then\n"
        "    s_nop 0\n"
        "    s_branch join\n"
        "    then: " +
        body +
        "\n"
        "    join: s_cbranch_join s40\n"
        "    s_endpgm\n"
        "registers: {\"s[32:33]\": 0xff, s40: 0" +
        more_registers + "}\n");
  }
};

}  // namespace salu::debug
