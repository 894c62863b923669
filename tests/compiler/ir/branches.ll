; Branches, switches and decision trees without loops.

define amdgpu_ps i32 @if_then(i32 inreg %a, i32 inreg %b) {
entry:
  %c = icmp ult i32 %a, %b
  br i1 %c, label %then, label %join
then:
  %m = mul i32 %a, 3
  %x = xor i32 %m, %b
  br label %join
join:
  %r = phi i32 [ %b, %entry ], [ %x, %then ]
  ret i32 %r
}

define amdgpu_ps i32 @if_then_else(i32 inreg %a, i32 inreg %b) {
entry:
  %c = icmp sgt i32 %a, %b
  br i1 %c, label %then, label %else
then:
  %x = add i32 %a, %b
  br label %join
else:
  %y = mul i32 %a, %b
  br label %join
join:
  %r = phi i32 [ %x, %then ], [ %y, %else ]
  ret i32 %r
}

; several returns: the last one needs no branch, the others jump to the end of the function
define amdgpu_ps i32 @early_return(i32 inreg %a, i32 inreg %b) {
entry:
  %c0 = icmp eq i32 %a, 0
  br i1 %c0, label %zero, label %next
zero:
  %z = sub i32 %b, 1
  ret i32 %z
next:
  %c1 = icmp slt i32 %b, 0
  br i1 %c1, label %negative, label %rest
negative:
  %n = mul i32 %b, %a
  ret i32 %n
rest:
  %s = shl i32 %a, 2
  %r = add i32 %s, %b
  ret i32 %r
}

define amdgpu_ps i32 @nested_if(i32 inreg %a, i32 inreg %b, i32 inreg %c) {
entry:
  %k0 = icmp ult i32 %a, %b
  br i1 %k0, label %ab, label %ba
ab:
  %k1 = icmp ult i32 %b, %c
  br i1 %k1, label %abc, label %acb
abc:
  %v0 = sub i32 %c, %a
  br label %join
acb:
  %v1 = add i32 %c, %a
  br label %join
ba:
  %k2 = icmp ult i32 %a, %c
  br i1 %k2, label %bac, label %bca
bac:
  %v2 = mul i32 %b, 7
  br label %join
bca:
  %v3 = xor i32 %b, %c
  br label %join
join:
  %r = phi i32 [ %v0, %abc ], [ %v1, %acb ], [ %v2, %bac ], [ %v3, %bca ]
  ret i32 %r
}

define amdgpu_ps i32 @short_circuit(i32 inreg %a, i32 inreg %b) {
entry:
  %c0 = icmp ne i32 %b, 0
  br i1 %c0, label %second, label %no
second:
  %m = and i32 %a, %b
  %c1 = icmp eq i32 %m, %b
  br i1 %c1, label %yes, label %no
yes:
  %x = xor i32 %a, %b
  ret i32 %x
no:
  %y = or i32 %a, %b
  ret i32 %y
}

define amdgpu_ps i32 @switch_dense(i32 inreg %selector, i32 inreg %a, i32 inreg %b) {
entry:
  %s = and i32 %selector, 7
  switch i32 %s, label %other [
    i32 0, label %case0
    i32 1, label %case1
    i32 2, label %case2
    i32 3, label %case3
    i32 4, label %case4
    i32 5, label %case5
  ]
case0:
  %r0 = add i32 %a, %b
  ret i32 %r0
case1:
  %r1 = sub i32 %a, %b
  ret i32 %r1
case2:
  %r2 = mul i32 %a, %b
  ret i32 %r2
case3:
  %r3 = and i32 %a, %b
  ret i32 %r3
case4:
  %r4 = or i32 %a, %b
  ret i32 %r4
case5:
  %r5 = xor i32 %a, %b
  ret i32 %r5
other:
  ret i32 -1
}

define amdgpu_ps i32 @switch_sparse(i32 inreg %a) {
entry:
  switch i32 %a, label %other [
    i32 0, label %zero
    i32 -1, label %ones
    i32 127, label %seven
    i32 65536, label %power
    i32 -2147483648, label %minimum
  ]
zero:
  ret i32 17
ones:
  ret i32 -2
seven:
  ret i32 1000000
power:
  ret i32 -65
minimum:
  ret i32 2147483647
other:
  %m = mul i32 %a, -1640531527
  ret i32 %m
}

