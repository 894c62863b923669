; 32-bit integer arithmetic in straight lines.

define amdgpu_ps i32 @add32(i32 inreg %a, i32 inreg %b) {
  %r = add i32 %a, %b
  ret i32 %r
}

define amdgpu_ps i32 @sub32(i32 inreg %a, i32 inreg %b) {
  %r = sub i32 %a, %b
  ret i32 %r
}

define amdgpu_ps i32 @mul32(i32 inreg %a, i32 inreg %b) {
  %r = mul i32 %a, %b
  ret i32 %r
}

define amdgpu_ps { i32, i32 } @sum_and_difference(i32 inreg %a, i32 inreg %b) {
  %sum = add i32 %a, %b
  %difference = sub i32 %a, %b
  %r0 = insertvalue { i32, i32 } poison, i32 %sum, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %difference, 1
  ret { i32, i32 } %r1
}

; ((a * 31 + b) * 31 + c) - small and large literals, S_ADDK and S_MULK
define amdgpu_ps i32 @polynomial(i32 inreg %a, i32 inreg %b, i32 inreg %c) {
  %m0 = mul i32 %a, 31
  %s0 = add i32 %m0, %b
  %m1 = mul i32 %s0, 31
  %s1 = add i32 %m1, %c
  %s2 = add i32 %s1, -32768
  %m2 = mul i32 %s2, 1103515245
  %s3 = add i32 %m2, 12345
  ret i32 %s3
}

define amdgpu_ps i32 @mul_high_unsigned(i32 inreg %a, i32 inreg %b) {
  %x = zext i32 %a to i64
  %y = zext i32 %b to i64
  %p = mul i64 %x, %y
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}

define amdgpu_ps i32 @mul_high_signed(i32 inreg %a, i32 inreg %b) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %p = mul i64 %x, %y
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}

; the same high half from four 16-bit products, for targets without S_MUL_HI
define amdgpu_ps i32 @mul_high_from_halves(i32 inreg %a, i32 inreg %b) {
  %a0 = and i32 %a, 65535
  %a1 = lshr i32 %a, 16
  %b0 = and i32 %b, 65535
  %b1 = lshr i32 %b, 16
  %p00 = mul i32 %a0, %b0
  %p01 = mul i32 %a0, %b1
  %p10 = mul i32 %a1, %b0
  %p11 = mul i32 %a1, %b1
  %c0 = lshr i32 %p00, 16
  %m0 = and i32 %p01, 65535
  %m1 = and i32 %p10, 65535
  %t0 = add i32 %c0, %m0
  %t1 = add i32 %t0, %m1
  %c1 = lshr i32 %t1, 16
  %h01 = lshr i32 %p01, 16
  %h10 = lshr i32 %p10, 16
  %u0 = add i32 %p11, %h01
  %u1 = add i32 %u0, %h10
  %u2 = add i32 %u1, %c1
  ret i32 %u2
}

define amdgpu_ps i32 @average_rounding_down(i32 inreg %a, i32 inreg %b) {
  %common = and i32 %a, %b
  %differ = xor i32 %a, %b
  %half = lshr i32 %differ, 1
  %r = add i32 %common, %half
  ret i32 %r
}

define amdgpu_ps i32 @absolute_value(i32 inreg %a) {
  %r = call i32 @llvm.abs.i32(i32 %a, i1 false)
  ret i32 %r
}

define amdgpu_ps i32 @absolute_difference(i32 inreg %a, i32 inreg %b) {
  %c = icmp ugt i32 %a, %b
  %ab = sub i32 %a, %b
  %ba = sub i32 %b, %a
  %r = select i1 %c, i32 %ab, i32 %ba
  ret i32 %r
}

define amdgpu_ps { i32, i32 } @unsigned_min_max(i32 inreg %a, i32 inreg %b) {
  %min = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %max = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  %r0 = insertvalue { i32, i32 } poison, i32 %min, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %max, 1
  ret { i32, i32 } %r1
}

define amdgpu_ps { i32, i32 } @signed_min_max(i32 inreg %a, i32 inreg %b) {
  %min = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  %max = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %r0 = insertvalue { i32, i32 } poison, i32 %min, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %max, 1
  ret { i32, i32 } %r1
}

define amdgpu_ps i32 @clamp_signed(i32 inreg %x, i32 inreg %low, i32 inreg %high) {
  %t = call i32 @llvm.smax.i32(i32 %x, i32 %low)
  %r = call i32 @llvm.smin.i32(i32 %t, i32 %high)
  ret i32 %r
}

; S_LSHL1_ADD .. S_LSHL4_ADD on GCN 1.4 and later
define amdgpu_ps i32 @shift_and_add(i32 inreg %a, i32 inreg %b) {
  %a1 = shl i32 %a, 1
  %s1 = add i32 %a1, %b
  %a2 = shl i32 %s1, 2
  %s2 = add i32 %a2, %a
  %a3 = shl i32 %s2, 3
  %s3 = add i32 %a3, %b
  %a4 = shl i32 %s3, 4
  %s4 = add i32 %a4, %s1
  ret i32 %s4
}

