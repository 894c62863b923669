; One load of every width, at a constant or a variable index. The name of a pointer argument determines the data
; (memory_image.cpp).

define amdgpu_ps i32 @load_i32(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %i = and i32 %index, 1023
  %i.w = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(4) %table, i64 %i.w
  %v = load i32, ptr addrspace(4) %p
  ret i32 %v
}

define amdgpu_ps i64 @load_i64(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %i = and i32 %index, 511
  %i.w = zext i32 %i to i64
  %p = getelementptr i64, ptr addrspace(4) %table, i64 %i.w
  %v = load i64, ptr addrspace(4) %p
  ret i64 %v
}

; a qword at a dword's alignment
define amdgpu_ps i64 @load_i64_dword_aligned(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %i = and i32 %index, 1022
  %i.w = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(4) %table, i64 %i.w
  %q = getelementptr i32, ptr addrspace(4) %p, i64 1
  %v = load i64, ptr addrspace(4) %q, align 4
  %w = load i64, ptr addrspace(4) %table, align 4
  %r = sub i64 %v, %w
  ret i64 %r
}

define amdgpu_ps { i64, i64 } @load_i128(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %i = and i32 %index, 255
  %i.w = zext i32 %i to i64
  %p = getelementptr i128, ptr addrspace(4) %table, i64 %i.w
  %v = load i128, ptr addrspace(4) %p, align 16
  %lo = trunc i128 %v to i64
  %s = lshr i128 %v, 64
  %hi = trunc i128 %s to i64
  %r0 = insertvalue { i64, i64 } undef, i64 %lo, 0
  %r = insertvalue { i64, i64 } %r0, i64 %hi, 1
  ret { i64, i64 } %r
}

define amdgpu_ps { i32, i32 } @load_v2(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %i = and i32 %index, 511
  %i.w = zext i32 %i to i64
  %p = getelementptr <2 x i32>, ptr addrspace(4) %table, i64 %i.w
  %v = load <2 x i32>, ptr addrspace(4) %p
  %a = extractelement <2 x i32> %v, i32 0
  %b = extractelement <2 x i32> %v, i32 1
  %r0 = insertvalue { i32, i32 } undef, i32 %b, 0
  %r = insertvalue { i32, i32 } %r0, i32 %a, 1
  ret { i32, i32 } %r
}

define amdgpu_ps i32 @load_v3(ptr addrspace(4) inreg %table) {
  %p = getelementptr i8, ptr addrspace(4) %table, i64 48
  %v = load <3 x i32>, ptr addrspace(4) %p, align 4
  %a = extractelement <3 x i32> %v, i32 0
  %b = extractelement <3 x i32> %v, i32 1
  %c = extractelement <3 x i32> %v, i32 2
  %s = sub i32 %a, %b
  %r = xor i32 %s, %c
  ret i32 %r
}

define amdgpu_ps { i32, i32 } @load_v4(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %i = and i32 %index, 255
  %i.w = zext i32 %i to i64
  %p = getelementptr <4 x i32>, ptr addrspace(4) %table, i64 %i.w
  %v = load <4 x i32>, ptr addrspace(4) %p
  %a = extractelement <4 x i32> %v, i32 0
  %b = extractelement <4 x i32> %v, i32 1
  %c = extractelement <4 x i32> %v, i32 2
  %d = extractelement <4 x i32> %v, i32 3
  %s = sub i32 %a, %b
  %t = sub i32 %c, %d
  %r0 = insertvalue { i32, i32 } undef, i32 %s, 0
  %r = insertvalue { i32, i32 } %r0, i32 %t, 1
  ret { i32, i32 } %r
}

; four dwords that the alignment allows to straddle anything
define amdgpu_ps i32 @load_v4_dword_aligned(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %i = and i32 %index, 511
  %i.w = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(4) %table, i64 %i.w
  %v = load <4 x i32>, ptr addrspace(4) %p, align 4
  %a = extractelement <4 x i32> %v, i32 0
  %d = extractelement <4 x i32> %v, i32 3
  %s = shl i32 %a, 1
  %r = add i32 %s, %d
  ret i32 %r
}

define amdgpu_ps i32 @load_v8(ptr addrspace(4) inreg %table) {
  %p = getelementptr <8 x i32>, ptr addrspace(4) %table, i64 3
  %v = load <8 x i32>, ptr addrspace(4) %p, align 32
  %a = extractelement <8 x i32> %v, i32 0
  %b = extractelement <8 x i32> %v, i32 3
  %c = extractelement <8 x i32> %v, i32 4
  %d = extractelement <8 x i32> %v, i32 7
  %s = sub i32 %a, %b
  %t = xor i32 %s, %c
  %r = sub i32 %t, %d
  ret i32 %r
}

