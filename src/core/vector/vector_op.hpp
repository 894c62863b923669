#pragma once

#include "isa/vector/decode.hpp"

namespace salu::core {

struct Interpreter;
struct MicroOp;
struct VectorOp;

/// Executes a vector instruction and returns the op to go on with.
using VectorHandler = const MicroOp* (*)(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector, u32 scc);

/// A vector instruction as it is executed. A micro-op has the number of its own.
struct VectorOp {
  isa::vector::Instruction instruction;
  VectorHandler handler = nullptr;
  bool is_plain = false;             ///< whole registers, nothing negated, a result for a VGPR: what most are
  bool is_of_vgprs = false;          ///< and no source is anything but a VGPR, and nothing is clamped
  VectorHandler executes = nullptr;  ///< of `warn_of_allocation`: what runs after the warning
};

/// Whether an instruction is plain.
bool is_plain(const isa::vector::Instruction& instruction);
/// Whether it is, and of VGPRs alone.
bool is_of_vgprs(const isa::vector::Instruction& instruction);

/// Warns that an instruction names registers beyond the allocation, and executes it.
const MicroOp* warn_of_allocation(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector, u32 scc);

/// Executes an instruction of memory.
const MicroOp* access_lanes(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector, u32 scc);

/// What executes an instruction; null where nothing does.
VectorHandler vector_handler(const isa::vector::Instruction& instruction);

}  // namespace salu::core