; division by constants becomes multiplication by a reciprocal
define amdgpu_ps i32 @divide_by_ten(i32 inreg %a) {
  %r = udiv i32 %a, 10
  ret i32 %r
}

define amdgpu_ps i32 @signed_remainder_by_seven(i32 inreg %a) {
  %r = srem i32 %a, 7
  ret i32 %r
}

define amdgpu_ps i32 @signed_divide_by_sixteen(i32 inreg %a) {
  %r = sdiv i32 %a, 16
  ret i32 %r
}

define amdgpu_ps i32 @unsigned_saturating_add(i32 inreg %a, i32 inreg %b) {
  %r = call i32 @llvm.uadd.sat.i32(i32 %a, i32 %b)
  ret i32 %r
}

define amdgpu_ps i32 @unsigned_saturating_sub(i32 inreg %a, i32 inreg %b) {
  %r = call i32 @llvm.usub.sat.i32(i32 %a, i32 %b)
  ret i32 %r
}

define amdgpu_ps i32 @signed_saturating_add(i32 inreg %a, i32 inreg %b) {
  %r = call i32 @llvm.sadd.sat.i32(i32 %a, i32 %b)
  ret i32 %r
}

define amdgpu_ps i32 @signed_saturating_sub(i32 inreg %a, i32 inreg %b) {
  %r = call i32 @llvm.ssub.sat.i32(i32 %a, i32 %b)
  ret i32 %r
}

; the flag as a number: SelectionDAG makes it in a vector register, GlobalISel in an SGPR
define amdgpu_ps { i32, i32 } @unsigned_add_overflow(i32 inreg %a, i32 inreg %b) {
  %p = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %x = zext i1 %o to i32
  %r0 = insertvalue { i32, i32 } poison, i32 %v, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %x, 1
  ret { i32, i32 } %r1
}

define amdgpu_ps { i32, i32 } @unsigned_add_overflow_selects(i32 inreg %a, i32 inreg %b) {
  %p = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %x = select i1 %o, i32 -7, i32 19
  %r0 = insertvalue { i32, i32 } poison, i32 %v, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %x, 1
  ret { i32, i32 } %r1
}

define amdgpu_ps { i32, i32 } @unsigned_sub_overflow_selects(i32 inreg %a, i32 inreg %b) {
  %p = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %x = select i1 %o, i32 33, i32 100
  %r0 = insertvalue { i32, i32 } poison, i32 %v, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %x, 1
  ret { i32, i32 } %r1
}

define amdgpu_ps { i32, i32 } @signed_add_overflow_selects(i32 inreg %a, i32 inreg %b) {
  %p = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %x = select i1 %o, i32 77777, i32 -5
  %r0 = insertvalue { i32, i32 } poison, i32 %v, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %x, 1
  ret { i32, i32 } %r1
}

define amdgpu_ps { i32, i32 } @signed_sub_overflow_selects(i32 inreg %a, i32 inreg %b) {
  %p = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %x = select i1 %o, i32 12, i32 3
  %r0 = insertvalue { i32, i32 } poison, i32 %v, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %x, 1
  ret { i32, i32 } %r1
}

; the textbook sign test of signed overflow: no overflow intrinsic
define amdgpu_ps i32 @signed_overflow_by_signs(i32 inreg %a, i32 inreg %b) {
  %s = add i32 %a, %b
  %x = xor i32 %s, %a
  %y = xor i32 %s, %b
  %z = and i32 %x, %y
  %r = lshr i32 %z, 31
  ret i32 %r
}

; more arguments than a small call has: s0 to s11
define amdgpu_ps i32 @twelve_arguments(i32 inreg %a, i32 inreg %b, i32 inreg %c, i32 inreg %d, i32 inreg %e, i32 inreg %f, i32 inreg %g, i32 inreg %h, i32 inreg %i, i32 inreg %j, i32 inreg %k, i32 inreg %l) {
  %t0 = add i32 %a, %b
  %t1 = xor i32 %t0, %c
  %t2 = mul i32 %t1, %d
  %t3 = sub i32 %t2, %e
  %t4 = and i32 %t3, %f
  %t5 = or i32 %t4, %g
  %t6 = add i32 %t5, %h
  %t7 = xor i32 %t6, %i
  %t8 = sub i32 %t7, %j
  %t9 = mul i32 %t8, %k
  %r = add i32 %t9, %l
  ret i32 %r
}

; division by a variable goes through floating point in the vector unit
define amdgpu_ps i32 @unsigned_divide(i32 inreg %a, i32 inreg %b) {
  %d = or i32 %b, 1
  %r = udiv i32 %a, %d
  ret i32 %r
}
