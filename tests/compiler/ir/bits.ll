; Bit counting, fields, reversal, rotation, sign extension, interleaving.

define amdgpu_ps i32 @count_ones32(i32 inreg %a) {
  %r = call i32 @llvm.ctpop.i32(i32 %a)
  ret i32 %r
}

define amdgpu_ps i32 @count_ones64(i64 inreg %a) {
  %c = call i64 @llvm.ctpop.i64(i64 %a)
  %r = trunc i64 %c to i32
  ret i32 %r
}

define amdgpu_ps i32 @count_ones_in_parallel(i32 inreg %a) {
  %h = lshr i32 %a, 1
  %h1 = and i32 %h, 1431655765
  %p2 = sub i32 %a, %h1
  %l4 = and i32 %p2, 858993459
  %s4 = lshr i32 %p2, 2
  %h4 = and i32 %s4, 858993459
  %p4 = add i32 %l4, %h4
  %s8 = lshr i32 %p4, 4
  %t8 = add i32 %p4, %s8
  %p8 = and i32 %t8, 252645135
  %m = mul i32 %p8, 16843009
  %r = lshr i32 %m, 24
  ret i32 %r
}

define amdgpu_ps i32 @count_leading_zeros32(i32 inreg %a) {
  %r = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
  ret i32 %r
}

define amdgpu_ps i32 @count_trailing_zeros32(i32 inreg %a) {
  %r = call i32 @llvm.cttz.i32(i32 %a, i1 false)
  ret i32 %r
}

define amdgpu_ps i32 @count_leading_zeros64(i64 inreg %a) {
  %c = call i64 @llvm.ctlz.i64(i64 %a, i1 false)
  %r = trunc i64 %c to i32
  ret i32 %r
}

define amdgpu_ps i32 @count_trailing_zeros64(i64 inreg %a) {
  %c = call i64 @llvm.cttz.i64(i64 %a, i1 false)
  %r = trunc i64 %c to i32
  ret i32 %r
}

; a | 1 is never zero: the count without the test for zero
define amdgpu_ps i32 @leading_zeros_of_odd64(i64 inreg %a) {
  %odd = or i64 %a, 1
  %c = call i64 @llvm.ctlz.i64(i64 %odd, i1 true)
  %r = trunc i64 %c to i32
  ret i32 %r
}

define amdgpu_ps i32 @reverse_bits32(i32 inreg %a) {
  %r = call i32 @llvm.bitreverse.i32(i32 %a)
  ret i32 %r
}

define amdgpu_ps i64 @reverse_bits64(i64 inreg %a) {
  %r = call i64 @llvm.bitreverse.i64(i64 %a)
  ret i64 %r
}

define amdgpu_ps i32 @swap_bytes32(i32 inreg %a) {
  %r = call i32 @llvm.bswap.i32(i32 %a)
  ret i32 %r
}

define amdgpu_ps i32 @swap_bytes_by_shifts(i32 inreg %a) {
  %b0 = shl i32 %a, 24
  %b1 = and i32 %a, 65280
  %b1s = shl i32 %b1, 8
  %b2 = lshr i32 %a, 8
  %b2s = and i32 %b2, 65280
  %b3 = lshr i32 %a, 24
  %x = or i32 %b0, %b1s
  %y = or i32 %b2s, %b3
  %r = or i32 %x, %y
  ret i32 %r
}

define amdgpu_ps i32 @funnel_shift_left(i32 inreg %a, i32 inreg %b, i32 inreg %n) {
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 %n)
  ret i32 %r
}

define amdgpu_ps i32 @funnel_shift_right(i32 inreg %a, i32 inreg %b, i32 inreg %n) {
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 %n)
  ret i32 %r
}

define amdgpu_ps i32 @funnel_shift_in_64_bits(i32 inreg %a, i32 inreg %b, i32 inreg %n) {
  %h = zext i32 %a to i64
  %l = zext i32 %b to i64
  %hs = shl i64 %h, 32
  %x = or i64 %hs, %l
  %m = and i32 %n, 31
  %s = zext i32 %m to i64
  %y = lshr i64 %x, %s
  %r = trunc i64 %y to i32
  ret i32 %r
}