define amdgpu_ps { i32, i32 } @load_v16(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %i = and i32 %index, 63
  %i.w = zext i32 %i to i64
  %p = getelementptr <16 x i32>, ptr addrspace(4) %table, i64 %i.w
  %v = load <16 x i32>, ptr addrspace(4) %p
  %a = extractelement <16 x i32> %v, i32 0
  %b = extractelement <16 x i32> %v, i32 5
  %c = extractelement <16 x i32> %v, i32 10
  %d = extractelement <16 x i32> %v, i32 15
  %s = sub i32 %a, %b
  %t = sub i32 %c, %d
  %r0 = insertvalue { i32, i32 } undef, i32 %s, 0
  %r = insertvalue { i32, i32 } %r0, i32 %t, 1
  ret { i32, i32 } %r
}

define amdgpu_ps i64 @load_v8_i64(ptr addrspace(4) inreg %table) {
  %v = load <8 x i64>, ptr addrspace(4) %table, align 64
  %a = extractelement <8 x i64> %v, i32 1
  %b = extractelement <8 x i64> %v, i32 4
  %c = extractelement <8 x i64> %v, i32 7
  %s = sub i64 %a, %b
  %r = xor i64 %s, %c
  ret i64 %r
}

define amdgpu_ps i32 @load_i8_signed(ptr addrspace(4) inreg %table) {
  %p = getelementptr i8, ptr addrspace(4) %table, i64 12
  %v = load i8, ptr addrspace(4) %p, align 4
  %r = sext i8 %v to i32
  ret i32 %r
}

define amdgpu_ps i32 @load_i8_unsigned(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %i = and i32 %index, 1023
  %i.w = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(4) %table, i64 %i.w
  %v = load i8, ptr addrspace(4) %p, align 4
  %r = zext i8 %v to i32
  ret i32 %r
}

define amdgpu_ps i32 @load_i16_signed(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %i = and i32 %index, 1023
  %i.w = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(4) %table, i64 %i.w
  %v = load i16, ptr addrspace(4) %p, align 4
  %r = sext i16 %v to i32
  ret i32 %r
}

; the upper half of an aligned dword: one dword and a shift, as the pointer is known to be aligned
define amdgpu_ps i32 @load_i16_upper(ptr addrspace(4) inreg align 4 dereferenceable(64) %table) {
  %p = getelementptr i8, ptr addrspace(4) %table, i64 22
  %v = load i16, ptr addrspace(4) %p, align 2
  %r = sext i16 %v to i32
  ret i32 %r
}

define amdgpu_ps i32 @load_i8_third(ptr addrspace(4) inreg align 4 dereferenceable(64) %table) {
  %p = getelementptr i8, ptr addrspace(4) %table, i64 34
  %v = load i8, ptr addrspace(4) %p, align 1
  %q = getelementptr i8, ptr addrspace(4) %table, i64 37
  %w = load i8, ptr addrspace(4) %q, align 1
  %v1 = zext i8 %v to i32
  %w1 = sext i8 %w to i32
  %r = sub i32 %v1, %w1
  ret i32 %r
}

; not known to be aligned: a vector load
define amdgpu_ps i32 @load_i16_any_alignment(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %i = and i32 %index, 1023
  %i.w = zext i32 %i to i64
  %p = getelementptr i16, ptr addrspace(4) %table, i64 %i.w
  %v = load i16, ptr addrspace(4) %p, align 2
  %r = zext i16 %v to i32
  ret i32 %r
}

define amdgpu_ps i32 @load_halves(ptr addrspace(4) inreg %table) {
  %v = load <4 x i16>, ptr addrspace(4) %table, align 8
  %a = extractelement <4 x i16> %v, i32 1
  %b = extractelement <4 x i16> %v, i32 2
  %a1 = sext i16 %a to i32
  %b1 = zext i16 %b to i32
  %r = sub i32 %a1, %b1
  ret i32 %r
}

