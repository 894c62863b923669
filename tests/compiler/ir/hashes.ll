; Mixing functions in straight lines: long chains of shifts, multiplications and literals.

define amdgpu_ps i32 @murmur3_finalizer(i32 inreg %a) {
  %s0 = lshr i32 %a, 16
  %x0 = xor i32 %a, %s0
  %m0 = mul i32 %x0, -2048144789
  %s1 = lshr i32 %m0, 13
  %x1 = xor i32 %m0, %s1
  %m1 = mul i32 %x1, -1028477387
  %s2 = lshr i32 %m1, 16
  %r = xor i32 %m1, %s2
  ret i32 %r
}

define amdgpu_ps i32 @xorshift32(i32 inreg %a) {
  %s0 = shl i32 %a, 13
  %x0 = xor i32 %a, %s0
  %s1 = lshr i32 %x0, 17
  %x1 = xor i32 %x0, %s1
  %s2 = shl i32 %x1, 5
  %r = xor i32 %x1, %s2
  ret i32 %r
}

define amdgpu_ps i64 @xorshift64(i64 inreg %a) {
  %s0 = shl i64 %a, 13
  %x0 = xor i64 %a, %s0
  %s1 = lshr i64 %x0, 7
  %x1 = xor i64 %x0, %s1
  %s2 = shl i64 %x1, 17
  %r = xor i64 %x1, %s2
  ret i64 %r
}

; FNV-1a over the four bytes of a word
define amdgpu_ps i32 @fnv1a_word(i32 inreg %hash, i32 inreg %word) {
  %b0 = and i32 %word, 255
  %x0 = xor i32 %hash, %b0
  %h0 = mul i32 %x0, 16777619
  %w1 = lshr i32 %word, 8
  %b1 = and i32 %w1, 255
  %x1 = xor i32 %h0, %b1
  %h1 = mul i32 %x1, 16777619
  %w2 = lshr i32 %word, 16
  %b2 = and i32 %w2, 255
  %x2 = xor i32 %h1, %b2
  %h2 = mul i32 %x2, 16777619
  %b3 = lshr i32 %word, 24
  %x3 = xor i32 %h2, %b3
  %h3 = mul i32 %x3, 16777619
  ret i32 %h3
}

; Jenkins' one-at-a-time on two words
define amdgpu_ps i32 @jenkins_mix(i32 inreg %a, i32 inreg %b) {
  %s0 = shl i32 %a, 10
  %h0 = add i32 %a, %s0
  %s1 = lshr i32 %h0, 6
  %h1 = xor i32 %h0, %s1
  %h2 = add i32 %h1, %b
  %s2 = shl i32 %h2, 10
  %h3 = add i32 %h2, %s2
  %s3 = lshr i32 %h3, 6
  %h4 = xor i32 %h3, %s3
  %s4 = shl i32 %h4, 3
  %h5 = add i32 %h4, %s4
  %s5 = lshr i32 %h5, 11
  %h6 = xor i32 %h5, %s5
  %s6 = shl i32 %h6, 15
  %h7 = add i32 %h6, %s6
  ret i32 %h7
}

; add, rotate, xor with rotations by variable amounts, three rounds
define amdgpu_ps { i32, i32 } @add_rotate_xor(i32 inreg %a, i32 inreg %b, i32 inreg %n) {
  %m = and i32 %n, 31
  %s = zext i32 %m to i64
  %a1 = add i32 %a, %b
  %w1 = zext i32 %b to i64
  %h1 = shl i64 %w1, 32
  %d1 = or i64 %h1, %w1
  %t1 = shl i64 %d1, %s
  %u1 = lshr i64 %t1, 32
  %v1 = trunc i64 %u1 to i32
  %b1 = xor i32 %v1, %a1
  %a2 = add i32 %a1, %b1
  %w2 = zext i32 %b1 to i64
  %h2 = shl i64 %w2, 32
  %d2 = or i64 %h2, %w2
  %t2 = shl i64 %d2, %s
  %u2 = lshr i64 %t2, 32
  %v2 = trunc i64 %u2 to i32
  %b2 = xor i32 %v2, %a2
  %a3 = add i32 %a2, %b2
  %w3 = zext i32 %b2 to i64
  %h3 = shl i64 %w3, 32
  %d3 = or i64 %h3, %w3
  %t3 = shl i64 %d3, %s
  %u3 = lshr i64 %t3, 32
  %v3 = trunc i64 %u3 to i32
  %b3 = xor i32 %v3, %a3
  %r0 = insertvalue { i32, i32 } poison, i32 %a3, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %b3, 1
  ret { i32, i32 } %r1
}

; one quarter round of ChaCha20: rotations by constants, which are V_ALIGNBIT on every target
define amdgpu_ps { i64, i64 } @chacha_quarter_round(i32 inreg %a, i32 inreg %b, i32 inreg %c, i32 inreg %d) {
  %a1 = add i32 %a, %b
  %d1 = xor i32 %d, %a1
  %d1l = shl i32 %d1, 16
  %d1r = lshr i32 %d1, 16
  %d2 = or i32 %d1l, %d1r
  %c1 = add i32 %c, %d2
  %b1 = xor i32 %b, %c1
  %b1l = shl i32 %b1, 12
  %b1r = lshr i32 %b1, 20
  %b2 = or i32 %b1l, %b1r
  %a2 = add i32 %a1, %b2
  %d3 = xor i32 %d2, %a2
  %d3l = shl i32 %d3, 8
  %d3r = lshr i32 %d3, 24
  %d4 = or i32 %d3l, %d3r
  %c2 = add i32 %c1, %d4
  %b3 = xor i32 %b2, %c2
  %b3l = shl i32 %b3, 7
  %b3r = lshr i32 %b3, 25
  %b4 = or i32 %b3l, %b3r
  %wa = zext i32 %a2 to i64
  %wb = zext i32 %b4 to i64
  %wc = zext i32 %c2 to i64
  %wd = zext i32 %d4 to i64
  %sb = shl i64 %wb, 32
  %sd = shl i64 %wd, 32
  %ab = or i64 %wa, %sb
  %cd = or i64 %wc, %sd
  %r0 = insertvalue { i64, i64 } poison, i64 %ab, 0
  %r1 = insertvalue { i64, i64 } %r0, i64 %cd, 1
  ret { i64, i64 } %r1
}
