.set a, (1 || 0) + (2 && 3) - (4 == 4) ^ ~5 & 6 | 7 % 8 / 2 << 1 >> 1
.set b, later - first + !0 * -1
c = 'x'
first: 1: s_branch 1b
s_branch 2f
s_mov_b64 s[0:1], later@abs32@lo
s_add_u32 s2, s2, first@rel32@lo+4
s_addc_u32 s3, s3, first@rel32@hi+12
.long c <= a, b <> 1, a != b, ., 0777
"a label": s_movk_i32 s0, later-first
2: later: s_cbranch_scc0 .+8
s_call_b64 s[4:5], "a label"
s_sleep first > 1 ; s_nop
