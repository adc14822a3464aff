" Vim syntax file: QPU (VideoCore IV) assembly. Made by scripts/make-tables from editor/vscode/syntaxes/qpu.tmLanguage.json.
if exists("b:current_syntax")
  finish
endif
syn case match
syn match tesseraQpuKeywordOperator /\v\C\*\*|\<\<\<|\>\>\>|\<\<|\>\>|\<\=|\>\=|\=\=|!\=|\&\&|\|\||\^\^|[-+*/%<>&|^~!?:=]/
syn match tesseraQpuPunctuationSeparatorInstruction /\v\C;/
syn match tesseraQpuVariableParameterField /\v\C%([0-9A-Za-z_.:])@1<![A-Za-z_]\w*%(\s*\=[^=])@=/
syn match tesseraQpuSupportFunctionOpcode /\v\C%([0-9A-Za-z_.:])@1<!%(av8adds|av8subs|fmaxabs|fminabs|mv8adds|mv8subs|ldipes|ldipeu|v8adds|v8muld|v8subs|mul24|v8max|v8min|amov|anop|fadd|fmax|fmin|fmul|fsub|ftoi|itof|mmov|mnop|read|sacq|srel|add|and|asr|bra|brr|clz|ldi|max|min|mov|nop|not|ror|shl|shr|sub|xor|or)%(<|>)%(\s*\=[^=])@!/
syn match tesseraQpuKeywordOtherSignal /\v\C%([0-9A-Za-z_.:])@1<!%(ldaltlb|ldcoend|ldcotlb|ldcvtlb|lswitch|tswitch|waitscb|ldcend|ldtmu0|ldtmu1|loadam|loadcv|lthrsw|sbdone|sbwait|thrend|unlscb|break|loadc|thrsw|bkpt|tend)%(<|>)%(\s*\=[^=])@!/
syn match tesseraQpuVariableLanguageRegister /\v\C%([0-9A-Za-z_.:])@1<!%(vpmvcd_rd_setup|vpmvcd_wr_setup|element_number|tlb_alpha_mask|tlb_colour_all|mutex_acquire|mutex_release|sfu_recipsqrt|tlb_colour_ms|unif_addr_rel|x_pixel_coord|y_pixel_coord|uniform_read|varying_read|tlb_stencil|vpm_ld_addr|vpm_ld_busy|vpm_ld_wait|vpm_st_addr|vpm_st_busy|vpm_st_wait|qpu_number|tmu_noswap|interrupt|mutex_acq|mutex_rel|recipsqrt|sfu_recip|unif_addr|vpm_write|elem_num|host_int|ms_flags|rev_flag|vpm_read|vr_setup|vw_setup|ms_mask|qpu_num|sfu_exp|sfu_log|stencil|vr_addr|vr_busy|vr_wait|vw_addr|vw_busy|vw_wait|x_coord|y_coord|quad_x|quad_y|r5quad|sacq10|sacq11|sacq12|sacq13|sacq14|sacq15|srel10|srel11|srel12|srel13|srel14|srel15|tmu0_b|tmu0_r|tmu0_s|tmu0_t|tmu1_b|tmu1_r|tmu1_s|tmu1_t|mutex|r5rep|recip|sacq0|sacq1|sacq2|sacq3|sacq4|sacq5|sacq6|sacq7|sacq8|sacq9|srel0|srel1|srel2|srel3|srel4|srel5|srel6|srel7|srel8|srel9|tlb_z|tlbam|tmurs|ra10|ra11|ra12|ra13|ra14|ra15|ra16|ra17|ra18|ra19|ra20|ra21|ra22|ra23|ra24|ra25|ra26|ra27|ra28|ra29|ra30|ra31|ra32|ra33|ra34|ra35|ra36|ra37|ra38|ra39|ra40|ra41|ra42|ra43|ra44|ra45|ra46|ra47|ra48|ra49|ra50|ra51|ra52|ra53|ra54|ra55|ra56|ra57|ra58|ra59|ra60|ra61|ra62|ra63|rb10|rb11|rb12|rb13|rb14|rb15|rb16|rb17|rb18|rb19|rb20|rb21|rb22|rb23|rb24|rb25|rb26|rb27|rb28|rb29|rb30|rb31|rb32|rb33|rb34|rb35|rb36|rb37|rb38|rb39|rb40|rb41|rb42|rb43|rb44|rb45|rb46|rb47|rb48|rb49|rb50|rb51|rb52|rb53|rb54|rb55|rb56|rb57|rb58|rb59|rb60|rb61|rb62|rb63|tlbc|tlbm|tlbz|unif|vary|exp|irq|log|ra0|ra1|ra2|ra3|ra4|ra5|ra6|ra7|ra8|ra9|rb0|rb1|rb2|rb3|rb4|rb5|rb6|rb7|rb8|rb9|t0b|t0r|t0s|t0t|t1b|t1r|t1s|t1t|vpm|r0|r1|r2|r3|r4|r5)%(<|>)%(\s*\=[^=])@!/
syn match tesseraQpuConstantNumericInteger /\v\C%([0-9A-Za-z_.])@1<![0-9]+%(<|>)/
syn match tesseraQpuConstantNumericFloat /\v\C%([0-9A-Za-z_.])@1<!%([0-9]+\.[0-9]*%([eE][+-]?[0-9]+)?|\.[0-9]+%([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)/
syn match tesseraQpuConstantNumericBinary /\v\C%([0-9A-Za-z_.])@1<!0[bB][01]+%(<|>)/
syn match tesseraQpuConstantNumericHex /\v\C%([0-9A-Za-z_.])@1<!0[xX][0-9A-Fa-f]+%(<|>)/
syn match tesseraQpuStorageModifier /\v\C%([0-9A-Za-z_)])@1<=\.%(%(always|allcc|allcs|allnc|allnn|allns|allnz|allzc|allzs|anycc|anycs|anync|anynn|anyns|anynz|anyzc|anyzs|never|allc|alln|allz|anyc|anyn|anyz|ifcc|ifcs|ifnc|ifnn|ifns|ifnz|ifzc|ifzs|setf|ifc|ifn|ifz|cc|cs|nc|nn|ns|nz|sf|zc|zs|c|n|z)|%(un)?%(pack)?%(8ddupe|8abcd|8888|16a|16b|8dr|32|8a|8b|8c|8d)%(clamp|s)?[if]?)%(<|>)/
syn match tesseraQpuSupportFunctionRecord /\v\C%([0-9A-Za-z_.:])@1<!%(cl\.%(vg_coordinate_array_primitives|store_ms_tile_buffer_and_eof|store_full_res_tile_buffer|compressed_primitive_list|load_full_res_tile_buffer|store_tile_buffer_general|load_tile_buffer_general|repeat_from_start_marker|vertex_array_primitives|vg_inline_shader_record|clipped_primitive_list|clipper_z_scale_offset|indexed_primitive_list|primitive_list_format|return_from_sub_list|store_ms_tile_buffer|vg_inline_primitives|increment_semaphore|repeat_start_marker|tile_rendering_mode|branch_to_sub_list|clipper_xy_scaling|configuration_bits|reset_marker_count|start_tile_binning|tile_binning_mode|wait_on_semaphore|flat_shade_flags|tile_coordinates|flush_all_state|gl_shader_state|nv_shader_state|vg_shader_state|viewport_offset|rht_x_boundary|clear_colors|depth_offset|clip_window|line_width|point_size|z_min_max|branch|marker|flush|halt|nop)|shader\.nv|shader\.gl|shader\.attribute|shader\.extended_stride|shader\.vg|vertex\.nv|vertex\.clipped|vertex\.vg|uniform\.texture|uniform\.cube_map|uniform\.child_size|uniform\.child_offset)%(<|>)/
syn match tesseraQpuKeywordControlDirective /\v\C%([0-9A-Za-z_.)])@1<!%(\.endback|\.endfunc|\.float16|\.float32|\.float64|\.foreach|\.include|\.assert|\.define|\.double|\.elseif|\.endfor|\.endloc|\.endrep|\.global|\.incbin|\.lconst|\.lunset|\.rodata|\.single|\.string|\.align|\.ascii|\.asciz|\.clone|\.const|\.dword|\.endif|\.float|\.globl|\.hword|\.ifset|\.int16|\.int32|\.int64|\.local|\.macro|\.qword|\.scene|\.short|\.space|\.undef|\.unset|\.back|\.byte|\.code|\.data|\.elif|\.else|\.endb|\.endf|\.endm|\.endr|\.fill|\.func|\.half|\.int1|\.int2|\.int4|\.int8|\.long|\.lset|\.quad|\.rept|\.skip|\.text|\.word|\.bit|\.equ|\.int|\.org|\.rep|\.set|\.if)%(<|>)/
syn match tesseraQpuVariableOtherLabel /\v\C%([0-9A-Za-z_.])@1<![0-9]+[fb]%(<|>)/
syn match tesseraQpuVariableOtherLabel /\v\C%([0-9A-Za-z_)])@1<!%(r)?:[A-Za-z_0-9]\w*/
syn match tesseraQpuEntityNameLabel /\v\C%(%(^\s*))@<=%(::?[A-Za-z_0-9]\w*|[A-Za-z_]\w*:)%(%(%(:)@!))@=/
syn match tesseraQpuKeywordControlDirective /\v\C%(%(%([0-9A-Za-z_.])@1<!))@<=%(\.%(set|lset|const|lconst|equ|define|unset|undef|lunset|global|globl))%(%(\s+)%([A-Za-z_]\w*))@=/
syn match tesseraQpuVariableOtherConstant /\v\C%(%(%([0-9A-Za-z_.])@1<!)%(\.%(set|lset|const|lconst|equ|define|unset|undef|lunset|global|globl))%(\s+))@<=%([A-Za-z_]\w*)/
syn match tesseraQpuKeywordControlDirective /\v\C%(%(%([0-9A-Za-z_.])@1<!))@<=%(\.%(macro|func|rep|foreach))%(%(\s+)%([A-Za-z_]\w*))@=/
syn match tesseraQpuEntityNameFunction /\v\C%(%(%([0-9A-Za-z_.])@1<!)%(\.%(macro|func|rep|foreach))%(\s+))@<=%([A-Za-z_]\w*)/
syn match tesseraQpuKeywordControlDirective /\v\C%(\.include)%(%(\s+)%(\<[^>]*\>))@=/
syn match tesseraQpuStringQuotedOther /\v\C%(%(\.include)%(\s+))@<=%(\<[^>]*\>)/
syn match tesseraQpuStringQuotedSingle /\v\C'%(\\x[0-9A-Fa-f]{1,2}|\\.|[^'\\])'/
syn match tesseraQpuConstantCharacterEscape /\v\C\\%(x[0-9A-Fa-f]{1,2}|.)/ contained
syn region tesseraQpuStringQuotedDouble start=/\v"/ end=/\v"/ end=/$/ oneline contains=tesseraQpuConstantCharacterEscape
syn match tesseraQpuCommentLineDoubleSlash /\v\C\/\/.*$/
syn match tesseraQpuCommentLineNumberSign /\v\C#.*$/
syn region tesseraQpuCommentBlock start=/\v\/\*/ end=/\v\*\// keepend
hi def link tesseraQpuCommentBlock Comment
hi def link tesseraQpuCommentLineDoubleSlash Comment
hi def link tesseraQpuCommentLineNumberSign Comment
hi def link tesseraQpuConstantCharacterEscape SpecialChar
hi def link tesseraQpuConstantNumericBinary Number
hi def link tesseraQpuConstantNumericFloat Number
hi def link tesseraQpuConstantNumericHex Number
hi def link tesseraQpuConstantNumericInteger Number
hi def link tesseraQpuEntityNameFunction Function
hi def link tesseraQpuEntityNameLabel Label
hi def link tesseraQpuKeywordControlDirective PreProc
hi def link tesseraQpuKeywordOperator Operator
hi def link tesseraQpuKeywordOtherSignal Keyword
hi def link tesseraQpuPunctuationSeparatorInstruction Delimiter
hi def link tesseraQpuStorageModifier StorageClass
hi def link tesseraQpuStringQuotedDouble String
hi def link tesseraQpuStringQuotedOther String
hi def link tesseraQpuStringQuotedSingle String
hi def link tesseraQpuSupportFunctionOpcode Statement
hi def link tesseraQpuSupportFunctionRecord Structure
hi def link tesseraQpuVariableLanguageRegister Identifier
hi def link tesseraQpuVariableOtherConstant Identifier
hi def link tesseraQpuVariableOtherLabel Label
hi def link tesseraQpuVariableParameterField Identifier
syn sync minlines=50
let b:current_syntax = "tesseraqpu"
