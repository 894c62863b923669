; Comparisons, selects and conditions without branches.

define amdgpu_ps i32 @all_compares(i32 inreg %a, i32 inreg %b) {
  %eq = icmp eq i32 %a, %b
  %ne = icmp ne i32 %a, %b
  %sgt = icmp sgt i32 %a, %b
  %sge = icmp sge i32 %a, %b
  %slt = icmp slt i32 %a, %b
  %sle = icmp sle i32 %a, %b
  %ugt = icmp ugt i32 %a, %b
  %uge = icmp uge i32 %a, %b
  %ult = icmp ult i32 %a, %b
  %ule = icmp ule i32 %a, %b
  %r0 = select i1 %eq, i32 3, i32 8
  %r1 = select i1 %ne, i32 24, i32 70
  %r2 = select i1 %sgt, i32 99, i32 6
  %r3 = select i1 %sge, i32 1000, i32 5
  %r4 = select i1 %slt, i32 7, i32 77
  %r5 = select i1 %sle, i32 12, i32 300
  %r6 = select i1 %ugt, i32 31, i32 9
  %r7 = select i1 %uge, i32 -5, i32 50
  %r8 = select i1 %ult, i32 444, i32 13
  %r9 = select i1 %ule, i32 29, i32 129
  %m1 = mul i32 %r0, 1009
  %t1 = add i32 %m1, %r1
  %m2 = mul i32 %t1, 1009
  %t2 = add i32 %m2, %r2
  %m3 = mul i32 %t2, 1009
  %t3 = add i32 %m3, %r3
  %m4 = mul i32 %t3, 1009
  %t4 = add i32 %m4, %r4
  %m5 = mul i32 %t4, 1009
  %t5 = add i32 %m5, %r5
  %m6 = mul i32 %t5, 1009
  %t6 = add i32 %m6, %r6
  %m7 = mul i32 %t6, 1009
  %t7 = add i32 %m7, %r7
  %m8 = mul i32 %t7, 1009
  %t8 = add i32 %m8, %r8
  %m9 = mul i32 %t8, 1009
  %t9 = add i32 %m9, %r9
  ret i32 %t9
}

define amdgpu_ps i32 @select_equal(i32 inreg %a, i32 inreg %b, i32 inreg %x, i32 inreg %y) {
  %c = icmp eq i32 %a, %b
  %r = select i1 %c, i32 %x, i32 %y
  ret i32 %r
}

define amdgpu_ps i64 @select64(i64 inreg %x, i64 inreg %y, i32 inreg %a) {
  %c = icmp slt i32 %a, 0
  %r = select i1 %c, i64 %x, i64 %y
  ret i64 %r
}

; S_CMP_EQ_U64 exists from GCN 1.2 on
define amdgpu_ps i32 @equal64(i64 inreg %a, i64 inreg %b) {
  %c = icmp eq i64 %a, %b
  %r = select i1 %c, i32 7, i32 11
  ret i32 %r
}

define amdgpu_ps i32 @is_zero64(i64 inreg %a) {
  %l = trunc i64 %a to i32
  %s = lshr i64 %a, 32
  %h = trunc i64 %s to i32
  %o = or i32 %l, %h
  %c = icmp eq i32 %o, 0
  %r = select i1 %c, i32 -1, i32 1
  ret i32 %r
}

define amdgpu_ps i32 @less_than64(i64 inreg %a, i64 inreg %b) {
  %c = icmp ult i64 %a, %b
  %r = select i1 %c, i32 1, i32 0
  ret i32 %r
}

; unsigned 64-bit order from the halves
define amdgpu_ps i32 @less_than64_by_halves(i64 inreg %a, i64 inreg %b) {
  %al = trunc i64 %a to i32
  %bl = trunc i64 %b to i32
  %as = lshr i64 %a, 32
  %bs = lshr i64 %b, 32
  %ah = trunc i64 %as to i32
  %bh = trunc i64 %bs to i32
  %lt_low = icmp ult i32 %al, %bl
  %lt_high = icmp ult i32 %ah, %bh
  %eq_high = icmp eq i32 %ah, %bh
  %low = select i1 %lt_low, i32 17, i32 29
  %high = select i1 %lt_high, i32 17, i32 29
  %r = select i1 %eq_high, i32 %low, i32 %high
  ret i32 %r
}

define amdgpu_ps i32 @sign_of(i32 inreg %a) {
  %neg = icmp slt i32 %a, 0
  %pos = icmp sgt i32 %a, 0
  %p = select i1 %pos, i32 40, i32 7
  %r = select i1 %neg, i32 -12, i32 %p
  ret i32 %r
}

define amdgpu_ps i32 @median_of_three(i32 inreg %a, i32 inreg %b, i32 inreg %c) {
  %min = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  %max = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %t = call i32 @llvm.smin.i32(i32 %max, i32 %c)
  %r = call i32 @llvm.smax.i32(i32 %min, i32 %t)
  ret i32 %r
}

define amdgpu_ps i32 @compare_with_literals(i32 inreg %a) {
  %c0 = icmp eq i32 %a, 64
  %c1 = icmp sgt i32 %a, -32768
  %c2 = icmp ult i32 %a, 65535
  %c3 = icmp ugt i32 %a, -559038737
  %r0 = select i1 %c0, i32 1, i32 100
  %r1 = select i1 %c1, i32 1000, i32 70000
  %r2 = select i1 %c2, i32 -16, i32 -17
  %r3 = select i1 %c3, i32 12345, i32 54321
  %s0 = add i32 %r0, %r1
  %s1 = mul i32 %r2, %r3
  %r = xor i32 %s0, %s1
  ret i32 %r
}

; a bit test and a condition made of two others
define amdgpu_ps i32 @test_bits(i32 inreg %a, i32 inreg %b) {
  %m = and i32 %a, 1024
  %c0 = icmp ne i32 %m, 0
  %x = select i1 %c0, i32 %b, i32 %a
  %n = and i32 %b, 1
  %c1 = icmp eq i32 %n, 0
  %r = select i1 %c1, i32 %x, i32 305419896
  ret i32 %r
}

; lexicographic order of two pairs, with i1 logic
define amdgpu_ps i32 @pair_order(i32 inreg %a0, i32 inreg %a1, i32 inreg %b0, i32 inreg %b1) {
  %lt0 = icmp ult i32 %a0, %b0
  %eq0 = icmp eq i32 %a0, %b0
  %lt1 = icmp ult i32 %a1, %b1
  %t = and i1 %eq0, %lt1
  %c = or i1 %lt0, %t
  %r = select i1 %c, i32 91, i32 -44
  ret i32 %r
}

; all lanes or none: a branchless choice between four values
define amdgpu_ps i32 @choose_of_four(i32 inreg %i, i32 inreg %a, i32 inreg %b, i32 inreg %c, i32 inreg %d) {
  %b0 = and i32 %i, 1
  %b1 = and i32 %i, 2
  %c0 = icmp eq i32 %b0, 0
  %c1 = icmp eq i32 %b1, 0
  %x = select i1 %c0, i32 %a, i32 %b
  %y = select i1 %c0, i32 %c, i32 %d
  %r = select i1 %c1, i32 %x, i32 %y
  ret i32 %r
}
