#pragma once

#include "isa/vector/decode.hpp"

namespace salu::core {

struct Interpreter;
struct MicroOp;
struct VectorOp;

/// Executes a vector instruction and returns the op to continue with.
using VectorHandler = const MicroOp* (*)(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector, u32 scc);

/// A decoded vector instruction. Its micro-op contains its index in the table of vector ops.
struct VectorOp {
  isa::vector::Instruction instruction;
  VectorHandler handler = nullptr;
  bool is_plain = false;             ///< whole registers, no negation, a VGPR as destination: most instructions
  bool is_of_vgprs = false;          ///< additionally, all sources are VGPRs, and nothing is clamped
  VectorHandler executes = nullptr;  ///< for `warn_of_allocation`: the handler to call after the warning
};

/// True if an instruction is plain.
bool is_plain(const isa::vector::Instruction& instruction);
/// True if an instruction is plain and all its sources are VGPRs.
bool is_of_vgprs(const isa::vector::Instruction& instruction);

/// Warns that an instruction uses registers beyond the allocation, and executes it.
const MicroOp* warn_of_allocation(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector, u32 scc);

/// Executes a memory instruction.
const MicroOp* access_lanes(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector, u32 scc);

/// The handler of an instruction; null if it is not supported.
VectorHandler vector_handler(const isa::vector::Instruction& instruction);

}  // namespace salu::core