define amdgpu_ps i32 @rotate_left_by_shifts(i32 inreg %a, i32 inreg %n) {
  %m = and i32 %n, 31
  %k = sub i32 0, %n
  %km = and i32 %k, 31
  %x = shl i32 %a, %m
  %y = lshr i32 %a, %km
  %r = or i32 %x, %y
  ret i32 %r
}

; the high half of (a:a) << n: a rotation that no target turns into V_ALIGNBIT
define amdgpu_ps i32 @rotate_left_in_64_bits(i32 inreg %a, i32 inreg %n) {
  %x = zext i32 %a to i64
  %h = shl i64 %x, 32
  %aa = or i64 %h, %x
  %m = and i32 %n, 31
  %s = zext i32 %m to i64
  %t = shl i64 %aa, %s
  %u = lshr i64 %t, 32
  %r = trunc i64 %u to i32
  ret i32 %r
}

; S_BFE_U32 with a constant field
define amdgpu_ps i32 @extract_field_constant(i32 inreg %a) {
  %s = lshr i32 %a, 5
  %r = and i32 %s, 2047
  ret i32 %r
}

; S_BFE_I32 with a constant field
define amdgpu_ps i32 @extract_signed_field_constant(i32 inreg %a) {
  %s = shl i32 %a, 9
  %r = ashr i32 %s, 20
  ret i32 %r
}

define amdgpu_ps i32 @extract_field_variable(i32 inreg %a, i32 inreg %offset, i32 inreg %width) {
  %o = and i32 %offset, 31
  %w = and i32 %width, 31
  %s = lshr i32 %a, %o
  %one = shl i32 1, %w
  %mask = sub i32 %one, 1
  %r = and i32 %s, %mask
  ret i32 %r
}

; S_BFM_B32
define amdgpu_ps i32 @make_mask(i32 inreg %offset, i32 inreg %width) {
  %o = and i32 %offset, 31
  %w = and i32 %width, 31
  %one = shl i32 1, %w
  %mask = sub i32 %one, 1
  %r = shl i32 %mask, %o
  ret i32 %r
}

define amdgpu_ps i32 @insert_field(i32 inreg %mask, i32 inreg %a, i32 inreg %b) {
  %x = and i32 %a, %mask
  %n = xor i32 %mask, -1
  %y = and i32 %b, %n
  %r = or i32 %x, %y
  ret i32 %r
}

; S_BFE_I64 and S_BFE_U64 by the back end's own choice
define amdgpu_ps i64 @extract_signed_field64(i64 inreg %a) {
  %s = shl i64 %a, 23
  %r = ashr i64 %s, 40
  ret i64 %r
}

define amdgpu_ps i32 @sign_extend_in_register(i32 inreg %a) {
  %t8 = trunc i32 %a to i8
  %s8 = sext i8 %t8 to i32
  %h = lshr i32 %a, 8
  %t16 = trunc i32 %h to i16
  %s16 = sext i16 %t16 to i32
  %r = mul i32 %s8, %s16
  ret i32 %r
}

define amdgpu_ps i64 @sign_extend_to_64(i64 inreg %a) {
  %t8 = trunc i64 %a to i8
  %s8 = sext i8 %t8 to i64
  %h = lshr i64 %a, 16
  %t32 = trunc i64 %h to i32
  %s32 = sext i32 %t32 to i64
  %r = add i64 %s8, %s32
  ret i64 %r
}

define amdgpu_ps i32 @lowest_set_bit(i32 inreg %a) {
  %n = sub i32 0, %a
  %low = and i32 %a, %n
  %m = sub i32 %a, 1
  %rest = and i32 %a, %m
  %r = xor i32 %rest, %low
  %s = lshr i32 %r, 1
  %t = or i32 %s, %low
  ret i32 %t
}

