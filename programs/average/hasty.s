// The same without it.
average:
  s_add_u32 s0, s0, s1
  s_lshr_b32 s0, s0, 1
  s_endpgm
