#pragma once

#include <salu/outcome.hpp>
#include <salu/program.hpp>

#include <string>

namespace salu::dap {

/// `end_program at 0x1038 <outer_join+0x8> after 17 instructions`.
std::string stop_text(const Stop& stop, u64 position, const Program& program);

}  // namespace salu::dap