; Morton order: the bits of two 16-bit values interleaved
define amdgpu_ps i32 @interleave_bits(i32 inreg %a, i32 inreg %b) {
  %x0 = and i32 %a, 65535
  %x1 = shl i32 %x0, 8
  %x2 = or i32 %x0, %x1
  %x3 = and i32 %x2, 16711935
  %x4 = shl i32 %x3, 4
  %x5 = or i32 %x3, %x4
  %x6 = and i32 %x5, 252645135
  %x7 = shl i32 %x6, 2
  %x8 = or i32 %x6, %x7
  %x9 = and i32 %x8, 858993459
  %x10 = shl i32 %x9, 1
  %x11 = or i32 %x9, %x10
  %x = and i32 %x11, 1431655765
  %y0 = and i32 %b, 65535
  %y1 = shl i32 %y0, 8
  %y2 = or i32 %y0, %y1
  %y3 = and i32 %y2, 16711935
  %y4 = shl i32 %y3, 4
  %y5 = or i32 %y3, %y4
  %y6 = and i32 %y5, 252645135
  %y7 = shl i32 %y6, 2
  %y8 = or i32 %y6, %y7
  %y9 = and i32 %y8, 858993459
  %y10 = shl i32 %y9, 1
  %y11 = or i32 %y9, %y10
  %y = and i32 %y11, 1431655765
  %ys = shl i32 %y, 1
  %r = or i32 %x, %ys
  ret i32 %r
}

define amdgpu_ps i32 @gray_code(i32 inreg %a) {
  %s = lshr i32 %a, 1
  %r = xor i32 %a, %s
  ret i32 %r
}

define amdgpu_ps i32 @parity_by_folding(i32 inreg %a) {
  %s16 = lshr i32 %a, 16
  %x16 = xor i32 %a, %s16
  %s8 = lshr i32 %x16, 8
  %x8 = xor i32 %x16, %s8
  %s4 = lshr i32 %x8, 4
  %x4 = xor i32 %x8, %s4
  %n = and i32 %x4, 15
  %t = lshr i32 27030, %n
  %r = and i32 %t, 1
  ret i32 %r
}

; S_PACK_LL/LH/HH on GCN 1.4 and later
define amdgpu_ps i32 @pack_halves(i32 inreg %a, i32 inreg %b) {
  %al = and i32 %a, 65535
  %bs = shl i32 %b, 16
  %ll = or i32 %al, %bs
  %ah = lshr i32 %a, 16
  %bh = and i32 %b, -65536
  %hh = or i32 %ah, %bh
  %r = add i32 %ll, %hh
  ret i32 %r
}

; a constant table lies in memory: left out for its scalar load and its relocation
@primes = internal addrspace(4) constant [8 x i32] [i32 2, i32 3, i32 5, i32 7, i32 11, i32 13, i32 17, i32 19]

define amdgpu_ps i32 @table_in_memory(i32 inreg %a) {
  %i = and i32 %a, 7
  %w = zext i32 %i to i64
  %p = getelementptr [8 x i32], ptr addrspace(4) @primes, i64 0, i64 %w
  %r = load i32, ptr addrspace(4) %p
  ret i32 %r
}

; the same kind of table packed into a literal
define amdgpu_ps i32 @table_in_a_literal(i32 inreg %a) {
  %i = and i32 %a, 15
  %s = shl i32 %i, 2
  %w = zext i32 %s to i64
  %t = lshr i64 -81985529216486896, %w
  %u = trunc i64 %t to i32
  %r = and i32 %u, 15
  ret i32 %r
}

; arguments narrower than a register: their upper bits are unspecified
define amdgpu_ps i32 @narrow_arguments(i16 inreg %a, i8 inreg %b, i1 inreg %c, i16 inreg %d) {
  %x = zext i16 %a to i32
  %y = sext i8 %b to i32
  %z = zext i1 %c to i32
  %w = sext i16 %d to i32
  %t0 = mul i32 %x, %y
  %t1 = add i32 %t0, %z
  %r = xor i32 %t1, %w
  ret i32 %r
}

define amdgpu_ps i16 @add16(i16 inreg %a, i16 inreg %b) {
  %s = add i16 %a, %b
  %r = xor i16 %s, 21845
  ret i16 %r
}

define amdgpu_ps i64 @set_and_clear_bits64(i64 inreg %a, i32 inreg %n) {
  %m = and i32 %n, 63
  %s = zext i32 %m to i64
  %bit = shl i64 1, %s
  %set = or i64 %a, %bit
  %k = xor i64 %s, 21
  %bit2 = shl i64 1, %k
  %mask = xor i64 %bit2, -1
  %r = and i64 %set, %mask
  ret i64 %r
}
