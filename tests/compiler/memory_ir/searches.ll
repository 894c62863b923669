; Loops over tables, searches, interpreters, checksums.

define amdgpu_ps i32 @table_sum(ptr addrspace(4) inreg %table, i32 inreg %count) {
entry:
  %n = and i32 %count, 63
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %p = getelementptr i32, ptr addrspace(4) %table, i32 %i
  %v = load i32, ptr addrspace(4) %p
  %s1 = add i32 %s, %v
  %i1 = add i32 %i, 1
  %more = icmp ule i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %s1
}

define amdgpu_ps i64 @table_sum_i64(ptr addrspace(4) inreg %table, i32 inreg %count) {
entry:
  %n = and i32 %count, 63
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i64 [ 0, %entry ], [ %s1, %loop ]
  %p = getelementptr i64, ptr addrspace(4) %table, i32 %i
  %v = load i64, ptr addrspace(4) %p
  %s1 = add i64 %s, %v
  %i1 = add i32 %i, 1
  %more = icmp ule i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret i64 %s1
}

; a pointer that walks, down
define amdgpu_ps i32 @table_alternating_sum_down(ptr addrspace(4) inreg %table, i32 inreg %count) {
entry:
  %n = and i32 %count, 63
  br label %loop
loop:
  %p = phi ptr addrspace(4) [ %table, %entry ], [ %p1, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %v = load i32, ptr addrspace(4) %p
  %s1 = sub i32 %v, %s
  %p1 = getelementptr i32, ptr addrspace(4) %p, i64 -1
  %i1 = add i32 %i, 1
  %more = icmp ule i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %s1
}

define amdgpu_ps i32 @dot_product(ptr addrspace(4) inreg %table, ptr addrspace(4) inreg %sorted, i32 inreg %count) {
entry:
  %n = and i32 %count, 31
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %p = getelementptr i32, ptr addrspace(4) %table, i32 %i
  %q = getelementptr i32, ptr addrspace(4) %sorted, i32 %i
  %v = load i32, ptr addrspace(4) %p
  %w = load i32, ptr addrspace(4) %q
  %x = mul i32 %v, %w
  %s1 = add i32 %s, %x
  %i1 = add i32 %i, 1
  %more = icmp ule i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %s1
}

define amdgpu_ps i32 @sum_of_eight(ptr addrspace(4) inreg %table) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %p = getelementptr i32, ptr addrspace(4) %table, i32 %i
  %v = load i32, ptr addrspace(4) %p
  %d = shl i32 %s, 1
  %s1 = add i32 %d, %v
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 8
  br i1 %more, label %loop, label %done
done:
  ret i32 %s1
}

; a quarter of the keys come from the table itself, so that they are found
define amdgpu_ps i32 @binary_search(ptr addrspace(4) inreg %sorted, i32 inreg %given, i32 inreg %how) {
entry:
  %i0 = and i32 %how, 255
  %p0 = getelementptr i32, ptr addrspace(4) %sorted, i32 %i0
  %present = load i32, ptr addrspace(4) %p0
  %bit = and i32 %how, 768
  %use = icmp eq i32 %bit, 0
  %key = select i1 %use, i32 %present, i32 %given
  br label %loop
loop:
  %low = phi i32 [ 0, %entry ], [ %low1, %loop ]
  %high = phi i32 [ 256, %entry ], [ %high1, %loop ]
  %sum = add i32 %low, %high
  %middle = lshr i32 %sum, 1
  %p = getelementptr i32, ptr addrspace(4) %sorted, i32 %middle
  %v = load i32, ptr addrspace(4) %p
  %below = icmp ult i32 %v, %key
  %after = add i32 %middle, 1
  %low1 = select i1 %below, i32 %after, i32 %low
  %high1 = select i1 %below, i32 %high, i32 %middle
  %more = icmp ult i32 %low1, %high1
  br i1 %more, label %loop, label %done
done:
  ret i32 %low1
}

