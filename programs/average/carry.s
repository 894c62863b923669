// The same with the 33rd bit, which is the carry in SCC.
average:
  s_add_u32 s0, s0, s1
  s_cselect_b32 s2, 0x80000000, 0
  s_lshr_b32 s0, s0, 1
  s_or_b32 s0, s0, s2
  s_endpgm
