; Loops whose number of turns depends on the inputs, bounded by masks.

define amdgpu_ps i32 @linear_congruential(i32 inreg %seed, i32 inreg %count) {
entry:
  %n = and i32 %count, 31
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %x = phi i32 [ %seed, %entry ], [ %x2, %loop ]
  %x1 = mul i32 %x, 1664525
  %x2 = add i32 %x1, 1013904223
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %x2
}

define amdgpu_ps i32 @gcd_by_subtraction(i32 inreg %a0, i32 inreg %b0) {
entry:
  %am = and i32 %a0, 255
  %bm = and i32 %b0, 255
  %sa = or i32 %am, 1
  %sb = or i32 %bm, 1
  br label %loop
loop:
  %a = phi i32 [ %sa, %entry ], [ %a1, %loop ]
  %b = phi i32 [ %sb, %entry ], [ %b1, %loop ]
  %max = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  %b1 = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %a1 = sub i32 %max, %b1
  %more = icmp ne i32 %a1, 0
  br i1 %more, label %loop, label %done
done:
  ret i32 %b1
}

; Stein's algorithm on full 32-bit values
define amdgpu_ps i32 @gcd_binary(i32 inreg %a0, i32 inreg %b0) {
entry:
  %both = or i32 %a0, %b0
  %za = icmp eq i32 %a0, 0
  %zb = icmp eq i32 %b0, 0
  %z = or i1 %za, %zb
  br i1 %z, label %trivial, label %start
trivial:
  ret i32 %both
start:
  %shift = call i32 @llvm.cttz.i32(i32 %both, i1 true)
  %ta = call i32 @llvm.cttz.i32(i32 %a0, i1 true)
  %odd = lshr i32 %a0, %ta
  br label %loop
loop:
  %a = phi i32 [ %odd, %start ], [ %a1, %loop ]
  %b = phi i32 [ %b0, %start ], [ %b2, %loop ]
  %tb = call i32 @llvm.cttz.i32(i32 %b, i1 true)
  %b1 = lshr i32 %b, %tb
  %a1 = call i32 @llvm.umin.i32(i32 %a, i32 %b1)
  %max = call i32 @llvm.umax.i32(i32 %a, i32 %b1)
  %b2 = sub i32 %max, %a1
  %more = icmp ne i32 %b2, 0
  br i1 %more, label %loop, label %done
done:
  %r = shl i32 %a1, %shift
  ret i32 %r
}

; at most 300 steps of 3n+1 from a start below 4096, odd and even by a branch
define amdgpu_ps i32 @collatz_steps(i32 inreg %start) {
entry:
  %m = and i32 %start, 4095
  %s = or i32 %m, 1
  br label %loop
loop:
  %n = phi i32 [ %s, %entry ], [ %n1, %latch ]
  %steps = phi i32 [ 0, %entry ], [ %steps1, %latch ]
  %bit = and i32 %n, 1
  %even = icmp eq i32 %bit, 0
  br i1 %even, label %halve, label %triple
halve:
  %h = lshr i32 %n, 1
  br label %latch
triple:
  %t = mul i32 %n, 3
  %t1 = add i32 %t, 1
  br label %latch
latch:
  %n1 = phi i32 [ %h, %halve ], [ %t1, %triple ]
  %steps1 = add i32 %steps, 1
  %going = icmp ugt i32 %n1, 1
  %room = icmp ult i32 %steps1, 300
  %more = and i1 %going, %room
  br i1 %more, label %loop, label %done
done:
  ret i32 %steps1
}

; the same with a select in place of the branch
define amdgpu_ps i32 @collatz_steps_selected(i32 inreg %start) {
entry:
  %m = and i32 %start, 4095
  %s = or i32 %m, 1
  br label %loop
loop:
  %n = phi i32 [ %s, %entry ], [ %n1, %loop ]
  %steps = phi i32 [ 0, %entry ], [ %steps1, %loop ]
  %bit = and i32 %n, 1
  %even = icmp eq i32 %bit, 0
  %h = lshr i32 %n, 1
  %t = mul i32 %n, 3
  %t1 = add i32 %t, 1
  %n1 = select i1 %even, i32 %h, i32 %t1
  %steps1 = add i32 %steps, 1
  %more = icmp ugt i32 %n1, 1
  br i1 %more, label %loop, label %done
done:
  ret i32 %steps1
}

