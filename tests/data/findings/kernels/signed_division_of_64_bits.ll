; llc: -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -O2
; wrong: 19 22
; llvm/llvm-project#204469. Both operands have 33 sign bits, so that the division is done in 32 bits. -2^31 / -1 has 33.
define amdgpu_kernel void @signed_division_of_64_bits(ptr addrspace(1) %out, i32 %a, i32 %b) {
  %dividend = sext i32 %a to i64
  %divisor = sext i32 %b to i64
  %quotient = sdiv i64 %dividend, %divisor
  store i64 %quotient, ptr addrspace(1) %out
  ret void
}
