// How many bits of s1 are set: takes the lowest away until there is none.
s_mov_b32 s0, 0
s_cmp_eq_u32 s1, 0
s_cbranch_scc1 done
next:
  s_add_u32 s0, s0, 1
  s_sub_u32 s2, s1, 1
  s_and_b32 s1, s1, s2
  s_cbranch_scc1 next
done:
s_endpgm
