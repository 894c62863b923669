; The next multiple of a power of two.
define amdgpu_ps i32 @align(i32 inreg %offset, i32 inreg %alignment) {
  %mask = sub i32 %alignment, 1
  %beyond = add i32 %offset, %mask
  %inverse = xor i32 %mask, -1
  %aligned = and i32 %beyond, %inverse
  ret i32 %aligned
}
