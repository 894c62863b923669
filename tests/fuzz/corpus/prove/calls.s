0s_getpc_b64 s[6:7]
s_add_u32 s6, s6, 24
s_addc_u32 s7, s7, 0
s_swappc_b64 s[8:9], s[6:7]
s_endpgm
s_nop 0
s_lshl_b32 s0, s0, 1
s_setpc_b64 s[8:9]
---
s_lshl_b32 s0, s0, 1
