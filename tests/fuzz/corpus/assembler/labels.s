start:
  s_mov_b32 s0, 0
loop: ; comment
  s_add_u32 s0, s0, 1  // another
  s_cmp_lt_u32 s0, 10 /* block
  comment */
  s_cbranch_scc1 loop
  s_branch end
  .long 0xdeadbeef, end-start
  .set value, 3*(4+1)<<2
  s_mov_b32 s1, value
  s_movk_i32 s2, -value
end: s_endpgm
