; 64-bit integer arithmetic: carries between the halves of an SGPR pair.

define amdgpu_ps i64 @add64(i64 inreg %a, i64 inreg %b) {
  %r = add i64 %a, %b
  ret i64 %r
}

define amdgpu_ps i64 @sub64(i64 inreg %a, i64 inreg %b) {
  %r = sub i64 %a, %b
  ret i64 %r
}

define amdgpu_ps i64 @negate64(i64 inreg %a) {
  %r = sub i64 0, %a
  ret i64 %r
}

define amdgpu_ps i64 @logic64(i64 inreg %a, i64 inreg %b, i64 inreg %c) {
  %nb = xor i64 %b, -1
  %x = and i64 %a, %nb
  %nc = xor i64 %c, -1
  %y = or i64 %x, %nc
  %t = xor i64 %y, %a
  %n = xor i64 %t, -1
  ret i64 %n
}

define amdgpu_ps i64 @nand_nor_xnor64(i64 inreg %a, i64 inreg %b) {
  %t0 = and i64 %a, %b
  %nand = xor i64 %t0, -1
  %t1 = or i64 %nand, %b
  %nor = xor i64 %t1, -1
  %t2 = xor i64 %nor, %a
  %xnor = xor i64 %t2, -1
  ret i64 %xnor
}

define amdgpu_ps i64 @shift_left64(i64 inreg %a, i32 inreg %n) {
  %m = and i32 %n, 63
  %s = zext i32 %m to i64
  %r = shl i64 %a, %s
  ret i64 %r
}

define amdgpu_ps i64 @shift_right64(i64 inreg %a, i32 inreg %n) {
  %m = and i32 %n, 63
  %s = zext i32 %m to i64
  %r = lshr i64 %a, %s
  ret i64 %r
}

define amdgpu_ps i64 @shift_right_arithmetic64(i64 inreg %a, i32 inreg %n) {
  %m = and i32 %n, 63
  %s = zext i32 %m to i64
  %r = ashr i64 %a, %s
  ret i64 %r
}

define amdgpu_ps i64 @shift_by_constants64(i64 inreg %a) {
  %x = shl i64 %a, 13
  %y = lshr i64 %a, 51
  %z = ashr i64 %a, 33
  %t = or i64 %x, %y
  %r = xor i64 %t, %z
  ret i64 %r
}

define amdgpu_ps i64 @mul64(i64 inreg %a, i64 inreg %b) {
  %r = mul i64 %a, %b
  ret i64 %r
}

define amdgpu_ps i64 @mul32_to_64(i32 inreg %a, i32 inreg %b) {
  %x = zext i32 %a to i64
  %y = zext i32 %b to i64
  %r = mul i64 %x, %y
  ret i64 %r
}

; a 64-bit product from 16-bit pieces: runs where S_MUL_HI does not exist
define amdgpu_ps i64 @mul32_to_64_from_halves(i32 inreg %a, i32 inreg %b) {
  %a0 = and i32 %a, 65535
  %a1 = lshr i32 %a, 16
  %b0 = and i32 %b, 65535
  %b1 = lshr i32 %b, 16
  %p00 = mul i32 %a0, %b0
  %p01 = mul i32 %a0, %b1
  %p10 = mul i32 %a1, %b0
  %p11 = mul i32 %a1, %b1
  %w00 = zext i32 %p00 to i64
  %w01 = zext i32 %p01 to i64
  %w10 = zext i32 %p10 to i64
  %w11 = zext i32 %p11 to i64
  %s01 = shl i64 %w01, 16
  %s10 = shl i64 %w10, 16
  %s11 = shl i64 %w11, 32
  %t0 = add i64 %w00, %s01
  %t1 = add i64 %t0, %s10
  %t2 = add i64 %t1, %s11
  ret i64 %t2
}

define amdgpu_ps { i64, i64 } @sum_and_difference64(i64 inreg %a, i64 inreg %b) {
  %sum = add i64 %a, %b
  %difference = sub i64 %a, %b
  %r0 = insertvalue { i64, i64 } poison, i64 %sum, 0
  %r1 = insertvalue { i64, i64 } %r0, i64 %difference, 1
  ret { i64, i64 } %r1
}

; 96-bit addition: two carries in a row
define amdgpu_ps { i64, i32 } @add96(i64 inreg %a_low, i64 inreg %b_low, i32 inreg %a_high, i32 inreg %b_high) {
  %al = zext i64 %a_low to i96
  %bl = zext i64 %b_low to i96
  %ah = zext i32 %a_high to i96
  %bh = zext i32 %b_high to i96
  %as = shl i96 %ah, 64
  %bs = shl i96 %bh, 64
  %a = or i96 %al, %as
  %b = or i96 %bl, %bs
  %s = add i96 %a, %b
  %low = trunc i96 %s to i64
  %t = lshr i96 %s, 64
  %high = trunc i96 %t to i32
  %r0 = insertvalue { i64, i32 } poison, i64 %low, 0
  %r1 = insertvalue { i64, i32 } %r0, i32 %high, 1
  ret { i64, i32 } %r1
}

define amdgpu_ps { i64, i64 } @sub128(i64 inreg %a_low, i64 inreg %a_high, i64 inreg %b_low, i64 inreg %b_high) {
  %al = zext i64 %a_low to i128
  %bl = zext i64 %b_low to i128
  %ah = zext i64 %a_high to i128
  %bh = zext i64 %b_high to i128
  %as = shl i128 %ah, 64
  %bs = shl i128 %bh, 64
  %a = or i128 %al, %as
  %b = or i128 %bl, %bs
  %s = sub i128 %a, %b
  %low = trunc i128 %s to i64
  %t = lshr i128 %s, 64
  %high = trunc i128 %t to i64
  %r0 = insertvalue { i64, i64 } poison, i64 %low, 0
  %r1 = insertvalue { i64, i64 } %r0, i64 %high, 1
  ret { i64, i64 } %r1
}

define amdgpu_ps { i64, i32 } @unsigned_add_overflow64(i64 inreg %a, i64 inreg %b) {
  %p = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %p, 0
  %o = extractvalue { i64, i1 } %p, 1
  %x = select i1 %o, i32 23, i32 -9
  %r0 = insertvalue { i64, i32 } poison, i64 %v, 0
  %r1 = insertvalue { i64, i32 } %r0, i32 %x, 1
  ret { i64, i32 } %r1
}

; 64-bit arguments that start at odd SGPRs: s[1:2] and s[4:5]
define amdgpu_ps i64 @odd_pairs(i32 inreg %a, i64 inreg %b, i32 inreg %c, i64 inreg %d) {
  %x = zext i32 %a to i64
  %y = sext i32 %c to i64
  %t0 = add i64 %b, %x
  %t1 = sub i64 %t0, %y
  %r = xor i64 %t1, %d
  ret i64 %r
}

define amdgpu_ps i64 @absolute_value64(i64 inreg %a) {
  %s = ashr i64 %a, 63
  %x = xor i64 %a, %s
  %r = sub i64 %x, %s
  ret i64 %r
}

define amdgpu_ps i64 @widen_signed(i32 inreg %a, i32 inreg %b) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %s = shl i64 %y, 7
  %r = add i64 %x, %s
  ret i64 %r
}

define amdgpu_ps i64 @average64(i64 inreg %a, i64 inreg %b) {
  %common = and i64 %a, %b
  %differ = xor i64 %a, %b
  %half = lshr i64 %differ, 1
  %r = add i64 %common, %half
  ret i64 %r
}
