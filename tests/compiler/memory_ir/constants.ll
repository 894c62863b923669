; Constants of the object itself: addressed relative to the program counter, directly or through the global offset
; table, and by addresses in other constants.

@primes = internal unnamed_addr addrspace(4) constant [16 x i32] [
  i32 2, i32 3, i32 5, i32 7, i32 11, i32 13, i32 17, i32 19, i32 23, i32 29, i32 31, i32 37, i32 41, i32 43, i32 47, i32 53], align 4
@powers = internal unnamed_addr addrspace(4) constant [8 x i64] [
  i64 1, i64 10, i64 10000, i64 1000000000, i64 -1000000007, i64 1311768467463790320, i64 -9223372036854775808, i64 -1], align 8
@exported = addrspace(4) constant [8 x i32] [
  i32 1518500249, i32 1859775393, i32 -1894007588, i32 -899497514, i32 305419896, i32 -559038737, i32 -889275714, i32 195948557], align 4
@exported_pair = addrspace(4) constant { i64, i32, i32 } { i64 -3819410105021120785, i32 99, i32 -99 }, align 16
@nibbles = internal unnamed_addr addrspace(4) constant [16 x i32] [
  i32 0, i32 498536548, i32 997073096, i32 651767980, i32 1994146192, i32 1802195444, i32 1303535960, i32 1342533948,
  i32 -306674912, i32 -267414716, i32 -690576408, i32 -882789492, i32 -1687895376, i32 -2032938284, i32 -1609899400, i32 -1111625188], align 4
@first_row = internal addrspace(4) constant [4 x i32] [i32 100, i32 101, i32 102, i32 103], align 4
@second_row = internal addrspace(4) constant [4 x i32] [i32 -200, i32 -201, i32 -202, i32 -203], align 4
; visible, as the middle end makes a table of distances out of a local one, with its address space lost (LLVM 19)
@row_table = addrspace(4) constant [4 x ptr addrspace(4)] [
  ptr addrspace(4) @second_row, ptr addrspace(4) @first_row, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @first_row, i64 4), ptr addrspace(4) @primes], align 8
@greeting = internal unnamed_addr addrspace(4) constant [16 x i8] c"scalar unit\00\FF\80\7F\01", align 4

define amdgpu_ps i32 @constant_dword(i32 inreg %index) {
  %i = and i32 %index, 15
  %p = getelementptr [16 x i32], ptr addrspace(4) @primes, i32 0, i32 %i
  %v = load i32, ptr addrspace(4) %p
  ret i32 %v
}

define amdgpu_ps i64 @constant_qword(i32 inreg %index) {
  %i = and i32 %index, 7
  %p = getelementptr [8 x i64], ptr addrspace(4) @powers, i32 0, i32 %i
  %v = load i64, ptr addrspace(4) %p
  ret i64 %v
}

define amdgpu_ps i32 @constant_by_offset_table(i32 inreg %index) {
  %i = and i32 %index, 7
  %p = getelementptr [8 x i32], ptr addrspace(4) @exported, i32 0, i32 %i
  %v = load i32, ptr addrspace(4) %p
  ret i32 %v
}

define amdgpu_ps { i64, i32 } @constant_struct(i32 inreg %x) {
  %wide = load volatile i64, ptr addrspace(4) @exported_pair
  %p = getelementptr { i64, i32, i32 }, ptr addrspace(4) @exported_pair, i32 0, i32 2
  %narrow = load volatile i32, ptr addrspace(4) %p
  %sum = add i32 %narrow, %x
  %r0 = insertvalue { i64, i32 } undef, i64 %wide, 0
  %r = insertvalue { i64, i32 } %r0, i32 %sum, 1
  ret { i64, i32 } %r
}