; floor(log2) as a tree of decisions that each skip one step
define amdgpu_ps i32 @log2_by_steps(i32 inreg %a) {
entry:
  %c16 = icmp ugt i32 %a, 65535
  br i1 %c16, label %by16, label %at8
by16:
  %a16 = lshr i32 %a, 16
  br label %at8
at8:
  %x8 = phi i32 [ %a, %entry ], [ %a16, %by16 ]
  %n8 = phi i32 [ 0, %entry ], [ 16, %by16 ]
  %c8 = icmp ugt i32 %x8, 255
  br i1 %c8, label %by8, label %at4
by8:
  %a8 = lshr i32 %x8, 8
  %m8 = add i32 %n8, 8
  br label %at4
at4:
  %x4 = phi i32 [ %x8, %at8 ], [ %a8, %by8 ]
  %n4 = phi i32 [ %n8, %at8 ], [ %m8, %by8 ]
  %c4 = icmp ugt i32 %x4, 15
  br i1 %c4, label %by4, label %at2
by4:
  %a4 = lshr i32 %x4, 4
  %m4 = add i32 %n4, 4
  br label %at2
at2:
  %x2 = phi i32 [ %x4, %at4 ], [ %a4, %by4 ]
  %n2 = phi i32 [ %n4, %at4 ], [ %m4, %by4 ]
  %c2 = icmp ugt i32 %x2, 3
  br i1 %c2, label %by2, label %at1
by2:
  %a2 = lshr i32 %x2, 2
  %m2 = add i32 %n2, 2
  br label %at1
at1:
  %x1 = phi i32 [ %x2, %at2 ], [ %a2, %by2 ]
  %n1 = phi i32 [ %n2, %at2 ], [ %m2, %by2 ]
  %t = lshr i32 %x1, 1
  %r = add i32 %n1, %t
  ret i32 %r
}

; one step of each of four operations on a 64-bit accumulator, chosen by two bits
define amdgpu_ps i64 @accumulator_step(i64 inreg %acc, i32 inreg %op, i32 inreg %value) {
entry:
  %v = zext i32 %value to i64
  %b0 = and i32 %op, 1
  %c0 = icmp eq i32 %b0, 0
  %b1 = and i32 %op, 2
  %c1 = icmp eq i32 %b1, 0
  br i1 %c1, label %arithmetic, label %logical
arithmetic:
  br i1 %c0, label %do_add, label %do_sub
do_add:
  %r0 = add i64 %acc, %v
  ret i64 %r0
do_sub:
  %r1 = sub i64 %acc, %v
  ret i64 %r1
logical:
  br i1 %c0, label %do_xor, label %do_shift
do_xor:
  %x = shl i64 %v, 32
  %r2 = xor i64 %acc, %x
  ret i64 %r2
do_shift:
  %n = and i64 %v, 63
  %r3 = shl i64 %acc, %n
  ret i64 %r3
}

; sorts three values with compare-and-swap branches, returns the two smallest packed
define amdgpu_ps { i32, i32 } @sort_three(i32 inreg %a, i32 inreg %b, i32 inreg %c) {
entry:
  %k0 = icmp sgt i32 %a, %b
  br i1 %k0, label %swap0, label %next0
swap0:
  br label %next0
next0:
  %x0 = phi i32 [ %a, %entry ], [ %b, %swap0 ]
  %y0 = phi i32 [ %b, %entry ], [ %a, %swap0 ]
  %k1 = icmp sgt i32 %y0, %c
  br i1 %k1, label %swap1, label %next1
swap1:
  br label %next1
next1:
  %y1 = phi i32 [ %y0, %next0 ], [ %c, %swap1 ]
  %k2 = icmp sgt i32 %x0, %y1
  br i1 %k2, label %swap2, label %next2
swap2:
  br label %next2
next2:
  %x2 = phi i32 [ %x0, %next1 ], [ %y1, %swap2 ]
  %y2 = phi i32 [ %y1, %next1 ], [ %x0, %swap2 ]
  %r0 = insertvalue { i32, i32 } poison, i32 %x2, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %y2, 1
  ret { i32, i32 } %r1
}
