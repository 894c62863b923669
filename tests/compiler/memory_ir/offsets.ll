; The limits of offsets: 8 bits of dwords, 20 bits, 21 bits with a sign, a literal, a register, both.

define amdgpu_ps i32 @offset_minus_4(ptr addrspace(4) inreg %table) {
  %p = getelementptr i32, ptr addrspace(4) %table, i64 -1
  %v = load i32, ptr addrspace(4) %p
  ret i32 %v
}

define amdgpu_ps i32 @offset_1020(ptr addrspace(4) inreg %table) {
  %p = getelementptr i8, ptr addrspace(4) %table, i64 1020
  %v = load i32, ptr addrspace(4) %p
  ret i32 %v
}

define amdgpu_ps i32 @offset_1024(ptr addrspace(4) inreg %table) {
  %p = getelementptr i8, ptr addrspace(4) %table, i64 1024
  %v = load i32, ptr addrspace(4) %p
  ret i32 %v
}

define amdgpu_ps { i32, i32 } @offset_around_1024(ptr addrspace(4) inreg %table) {
  %p = getelementptr i8, ptr addrspace(4) %table, i64 1020
  %v = load <4 x i32>, ptr addrspace(4) %p, align 4
  %q = getelementptr i8, ptr addrspace(4) %table, i64 -1028
  %w = load <2 x i32>, ptr addrspace(4) %q, align 4
  %a = extractelement <4 x i32> %v, i32 3
  %b = extractelement <2 x i32> %w, i32 1
  %r0 = insertvalue { i32, i32 } undef, i32 %a, 0
  %r = insertvalue { i32, i32 } %r0, i32 %b, 1
  ret { i32, i32 } %r
}

define amdgpu_ps i32 @offset_4092_and_4096(ptr addrspace(4) inreg %table) {
  %p = getelementptr i8, ptr addrspace(4) %table, i64 4092
  %v = load i32, ptr addrspace(4) %p
  %q = getelementptr i8, ptr addrspace(4) %table, i64 4096
  %w = load i32, ptr addrspace(4) %q
  %r = sub i32 %v, %w
  ret i32 %r
}

define amdgpu_ps i64 @offset_64k(ptr addrspace(4) inreg %table) {
  %p = getelementptr i8, ptr addrspace(4) %table, i64 65536
  %v = load i64, ptr addrspace(4) %p
  %q = getelementptr i8, ptr addrspace(4) %table, i64 -65536
  %w = load i64, ptr addrspace(4) %q
  %r = sub i64 %v, %w
  ret i64 %r
}

define amdgpu_ps i32 @offset_512k(ptr addrspace(4) inreg %table) {
  %p = getelementptr i8, ptr addrspace(4) %table, i64 524284
  %v = load i32, ptr addrspace(4) %p
  %q = getelementptr i8, ptr addrspace(4) %table, i64 524288
  %w = load i32, ptr addrspace(4) %q
  %r = sub i32 %v, %w
  ret i32 %r
}

define amdgpu_ps i32 @offset_last_of_20_bits(ptr addrspace(4) inreg %table) {
  %p = getelementptr i8, ptr addrspace(4) %table, i64 1048572
  %v = load i32, ptr addrspace(4) %p
  ret i32 %v
}

define amdgpu_ps i32 @offset_first_of_21_bits(ptr addrspace(4) inreg %table) {
  %p = getelementptr i8, ptr addrspace(4) %table, i64 1048576
  %v = load i32, ptr addrspace(4) %p
  ret i32 %v
}

define amdgpu_ps i32 @offset_least_of_21_bits(ptr addrspace(4) inreg %table) {
  %p = getelementptr i8, ptr addrspace(4) %table, i64 -1048576
  %v = load i32, ptr addrspace(4) %p
  %q = getelementptr i8, ptr addrspace(4) %table, i64 -1048580
  %w = load i32, ptr addrspace(4) %q
  %r = sub i32 %v, %w
  ret i32 %r
}

; a register of zero-extended bytes, and an immediate in addition if the encoding has both
define amdgpu_ps i32 @offset_register_and_immediate(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %bytes = and i32 %index, 2044
  %wide = zext i32 %bytes to i64
  %p = getelementptr i8, ptr addrspace(4) %table, i64 %wide
  %q = getelementptr i8, ptr addrspace(4) %p, i64 1356
  %v = load i32, ptr addrspace(4) %q
  ret i32 %v
}

define amdgpu_ps i64 @offset_register_and_far_immediate(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %bytes = and i32 %index, 56
  %wide = zext i32 %bytes to i64
  %p = getelementptr i8, ptr addrspace(4) %table, i64 %wide
  %q = getelementptr i8, ptr addrspace(4) %p, i64 1048512
  %v = load i64, ptr addrspace(4) %q
  %n = getelementptr i8, ptr addrspace(4) %p, i64 1048576
  %w = load i64, ptr addrspace(4) %n
  %r = add i64 %v, %w
  ret i64 %r
}

; the index has a sign, so that the address takes 64-bit arithmetic
define amdgpu_ps i32 @offset_signed_index(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %shifted = shl i32 %index, 21
  %signed = ashr i32 %shifted, 21
  %p = getelementptr i32, ptr addrspace(4) %table, i32 %signed
  %v = load i32, ptr addrspace(4) %p
  ret i32 %v
}

define amdgpu_ps i32 @offset_signed_index_less_one(ptr addrspace(4) inreg %table, i64 inreg %index) {
  %shifted = shl i64 %index, 54
  %signed = ashr i64 %shifted, 54
  %p = getelementptr i32, ptr addrspace(4) %table, i64 %signed
  %q = getelementptr i32, ptr addrspace(4) %p, i64 -1
  %v = load i32, ptr addrspace(4) %q
  %s = getelementptr i32, ptr addrspace(4) %p, i64 1
  %w = load i32, ptr addrspace(4) %s
  %r = sub i32 %v, %w
  ret i32 %r
}

define amdgpu_ps i64 @offset_wide_index(ptr addrspace(4) inreg %table, i64 inreg %index) {
  %i = and i64 %index, 511
  %p = getelementptr i64, ptr addrspace(4) %table, i64 %i
  %v = load i64, ptr addrspace(4) %p
  ret i64 %v
}

; a large offset in a register: bits of the index select one of the areas with data
define amdgpu_ps i32 @offset_power_of_two(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %k = and i32 %index, 15
  %top = call i32 @llvm.umin.i32(i32 %k, i32 8)
  %bytes = shl i32 4096, %top
  %p = getelementptr i8, ptr addrspace(4) %table, i32 %bytes
  %v = load i32, ptr addrspace(4) %p
  %negated = sub i32 0, %bytes
  %q = getelementptr i8, ptr addrspace(4) %table, i32 %negated
  %w = load i32, ptr addrspace(4) %q
  %r = sub i32 %v, %w
  ret i32 %r
}