define amdgpu_ps i32 @constant_rows(i32 inreg %row, i32 inreg %column) {
  %i = and i32 %row, 3
  %j = and i32 %column, 1
  %p = getelementptr [4 x ptr addrspace(4)], ptr addrspace(4) @row_table, i32 0, i32 %i
  %r = load ptr addrspace(4), ptr addrspace(4) %p
  %q = getelementptr i32, ptr addrspace(4) %r, i32 %j
  %v = load i32, ptr addrspace(4) %q
  ret i32 %v
}

define amdgpu_ps i32 @constant_byte(i32 inreg %index) {
  %i = and i32 %index, 15
  %dword = lshr i32 %i, 2
  %p = getelementptr i32, ptr addrspace(4) @greeting, i32 %dword
  %v = load i32, ptr addrspace(4) %p
  %in = and i32 %i, 3
  %bits = shl i32 %in, 3
  %down = lshr i32 %v, %bits
  %byte = trunc i32 %down to i8
  %r = sext i8 %byte to i32
  ret i32 %r
}

define amdgpu_ps i32 @constant_choice(i32 inreg %choice, i32 inreg %index) {
  %i = and i32 %index, 3
  %c = icmp slt i32 %choice, 0
  %t = select i1 %c, ptr addrspace(4) @first_row, ptr addrspace(4) @second_row
  %p = getelementptr i32, ptr addrspace(4) %t, i32 %i
  %v = load i32, ptr addrspace(4) %p
  ret i32 %v
}

; CRC-32 by nibbles of words in memory, with a constant table
define amdgpu_ps i32 @crc32(ptr addrspace(4) inreg %table, i32 inreg %count) {
entry:
  %n = and i32 %count, 7
  br label %words
words:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %c = phi i32 [ -1, %entry ], [ %d1, %next ]
  %p = getelementptr i32, ptr addrspace(4) %table, i32 %i
  %v = load i32, ptr addrspace(4) %p
  %start = xor i32 %c, %v
  br label %nibble
nibble:
  %k = phi i32 [ 0, %words ], [ %k1, %nibble ]
  %d = phi i32 [ %start, %words ], [ %d1, %nibble ]
  %low = and i32 %d, 15
  %q = getelementptr [16 x i32], ptr addrspace(4) @nibbles, i32 0, i32 %low
  %e = load i32, ptr addrspace(4) %q
  %down = lshr i32 %d, 4
  %d1 = xor i32 %down, %e
  %k1 = add i32 %k, 1
  %more_nibbles = icmp ult i32 %k1, 8
  br i1 %more_nibbles, label %nibble, label %next
next:
  %i1 = add i32 %i, 1
  %more = icmp ule i32 %i1, %n
  br i1 %more, label %words, label %done
done:
  %r = xor i32 %d1, -1
  ret i32 %r
}

; a constant's index comes from memory
define amdgpu_ps i64 @constant_by_loaded_index(ptr addrspace(4) inreg %table, i32 inreg %index) {
  %i = and i32 %index, 1023
  %p = getelementptr i32, ptr addrspace(4) %table, i32 %i
  %v = load i32, ptr addrspace(4) %p
  %j = and i32 %v, 7
  %q = getelementptr [8 x i64], ptr addrspace(4) @powers, i32 0, i32 %j
  %w = load i64, ptr addrspace(4) %q
  %wide = zext i32 %v to i64
  %r = add i64 %w, %wide
  ret i64 %r
}

; a switch whose arms are constants
define amdgpu_ps i32 @constant_by_switch(i32 inreg %x) {
entry:
  %k = and i32 %x, 15
  switch i32 %k, label %other [
    i32 0, label %out
    i32 1, label %b
    i32 2, label %c
    i32 3, label %d
    i32 4, label %e
    i32 5, label %f
    i32 6, label %g
  ]
b:
  br label %out
c:
  br label %out
d:
  br label %out
e:
  br label %out
f:
  br label %out
g:
  br label %out
other:
  br label %out
out:
  %r = phi i32 [ 77, %entry ], [ 12345678, %b ], [ -3, %c ], [ 999, %d ], [ 0, %e ], [ 65536, %f ], [ 4242, %g ], [ -1, %other ]
  ret i32 %r
}
