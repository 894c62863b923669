; Loops with a constant number of turns: full unrolling turns them into straight lines.

define amdgpu_ps i32 @crc32_byte(i32 inreg %crc, i32 inreg %byte) {
entry:
  %b = and i32 %byte, 255
  %start = xor i32 %crc, %b
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %c = phi i32 [ %start, %entry ], [ %c1, %loop ]
  %bit = and i32 %c, 1
  %mask = sub i32 0, %bit
  %poly = and i32 %mask, -306674912
  %s = lshr i32 %c, 1
  %c1 = xor i32 %s, %poly
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 8
  br i1 %more, label %loop, label %done
done:
  ret i32 %c1
}

define amdgpu_ps i32 @reverse_bits_by_loop(i32 inreg %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %x = phi i32 [ %a, %entry ], [ %x1, %loop ]
  %r = phi i32 [ 0, %entry ], [ %r2, %loop ]
  %bit = and i32 %x, 1
  %r1 = shl i32 %r, 1
  %r2 = or i32 %r1, %bit
  %x1 = lshr i32 %x, 1
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 32
  br i1 %more, label %loop, label %done
done:
  ret i32 %r2
}

define amdgpu_ps i32 @count_ones_by_loop(i32 inreg %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
  %s = lshr i32 %a, %i
  %bit = and i32 %s, 1
  %n1 = add i32 %n, %bit
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 32
  br i1 %more, label %loop, label %done
done:
  ret i32 %n1
}

; restoring division of 16 bits by 16 bits; a divisor of zero gives the quotient 65535
define amdgpu_ps { i32, i32 } @divide_by_loop(i32 inreg %a, i32 inreg %b) {
entry:
  %n = and i32 %a, 65535
  %d = and i32 %b, 65535
  br label %loop
loop:
  %i = phi i32 [ 15, %entry ], [ %i1, %loop ]
  %rem = phi i32 [ %n, %entry ], [ %rem1, %loop ]
  %quotient = phi i32 [ 0, %entry ], [ %quotient1, %loop ]
  %t = shl i32 %d, %i
  %fits = icmp uge i32 %rem, %t
  %part = select i1 %fits, i32 %t, i32 0
  %rem1 = sub i32 %rem, %part
  %bit = shl i32 1, %i
  %set = or i32 %quotient, %bit
  %quotient1 = select i1 %fits, i32 %set, i32 %quotient
  %i1 = add i32 %i, -1
  %more = icmp sge i32 %i1, 0
  br i1 %more, label %loop, label %done
done:
  %r0 = insertvalue { i32, i32 } poison, i32 %quotient1, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %rem1, 1
  ret { i32, i32 } %r1
}

define amdgpu_ps i32 @square_root(i32 inreg %a) {
entry:
  br label %loop
loop:
  %bit = phi i32 [ 1073741824, %entry ], [ %bit1, %loop ]
  %x = phi i32 [ %a, %entry ], [ %x1, %loop ]
  %r = phi i32 [ 0, %entry ], [ %r2, %loop ]
  %try = add i32 %r, %bit
  %fits = icmp uge i32 %x, %try
  %d = select i1 %fits, i32 %try, i32 0
  %x1 = sub i32 %x, %d
  %half = lshr i32 %r, 1
  %e = select i1 %fits, i32 %bit, i32 0
  %r2 = add i32 %half, %e
  %bit1 = lshr i32 %bit, 2
  %more = icmp ne i32 %bit1, 0
  br i1 %more, label %loop, label %done
done:
  ret i32 %r2
}

; a * b modulo m (m forced to be odd and at least 3) by doubling and adding
define amdgpu_ps i32 @modular_product(i32 inreg %a, i32 inreg %b, i32 inreg %modulus) {
entry:
  %m0 = lshr i32 %modulus, 2
  %m = or i32 %m0, 3
  %a0 = lshr i32 %a, 3
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %b0 = phi i32 [ %b, %entry ], [ %b1, %loop ]
  %acc = phi i32 [ 0, %entry ], [ %acc4, %loop ]
  %acc1 = shl i32 %acc, 1
  %over1 = icmp uge i32 %acc1, %m
  %sub1 = select i1 %over1, i32 %m, i32 0
  %acc2 = sub i32 %acc1, %sub1
  %top = ashr i32 %b0, 31
  %one = lshr i32 %m, 1
  %small = and i32 %a0, %one
  %addend = and i32 %small, %top
  %acc3 = add i32 %acc2, %addend
  %over2 = icmp uge i32 %acc3, %m
  %sub2 = select i1 %over2, i32 %m, i32 0
  %acc4 = sub i32 %acc3, %sub2
  %b1 = shl i32 %b0, 1
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 32
  br i1 %more, label %loop, label %done
done:
  ret i32 %acc4
}