define amdgpu_ps i32 @count_ones_by_clearing(i32 inreg %a) {
entry:
  %z = icmp eq i32 %a, 0
  br i1 %z, label %done, label %loop
loop:
  %x = phi i32 [ %a, %entry ], [ %x1, %loop ]
  %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
  %m = sub i32 %x, 1
  %x1 = and i32 %x, %m
  %n1 = add i32 %n, 1
  %more = icmp ne i32 %x1, 0
  br i1 %more, label %loop, label %done
done:
  %r = phi i32 [ 0, %entry ], [ %n1, %loop ]
  ret i32 %r
}

; a triangle of turns: the inner loop's bound is the outer loop's counter
define amdgpu_ps i32 @nested_triangle(i32 inreg %a, i32 inreg %count) {
entry:
  %n = and i32 %count, 15
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %outer_latch ]
  %acc = phi i32 [ %a, %entry ], [ %acc2, %outer_latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]
  %acc1 = phi i32 [ %acc, %outer ], [ %acc2, %inner ]
  %p = mul i32 %i, %j
  %s = shl i32 %acc1, 1
  %t = xor i32 %s, %acc1
  %acc2 = add i32 %t, %p
  %j1 = add i32 %j, 1
  %more_j = icmp ule i32 %j1, %i
  br i1 %more_j, label %inner, label %outer_latch
outer_latch:
  %i1 = add i32 %i, 1
  %more_i = icmp ult i32 %i1, %n
  br i1 %more_i, label %outer, label %done
done:
  ret i32 %acc2
}

; three levels
define amdgpu_ps i32 @nested_three_levels(i32 inreg %a, i32 inreg %b) {
entry:
  %na = and i32 %a, 7
  %nb = and i32 %b, 7
  br label %l0
l0:
  %i = phi i32 [ 0, %entry ], [ %i1, %l0_latch ]
  %s0 = phi i32 [ %b, %entry ], [ %s3, %l0_latch ]
  br label %l1
l1:
  %j = phi i32 [ 0, %l0 ], [ %j1, %l1_latch ]
  %s1 = phi i32 [ %s0, %l0 ], [ %s3, %l1_latch ]
  br label %l2
l2:
  %k = phi i32 [ 0, %l1 ], [ %k1, %l2 ]
  %s2 = phi i32 [ %s1, %l1 ], [ %s3, %l2 ]
  %x = add i32 %i, %j
  %y = xor i32 %x, %k
  %m = mul i32 %s2, 33
  %s3 = add i32 %m, %y
  %k1 = add i32 %k, 1
  %ck = icmp ult i32 %k1, 3
  br i1 %ck, label %l2, label %l1_latch
l1_latch:
  %j1 = add i32 %j, 1
  %cj = icmp ult i32 %j1, %nb
  br i1 %cj, label %l1, label %l0_latch
l0_latch:
  %i1 = add i32 %i, 1
  %ci = icmp ult i32 %i1, %na
  br i1 %ci, label %l0, label %done
done:
  ret i32 %s3
}

; b to the power e modulo 2^32 by squaring
define amdgpu_ps i32 @power(i32 inreg %base, i32 inreg %exponent) {
entry:
  br label %loop
loop:
  %b = phi i32 [ %base, %entry ], [ %b1, %loop ]
  %e = phi i32 [ %exponent, %entry ], [ %e1, %loop ]
  %r = phi i32 [ 1, %entry ], [ %r1, %loop ]
  %bit = and i32 %e, 1
  %odd = icmp ne i32 %bit, 0
  %f = select i1 %odd, i32 %b, i32 1
  %r1 = mul i32 %r, %f
  %b1 = mul i32 %b, %b
  %e1 = lshr i32 %e, 1
  %more = icmp ne i32 %e1, 0
  br i1 %more, label %loop, label %done
done:
  ret i32 %r1
}

; a * b mod 2^64 by shift and add
define amdgpu_ps i64 @mul64_by_shift_and_add(i64 inreg %a0, i32 inreg %b0) {
entry:
  br label %loop
loop:
  %a = phi i64 [ %a0, %entry ], [ %a1, %loop ]
  %b = phi i32 [ %b0, %entry ], [ %b1, %loop ]
  %s = phi i64 [ 0, %entry ], [ %s1, %loop ]
  %bit = and i32 %b, 1
  %set = icmp ne i32 %bit, 0
  %t = select i1 %set, i64 %a, i64 0
  %s1 = add i64 %s, %t
  %a1 = shl i64 %a, 1
  %b1 = lshr i32 %b, 1
  %more = icmp ne i32 %b1, 0
  br i1 %more, label %loop, label %done
done:
  ret i64 %s1
}

