global_load_dword v1, v[2:3], off
global_load_dwordx2 v[4:5], v[2:3], off
global_load_dwordx3 v[0:2], v[4:5], off offset:20
global_load_dwordx4 v[0:3], v[0:1], off
global_store_dword v[4:5], v1, off
global_store_dwordx2 v[2:3], v[0:1], off
global_store_dwordx3 v[4:5], v[0:2], off
global_store_dwordx4 v[8:9], v[4:7], off
scratch_load_dword v1, off, s33 offset:20
scratch_load_dwordx2 v[4:5], off, s33 offset:8
scratch_load_sbyte v2, off, s33 offset:24
scratch_load_sshort v1, v1, off
scratch_load_ubyte v1, v1, off
scratch_load_ushort v1, v1, off
scratch_store_byte v1, v0, off
scratch_store_dword off, v2, s33 offset:16
scratch_store_dwordx2 off, v[2:3], s33
scratch_store_dwordx4 off, v[4:7], off
scratch_store_short v1, v0, off
v_accvgpr_read_b32 v0, a0
v_accvgpr_write_b32 a0, v1
v_add3_u32 v0, v2, v1, -1
v_add_co_u32_e32 v2, vcc, v2, v12
v_add_co_u32_e64 v4, s[4:5], v4, v6
v_add_lshl_u32 v2, s0, v1, v2
v_add_u16_e32 v2, 1, v1
v_add_u16_e64 v0, v0, s0
v_add_u16_sdwa v4, v5, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_1
v_add_u32_e32 v4, s2, v0
v_add_u32_e64 v1, v1, s0
v_add_u32_sdwa v10, v16, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD
v_addc_co_u32_e32 v2, vcc, 0, v2, vcc
v_addc_co_u32_e64 v0, s[4:5], v0, v2, s[4:5]
v_alignbit_b32 v0, v0, v0, s0
v_and_b32_e32 v0, 1, v2
v_and_b32_e64 v1, v1, s1
v_and_b32_sdwa v4, v0, s0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
v_and_or_b32 v2, s0, 7, v11
v_ashrrev_i32_e32 v1, v14, v2
v_ashrrev_i32_e64 v2, v0, v2
v_ashrrev_i32_sdwa v20, v18, sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_0
v_ashrrev_i64 v[0:1], s0, v[0:1]
v_bcnt_u32_b32 v0, v3, 0
v_bfe_i32 v0, v0, 0, 16
v_bfe_u32 v0, v0, v1, 4
v_bfi_b32 v0, v0, v4, v5
v_bfm_b32 v1, v1, v2
v_bfrev_b32_e32 v4, v6
v_bfrev_b32_e64 v2, v2
v_cmp_eq_u16_e32 vcc, 0, v1
v_cmp_eq_u16_e64 s[2:3], v1, s0
v_cmp_eq_u16_sdwa s[0:1], v4, v29 src0_sel:BYTE_0 src1_sel:DWORD
v_cmp_eq_u32_e32 vcc, 1, v2
v_cmp_eq_u32_e64 s[0:1], v1, s0
v_cmp_eq_u64_e32 vcc, 1, v[0:1]
v_cmp_eq_u64_e64 s[2:3], v[2:3], s[0:1]
v_cmp_ge_f32_e64 s[4:5], |v2|, |v3|
v_cmp_ge_i32_e64 s[0:1], v1, v2
v_cmp_ge_u32_e32 vcc, s20, v6
v_cmp_ge_u32_e64 s[0:1], v1, v2
v_cmp_ge_u64_e32 vcc, v[2:3], v[8:9]
v_cmp_gt_i16_e32 vcc, v10, v1
v_cmp_gt_i16_e64 s[0:1], v0, v9
v_cmp_gt_i16_sdwa s[6:7], v2, v0 src0_sel:WORD_1 src1_sel:DWORD
v_cmp_gt_i32_e32 vcc, 4, v2
v_cmp_gt_i32_e64 s[0:1], v1, s0
v_cmp_gt_i64_e32 vcc, 0, v[4:5]
v_cmp_gt_i64_e64 s[0:1], v[2:3], s[0:1]
v_cmp_gt_u16_sdwa s[0:1], v19, v21 src0_sel:BYTE_0 src1_sel:BYTE_0
v_cmp_gt_u32_e32 vcc, s10, v8
v_cmp_gt_u32_e64 s[2:3], v1, v2
v_cmp_gt_u64_e32 vcc, v[16:17], v[24:25]
v_cmp_gt_u64_e64 s[0:1], v[2:3], v[4:5]
v_cmp_le_i16_e32 vcc, v0, v9
v_cmp_le_u32_e32 vcc, v11, v8
v_cmp_le_u32_e64 s[0:1], v1, v2
v_cmp_le_u64_e32 vcc, s[2:3], v[2:3]
v_cmp_lt_i32_e32 vcc, 4, v10
v_cmp_lt_i32_e64 s[2:3], v1, s0
v_cmp_lt_i64_e32 vcc, -1, v[0:1]
v_cmp_lt_i64_e64 s[6:7], v[4:5], s[6:7]
v_cmp_lt_u16_sdwa s[20:21], v18, v19 src0_sel:BYTE_0 src1_sel:BYTE_0
v_cmp_lt_u32_e32 vcc, s20, v7
v_cmp_lt_u32_e64 s[2:3], v1, v2
v_cmp_lt_u64_e64 s[0:1], v[2:3], v[4:5]
v_cmp_ne_u16_e64 s[0:1], v1, s0
v_cmp_ne_u16_sdwa s[0:1], v3, v15 src0_sel:BYTE_0 src1_sel:DWORD
v_cmp_ne_u32_e32 vcc, 0, v0
v_cmp_ne_u32_e64 s[2:3], v1, s2
v_cmp_ne_u32_sdwa vcc, v6, v1 src0_sel:WORD_0 src1_sel:DWORD
v_cmp_ne_u64_e32 vcc, -1, v[0:1]
v_cmp_ne_u64_e64 s[4:5], v[2:3], s[0:1]
v_cndmask_b32_e32 v2, v7, v5, vcc
v_cndmask_b32_e64 v1, v1, v2, s[2:3]
v_cvt_f32_i32_e64 v2, v2
v_cvt_f32_u32_e32 v2, v1
v_cvt_f32_u32_e64 v4, v2
v_cvt_f32_u32_sdwa v10, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
v_cvt_f32_ubyte0_e32 v8, v5
v_cvt_i32_f32_e64 v0, v0
v_cvt_u32_f32_e32 v2, v2
v_cvt_u32_f32_e64 v0, v2
v_ffbh_u32_e32 v0, v6
v_ffbh_u32_e64 v2, v0
v_ffbh_u32_sdwa v13, v13 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD
v_ffbl_b32_e32 v7, v6
v_ffbl_b32_e64 v0, v0
v_ffbl_b32_sdwa v14, v6 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0
v_fma_f32 v2, -v2, v3, v4
v_fmac_f32_e32 v10, 0, v7
v_fmac_f32_e64 v0, v2, s1
v_fmamk_f32 v0, v1, 0x4f800000, v0
v_lshl_add_u32 v3, v3, 3, v3
v_lshl_add_u64 v[2:3], v[2:3], s0, v[4:5]
v_lshl_or_b32 v2, v2, s3, v3
v_lshlrev_b16_e32 v4, 8, v4
v_lshlrev_b32_e32 v2, 3, v4
v_lshlrev_b32_e64 v1, v0, v1
v_lshlrev_b32_sdwa v1, v17, v1 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD
v_lshlrev_b64 v[4:5], s0, v[2:3]
v_lshrrev_b16_e32 v5, 1, v5
v_lshrrev_b32_e32 v1, 5, v1
v_lshrrev_b32_e64 v2, s0, v2
v_lshrrev_b32_sdwa v19, v17, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
v_lshrrev_b64 v[8:9], 24, v[0:1]
v_mad_i32_i24 v5, v0, v16, v5
v_mad_u32_u24 v0, v7, 33, v0
v_mad_u64_u32 v[0:1], s[0:1], v0, s0, 1
v_max_i32_e32 v10, v0, v1
v_max_i32_sdwa v8, sext(v6), v8 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD
v_max_u32_e32 v1, v2, v1
v_max_u32_sdwa v5, v0, v8 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:DWORD
v_min3_u32 v16, v18, s0, v15
v_min_i32_e32 v12, v4, v5
v_min_u32_e32 v5, v5, v7
v_min_u32_e64 v2, v2, v3
v_mov_b32_e32 v1, v0
v_mov_b64_e32 v[2:3], s[4:5]
v_mul_f32_e32 v2, 0x4f7ffffe, v2
v_mul_f32_e64 v0, v4, v0
v_mul_hi_i32 v1, v2, s3
v_mul_hi_u32 v2, v1, s0
v_mul_i32_i24_e32 v21, v1, v10
v_mul_i32_i24_sdwa v5, sext(v7), sext(v6) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:WORD_0
v_mul_lo_u16_e32 v5, v6, v5
v_mul_lo_u16_sdwa v1, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
v_mul_lo_u32 v2, v2, s0
v_mul_u32_u24_e32 v1, 0x1f4, v1
v_mul_u32_u24_sdwa v5, v0, s0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:DWORD
v_not_b32_e32 v0, v0
v_or3_b32 v1, v1, v3, v4
v_or_b32_e32 v2, v0, v4
v_or_b32_e64 v2, v2, s2
v_or_b32_sdwa v3, v3, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD
v_perm_b32 v10, v0, v0, s6
v_rcp_f32_e32 v0, v0
v_rcp_f32_e64 v0, v3
v_rcp_iflag_f32_e32 v2, v2
v_readfirstlane_b32 s0, v4
v_readlane_b32 s0, v0, 3
v_sub_co_u32_e32 v2, vcc, v2, v8
v_sub_co_u32_e64 v0, s[0:1], v0, v3
v_sub_u16_e32 v1, v0, v1
v_sub_u16_sdwa v5, v0, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_1
v_sub_u32_e32 v0, v0, v1
v_sub_u32_e64 v1, v1, v2
v_sub_u32_sdwa v8, v1, sext(v6) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
v_subb_co_u32_e32 v3, vcc, v3, v9, vcc
v_subb_co_u32_e64 v2, s[0:1], v1, v2, s[0:1]
v_subbrev_co_u32_e32 v13, vcc, 0, v18, vcc
v_subbrev_co_u32_e64 v4, s[0:1], 0, v4, s[0:1]
v_subrev_co_u32_e32 v12, vcc, 10, v4
v_subrev_u32_e32 v6, 48, v11
v_trunc_f32_e32 v7, v7
v_trunc_f32_e64 v2, v0
v_writelane_b32 v1, s6, 0
v_xor_b32_e32 v12, s24, v12
v_xor_b32_e64 v0, v0, v1
v_xor_b32_sdwa v24, v1, v19 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