; packed decimal by "double dabble": 16 bits to five digits, which grow in the upper half of 64 bits
define amdgpu_ps i32 @binary_to_decimal(i32 inreg %a) {
entry:
  %v = shl i32 %a, 16
  %x0 = zext i32 %v to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %x = phi i64 [ %x0, %entry ], [ %x2, %loop ]
  %h = lshr i64 %x, 32
  %bcd = trunc i64 %h to i32
  %t = add i32 %bcd, 858993459
  %t8 = and i32 %t, -2004318072
  %t3 = lshr i32 %t8, 3
  %three = mul i32 %t3, 3
  %wide = zext i32 %three to i64
  %up = shl i64 %wide, 32
  %x1 = add i64 %x, %up
  %x2 = shl i64 %x1, 1
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 16
  br i1 %more, label %loop, label %done
done:
  %r = lshr i64 %x2, 32
  %digits = trunc i64 %r to i32
  ret i32 %digits
}

; eight rounds of a Feistel network (TEA) over a 64-bit block
define amdgpu_ps { i32, i32 } @tea_rounds(i32 inreg %left, i32 inreg %right, i32 inreg %key0, i32 inreg %key1) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %loop ]
  %l = phi i32 [ %left, %entry ], [ %l1, %loop ]
  %r = phi i32 [ %right, %entry ], [ %r1, %loop ]
  %sum1 = add i32 %sum, -1640531527
  %a0 = shl i32 %r, 4
  %a1 = add i32 %a0, %key0
  %a2 = add i32 %r, %sum1
  %a3 = lshr i32 %r, 5
  %a4 = add i32 %a3, %key1
  %a5 = xor i32 %a1, %a2
  %a6 = xor i32 %a5, %a4
  %l1 = add i32 %l, %a6
  %b0 = shl i32 %l1, 4
  %b1 = add i32 %b0, %key1
  %b2 = add i32 %l1, %sum1
  %b3 = lshr i32 %l1, 5
  %b4 = add i32 %b3, %key0
  %b5 = xor i32 %b1, %b2
  %b6 = xor i32 %b5, %b4
  %r1 = add i32 %r, %b6
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 8
  br i1 %more, label %loop, label %done
done:
  %p0 = insertvalue { i32, i32 } poison, i32 %l1, 0
  %p1 = insertvalue { i32, i32 } %p0, i32 %r1, 1
  ret { i32, i32 } %p1
}

; a 64-bit linear feedback shift register, 16 turns
define amdgpu_ps i64 @shift_register64(i64 inreg %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %x = phi i64 [ %a, %entry ], [ %x1, %loop ]
  %bit = and i64 %x, 1
  %mask = sub i64 0, %bit
  %poly = and i64 %mask, -2882303761517117440
  %s = lshr i64 %x, 1
  %x1 = xor i64 %s, %poly
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 16
  br i1 %more, label %loop, label %done
done:
  ret i64 %x1
}

; carry-less multiplication of two 16-bit values, a branch in every turn
define amdgpu_ps i32 @carryless_product(i32 inreg %a, i32 inreg %b) {
entry:
  %am = and i32 %a, 65535
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %x = phi i32 [ %am, %entry ], [ %x1, %latch ]
  %y = phi i32 [ %b, %entry ], [ %y1, %latch ]
  %acc = phi i32 [ 0, %entry ], [ %acc2, %latch ]
  %bit = and i32 %y, 1
  %set = icmp ne i32 %bit, 0
  br i1 %set, label %fold, label %latch
fold:
  %acc1 = xor i32 %acc, %x
  br label %latch
latch:
  %acc2 = phi i32 [ %acc, %loop ], [ %acc1, %fold ]
  %x1 = shl i32 %x, 1
  %y1 = lshr i32 %y, 1
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 16
  br i1 %more, label %loop, label %done
done:
  ret i32 %acc2
}
