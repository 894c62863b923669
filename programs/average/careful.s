// The average of s0 and s1, rounded down, without ever needing a 33rd bit: bits that both have, and half of the others.
average:
  s_and_b32 s2, s0, s1
  s_xor_b32 s3, s0, s1
  s_lshr_b32 s3, s3, 1
  s_add_u32 s0, s2, s3
  s_endpgm