define amdgpu_ps i32 @switch_over_loaded(ptr addrspace(4) inreg %table, i32 inreg %index, i32 inreg %x) {
entry:
  %i = and i32 %index, 255
  %p = getelementptr i32, ptr addrspace(4) %table, i32 %i
  %v = load i32, ptr addrspace(4) %p
  %kind = and i32 %v, 7
  switch i32 %kind, label %other [
    i32 0, label %add
    i32 1, label %subtract
    i32 3, label %shift
    i32 5, label %load
    i32 6, label %multiply
  ]
add:
  %a = add i32 %x, %v
  br label %done
subtract:
  %b = sub i32 %x, %v
  br label %done
shift:
  %amount = lshr i32 %v, 27
  %c = shl i32 %x, %amount
  br label %done
load:
  %j = lshr i32 %v, 24
  %q = getelementptr i32, ptr addrspace(4) %table, i32 %j
  %d = load i32, ptr addrspace(4) %q
  br label %done
multiply:
  %e = mul i32 %x, %v
  br label %done
other:
  br label %done
done:
  %r = phi i32 [ %a, %add ], [ %b, %subtract ], [ %c, %shift ], [ %d, %load ], [ %e, %multiply ], [ -1, %other ]
  ret i32 %r
}

; instructions of a little machine: opcode in the low bits, operand above
define amdgpu_ps i32 @interpreter(ptr addrspace(4) inreg %table, i32 inreg %x0) {
entry:
  br label %fetch
fetch:
  %pc = phi i32 [ 0, %entry ], [ %pc1, %next ]
  %x = phi i32 [ %x0, %entry ], [ %x1, %next ]
  %steps = phi i32 [ 0, %entry ], [ %steps1, %next ]
  %at = and i32 %pc, 127
  %p = getelementptr i32, ptr addrspace(4) %table, i32 %at
  %word = load i32, ptr addrspace(4) %p
  %opcode = and i32 %word, 7
  %operand = ashr i32 %word, 3
  switch i32 %opcode, label %skip [
    i32 0, label %add
    i32 1, label %xor
    i32 2, label %spread
    i32 3, label %jump_if_negative
    i32 4, label %load
  ]
add:
  %a = add i32 %x, %operand
  br label %next
xor:
  %b = xor i32 %x, %operand
  br label %next
spread:
  %high = shl i32 %x, 7
  %c = sub i32 %high, %x
  br label %next
jump_if_negative:
  %negative = icmp slt i32 %x, 0
  %distance = select i1 %negative, i32 %operand, i32 0
  br label %next
load:
  %j = and i32 %operand, 511
  %q = getelementptr i32, ptr addrspace(4) %table, i32 %j
  %d = load i32, ptr addrspace(4) %q
  br label %next
skip:
  br label %next
next:
  %x1 = phi i32 [ %a, %add ], [ %b, %xor ], [ %c, %spread ], [ %x, %jump_if_negative ], [ %d, %load ], [ %x, %skip ]
  %far = phi i32 [ 0, %add ], [ 0, %xor ], [ 0, %spread ], [ %distance, %jump_if_negative ], [ 0, %load ], [ 1, %skip ]
  %on = add i32 %pc, 1
  %pc1 = add i32 %on, %far
  %steps1 = add i32 %steps, 1
  %more = icmp ult i32 %steps1, 40
  br i1 %more, label %fetch, label %done
done:
  ret i32 %x1
}

; bytes by dwords and shifts, up to the first zero
define amdgpu_ps { i32, i32 } @string_length_and_hash(ptr addrspace(4) inreg %text) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %more ]
  %hash = phi i32 [ 5381, %entry ], [ %hash1, %more ]
  %dword = lshr i32 %i, 2
  %p = getelementptr i32, ptr addrspace(4) %text, i32 %dword
  %v = load i32, ptr addrspace(4) %p
  %in = and i32 %i, 3
  %bits = shl i32 %in, 3
  %down = lshr i32 %v, %bits
  %byte = and i32 %down, 255
  %end = icmp eq i32 %byte, 0
  br i1 %end, label %done, label %more
more:
  %times = mul i32 %hash, 33
  %hash1 = xor i32 %times, %byte
  %i1 = add i32 %i, 1
  br label %loop
done:
  %r0 = insertvalue { i32, i32 } undef, i32 %i, 0
  %r = insertvalue { i32, i32 } %r0, i32 %hash, 1
  ret { i32, i32 } %r
}

define amdgpu_ps i32 @find_character(ptr addrspace(4) inreg %text, i32 inreg %character) {
entry:
  %wanted = and i32 %character, 63
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %more ]
  %dword = lshr i32 %i, 2
  %p = getelementptr i32, ptr addrspace(4) %text, i32 %dword
  %v = load i32, ptr addrspace(4) %p
  %in = and i32 %i, 3
  %bits = shl i32 %in, 3
  %down = lshr i32 %v, %bits
  %byte = and i32 %down, 255
  %end = icmp eq i32 %byte, 0
  br i1 %end, label %missing, label %compare
