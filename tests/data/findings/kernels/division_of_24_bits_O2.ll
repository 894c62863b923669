; llc: -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -O2
; wrong: 19 22
; llvm/llvm-project#201186. Operands of 24 bits are divided as floats; the quotient is one too large or too small where the correction
; of its last place is left out.
define amdgpu_kernel void @division_of_24_bits_O2(ptr addrspace(1) %out, i32 %a, i32 %b) {
  %dividend = and i32 %a, 16777215
  %divisor = and i32 %b, 16777215
  %quotient = udiv i32 %dividend, %divisor
  store i32 %quotient, ptr addrspace(1) %out
  ret void
}
