8s_quadmask_b32 s0, s0
s_wqm_b32 s1, s1
s_bitset1_b32 s4, s0
s_cmpk_ge_i32 s0, 5
s_cselect_b64 s[4:5], s[0:1], -1
s_addk_i32 s4, 0x7fff