define amdgpu_ps i64 @fibonacci(i32 inreg %count) {
entry:
  %n = and i32 %count, 127
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %a = phi i64 [ 0, %entry ], [ %b, %loop ]
  %b = phi i64 [ 1, %entry ], [ %c, %loop ]
  %c = add i64 %a, %b
  %i1 = add i32 %i, 1
  %more = icmp ule i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret i64 %a
}

; the number of decimal digits, by comparing with growing powers of ten
define amdgpu_ps i32 @decimal_digits(i32 inreg %a) {
entry:
  br label %loop
loop:
  %power = phi i32 [ 10, %entry ], [ %power1, %next ]
  %n = phi i32 [ 1, %entry ], [ %n1, %next ]
  %below = icmp ult i32 %a, %power
  br i1 %below, label %done, label %next
next:
  %power1 = mul i32 %power, 10
  %n1 = add i32 %n, 1
  %more = icmp ult i32 %n1, 10
  br i1 %more, label %loop, label %done
done:
  %r = phi i32 [ %n, %loop ], [ %n1, %next ]
  ret i32 %r
}

; leaves the loop from its middle, continues from two places
define amdgpu_ps i32 @break_and_continue(i32 inreg %a, i32 inreg %b) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %x = phi i32 [ %a, %entry ], [ %x3, %latch ]
  %bit = and i32 %x, 3
  %skip = icmp eq i32 %bit, 0
  br i1 %skip, label %shift, label %work
shift:
  %x1 = lshr i32 %x, 2
  br label %latch
work:
  %hit = icmp eq i32 %x, %b
  br i1 %hit, label %found, label %step
step:
  %x2 = sub i32 %x, 1
  br label %latch
latch:
  %x3 = phi i32 [ %x1, %shift ], [ %x2, %step ]
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 50
  br i1 %more, label %loop, label %done
found:
  %f = add i32 %i, 1000
  ret i32 %f
done:
  ret i32 %x3
}

; a machine of three states over the bits of the input: counts the runs "011" as they are shifted out
define amdgpu_ps i32 @state_machine(i32 inreg %bits) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %x = phi i32 [ %bits, %entry ], [ %x1, %latch ]
  %state = phi i32 [ 50, %entry ], [ %state1, %latch ]
  %hits = phi i32 [ 0, %entry ], [ %hits1, %latch ]
  %bit = and i32 %x, 1
  %one = icmp ne i32 %bit, 0
  switch i32 %state, label %s0 [
    i32 61, label %s1
    i32 77, label %s2
  ]
s0:
  %n0 = select i1 %one, i32 50, i32 61
  br label %latch
s1:
  %n1 = select i1 %one, i32 77, i32 61
  br label %latch
s2:
  %n2 = select i1 %one, i32 50, i32 61
  %h2 = add i32 %hits, %bit
  br label %latch
latch:
  %state1 = phi i32 [ %n0, %s0 ], [ %n1, %s1 ], [ %n2, %s2 ]
  %hits1 = phi i32 [ %hits, %s0 ], [ %hits, %s1 ], [ %h2, %s2 ]
  %x1 = lshr i32 %x, 1
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 32
  br i1 %more, label %loop, label %done
done:
  ret i32 %hits1
}

; a small interpreter: the bits of %program pick the operation of each turn
define amdgpu_ps i32 @bytecode(i32 inreg %program, i32 inreg %a, i32 inreg %b) {
entry:
  br label %loop
loop:
  %p = phi i32 [ %program, %entry ], [ %p1, %latch ]
  %x = phi i32 [ %a, %entry ], [ %x1, %latch ]
  %op = and i32 %p, 3
  switch i32 %op, label %op3 [
    i32 0, label %op0
    i32 1, label %op1
    i32 2, label %op2
  ]
op0:
  %r0 = add i32 %x, %b
  br label %latch
op1:
  %r1 = xor i32 %x, %b
  br label %latch
op2:
  %r2 = mul i32 %x, 5
  br label %latch
op3:
  %r3 = lshr i32 %x, 1
  br label %latch
latch:
  %x1 = phi i32 [ %r0, %op0 ], [ %r1, %op1 ], [ %r2, %op2 ], [ %r3, %op3 ]
  %p1 = lshr i32 %p, 2
  %more = icmp ne i32 %p1, 0
  br i1 %more, label %loop, label %done
done:
  ret i32 %x1
}
