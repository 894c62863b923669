8s_and_b32 s5, s0, 4
s_store_dword s1, s[2:3], s5
s_store_dword s0, s[2:3], 0x4
s_dcache_wb
s_load_dword s0, s[2:3], s5
s_waitcnt lgkmcnt(0)
---
s_store_dword s0, s[2:3], 0x4
s_cmp_eq_u32 s0, s1
