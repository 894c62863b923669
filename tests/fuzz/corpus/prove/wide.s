1s_lshl_b64 s[0:1], s[0:1], 3
s_bfe_u64 s[0:1], s[0:1], 0x100008
s_bcnt1_i32_b64 s4, s[0:1]
s_ashr_i64 s[0:1], s[0:1], s4
---
s_lshr_b64 s[0:1], s[0:1], 5
s_and_b32 s0, s0, 0xffff
s_mov_b32 s1, 0