define amdgpu_ps { i64, i32 } @load_floats(ptr addrspace(4) inreg %table) {
  %p = getelementptr double, ptr addrspace(4) %table, i64 5
  %v = load double, ptr addrspace(4) %p
  %q = getelementptr float, ptr addrspace(4) %table, i64 21
  %w = load float, ptr addrspace(4) %q
  %a = bitcast double %v to i64
  %b = bitcast float %w to i32
  %r0 = insertvalue { i64, i32 } undef, i64 %a, 0
  %r = insertvalue { i64, i32 } %r0, i32 %b, 1
  ret { i64, i32 } %r
}

%record = type { i32, i32, i64, i16, i16, i32 }

define amdgpu_ps i64 @struct_field(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %i = and i32 %index, 127
  %p.id = getelementptr %record, ptr addrspace(4) %table, i32 %i, i32 0
  %p.amount = getelementptr %record, ptr addrspace(4) %table, i32 %i, i32 2
  %p.flags = getelementptr %record, ptr addrspace(4) %table, i32 %i, i32 5
  %id = load i32, ptr addrspace(4) %p.id
  %amount = load i64, ptr addrspace(4) %p.amount
  %flags = load i32, ptr addrspace(4) %p.flags
  %mixed = xor i32 %id, %flags
  %wide = sext i32 %mixed to i64
  %r = add i64 %amount, %wide
  ret i64 %r
}

define amdgpu_ps i32 @struct_whole(ptr addrspace(4) inreg %table) {
  %p = getelementptr %record, ptr addrspace(4) %table, i32 7
  %v = load %record, ptr addrspace(4) %p
  %a = extractvalue %record %v, 0
  %b = extractvalue %record %v, 1
  %c = extractvalue %record %v, 2
  %f = extractvalue %record %v, 5
  %c.hi = lshr i64 %c, 32
  %c.t = trunc i64 %c.hi to i32
  %s = sub i32 %a, %b
  %t = xor i32 %s, %c.t
  %r = add i32 %t, %f
  ret i32 %r
}

define amdgpu_ps i32 @array_of_arrays(ptr addrspace(4) inreg %table, i32 inreg %row, i32 inreg %column) {
  %i = and i32 %row, 15
  %j = and i32 %column, 31
  %p = getelementptr [16 x [32 x i32]], ptr addrspace(4) %table, i32 0, i32 %i, i32 %j
  %v = load i32, ptr addrspace(4) %p
  %q = getelementptr [16 x [32 x i32]], ptr addrspace(4) %table, i32 0, i32 3, i32 %j
  %w = load i32, ptr addrspace(4) %q
  %r = sub i32 %v, %w
  ret i32 %r
}

define amdgpu_ps i32 @choose_pointer(ptr addrspace(4) inreg %table, ptr addrspace(4) inreg %sorted, i32 inreg %choice, i32 inreg %index) {
  %c = icmp sgt i32 %choice, 0
  %p = select i1 %c, ptr addrspace(4) %table, ptr addrspace(4) %sorted
  %i = and i32 %index, 255
  %q = getelementptr i32, ptr addrspace(4) %p, i32 %i
  %v = load i32, ptr addrspace(4) %q
  ret i32 %v
}

define amdgpu_ps i32 @load_if(ptr addrspace(4) inreg %table, i32 inreg %a, i32 inreg %b) {
entry:
  %c = icmp ult i32 %a, %b
  br i1 %c, label %less, label %other
less:
  %p = getelementptr i32, ptr addrspace(4) %table, i64 9
  %v = load i32, ptr addrspace(4) %p
  br label %done
other:
  %q = getelementptr i32, ptr addrspace(4) %table, i64 90
  %w = load i32, ptr addrspace(4) %q
  %x = sub i32 %w, %a
  br label %done
done:
  %r = phi i32 [ %v, %less ], [ %x, %other ]
  ret i32 %r
}

; the cache is coherent with memory
define amdgpu_ps i32 @reload_after_invalidation(ptr addrspace(4) inreg %table) {
  %v = load volatile i32, ptr addrspace(4) %table
  call void @llvm.amdgcn.s.dcache.inv()
  %w = load volatile i32, ptr addrspace(4) %table
  %x = shl i32 %v, 1
  %r = add i32 %x, %w
  ret i32 %r
}

define amdgpu_ps i32 @clock_goes_on(ptr addrspace(4) inreg %table) {
  %before = call i64 @llvm.amdgcn.s.memtime()
  %v = load volatile i32, ptr addrspace(4) %table
  %after = call i64 @llvm.amdgcn.s.memtime()
  %difference = sub i64 %before, %after
  %sign = ashr i64 %difference, 63
  %m = trunc i64 %sign to i32
  %r = and i32 %v, %m
  ret i32 %r
}