compare:
  %low = and i32 %byte, 63
  %same = icmp eq i32 %low, %wanted
  br i1 %same, label %there, label %more
more:
  %i1 = add i32 %i, 1
  br label %loop
there:
  ret i32 %i
missing:
  ret i32 -1
}

; Fletcher's sums, taken modulo 65535 at the end by folding
define amdgpu_ps i32 @fletcher(ptr addrspace(4) inreg %table, i32 inreg %count) {
entry:
  %n = and i32 %count, 31
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %a = phi i32 [ 1, %entry ], [ %a1, %loop ]
  %b = phi i32 [ 0, %entry ], [ %b1, %loop ]
  %p = getelementptr i32, ptr addrspace(4) %table, i32 %i
  %v = load i32, ptr addrspace(4) %p
  %low = and i32 %v, 65535
  %a1 = add i32 %a, %low
  %b1 = add i32 %b, %a1
  %i1 = add i32 %i, 1
  %more = icmp ule i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  %ah = lshr i32 %a1, 16
  %al = and i32 %a1, 65535
  %as = add i32 %ah, %al
  %bh = lshr i32 %b1, 16
  %bl = and i32 %b1, 65535
  %bs = add i32 %bh, %bl
  %up = shl i32 %bs, 16
  %r = xor i32 %up, %as
  ret i32 %r
}

; 64-bit arithmetic on what was loaded
define amdgpu_ps { i64, i64 } @wide_arithmetic(ptr addrspace(4) inreg %table, i32 inreg %index, i64 inreg %x) {
  %i = and i32 %index, 127
  %p = getelementptr { i64, i64, i64 }, ptr addrspace(4) %table, i32 %i, i32 0
  %q = getelementptr { i64, i64, i64 }, ptr addrspace(4) %table, i32 %i, i32 1
  %s = getelementptr { i64, i64, i64 }, ptr addrspace(4) %table, i32 %i, i32 2
  %a = load i64, ptr addrspace(4) %p
  %b = load i64, ptr addrspace(4) %q
  %c = load i64, ptr addrspace(4) %s
  %amount = and i64 %c, 63
  %d = add i64 %a, %x
  %e = sub i64 %d, %b
  %f = shl i64 %e, %amount
  %g = ashr i64 %b, %amount
  %h = xor i64 %g, %x
  %r0 = insertvalue { i64, i64 } undef, i64 %f, 0
  %r = insertvalue { i64, i64 } %r0, i64 %h, 1
  ret { i64, i64 } %r
}

; four counts and a state, driven by the words of the table
define amdgpu_ps i32 @table_machine(ptr addrspace(4) inreg %table, i32 inreg %inputs) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %state = phi i32 [ 0, %entry ], [ %state1, %loop ]
  %bits = phi i32 [ %inputs, %entry ], [ %bits1, %loop ]
  %input = and i32 %bits, 15
  %row = and i32 %state, 15
  %p = getelementptr [16 x [16 x i32]], ptr addrspace(4) %table, i32 0, i32 %row, i32 %input
  %v = load i32, ptr addrspace(4) %p
  %mixed = lshr i32 %v, 3
  %state1 = add i32 %mixed, %i
  %bits1 = lshr i32 %bits, 4
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 8
  br i1 %more, label %loop, label %done
done:
  ret i32 %state1
}

; a product of a matrix and a vector, both in memory, one row
define amdgpu_ps i32 @matrix_row(ptr addrspace(4) inreg %table, i32 inreg %row) {
entry:
  %i = and i32 %row, 15
  %vector = getelementptr i8, ptr addrspace(4) %table, i64 -256
  %matrix = getelementptr [16 x i32], ptr addrspace(4) %table, i32 %i
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %j1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %p = getelementptr i32, ptr addrspace(4) %matrix, i32 %j
  %q = getelementptr i32, ptr addrspace(4) %vector, i32 %j
  %v = load i32, ptr addrspace(4) %p
  %w = load i32, ptr addrspace(4) %q
  %x = mul i32 %v, %w
  %s1 = add i32 %s, %x
  %j1 = add i32 %j, 1
  %more = icmp ult i32 %j1, 16
  br i1 %more, label %loop, label %done
done:
  ret i32 %s1
}
