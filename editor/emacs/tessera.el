;;; tessera.el --- Assembly for VideoCore IV, Mali Utgard and Adreno A2xx -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Major modes for .qasm, .qinc, .gp and .a2xx, and places of tessera's messages for M-x compile.
;; Made by scripts/make-tables from editor/vscode/syntaxes.

;;; Code:

(require 'compile)

(defun tessera--syntax-table ()
  "What all three languages have in common."
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "< b" table)
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (dolist (mark (append "'.+-<>=&|%!^~@,:" nil))
      (modify-syntax-entry mark "." table))
    (modify-syntax-entry ?_ "_" table)
    table))

(defun tessera--setup (comment keywords)
  "Make COMMENT begin comments, KEYWORDS have faces, and `compile' check the file."
  (setq-local comment-start comment)
  (setq-local comment-start-skip "\\(?:#+\\|//+\\|/\\*+\\|;+\\)[ \t]*")
  (setq-local comment-end "")
  (setq-local font-lock-defaults (list keywords))
  (when buffer-file-name
    (setq-local compile-command
                (concat "tessera check " (shell-quote-argument (file-name-nondirectory buffer-file-name))))))

;;;###autoload
(add-to-list 'compilation-error-regexp-alist-alist
             '(tessera "^\\(.+?\\):\\([0-9]+\\):\\(?:\\([0-9]+\\):\\)? \\(?:error\\|\\(warning\\)\\|\\(note\\)\\): " 1 2 3 (4 . 5)))
;;;###autoload
(add-to-list 'compilation-error-regexp-alist 'tessera)

(defconst tessera-qpu-font-lock-keywords
  '(("\\('\\(?:\\\\x[0-9A-Fa-f]\\{1,2\\}\\|\\\\.\\|[^'\\]\\)'\\)" 1 font-lock-string-face)
    ("\\(\\.include\\)[ \t]+\\(<[^>]*>\\)" (1 font-lock-preprocessor-face) (2 font-lock-string-face))
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\.\\(?:macro\\|func\\|rep\\|foreach\\)\\)[ \t]+\\([A-Za-z_][0-9A-Za-z_]*\\)" (1 font-lock-preprocessor-face) (2 font-lock-function-name-face))
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\.\\(?:set\\|lset\\|const\\|lconst\\|equ\\|define\\|unset\\|undef\\|lunset\\|global\\|globl\\)\\)[ \t]+\\([A-Za-z_][0-9A-Za-z_]*\\)" (1 font-lock-preprocessor-face) (2 font-lock-variable-name-face))
    ("^[ \t]*\\(::?[A-Za-z_0-9][0-9A-Za-z_]*\\|[A-Za-z_][0-9A-Za-z_]*:\\)" (1 font-lock-function-name-face))
    ("\\(?:^\\|[^0-9A-Za-z_)]\\)\\(\\(?:r\\)?:[A-Za-z_0-9][0-9A-Za-z_]*\\)" 1 font-lock-function-name-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\([0-9]+[fb]\\_>\\)" 1 font-lock-function-name-face)
    ("\\(?:^\\|[^0-9A-Za-z_.)]\\)\\(\\(?:\\.endback\\|\\.endfunc\\|\\.float16\\|\\.float32\\|\\.float64\\|\\.foreach\\|\\.include\\|\\.assert\\|\\.define\\|\\.double\\|\\.elseif\\|\\.endfor\\|\\.endloc\\|\\.endrep\\|\\.global\\|\\.incbin\\|\\.lconst\\|\\.lunset\\|\\.rodata\\|\\.single\\|\\.string\\|\\.align\\|\\.ascii\\|\\.asciz\\|\\.clone\\|\\.const\\|\\.dword\\|\\.endif\\|\\.float\\|\\.globl\\|\\.hword\\|\\.ifset\\|\\.int16\\|\\.int32\\|\\.int64\\|\\.local\\|\\.macro\\|\\.qword\\|\\.scene\\|\\.short\\|\\.space\\|\\.undef\\|\\.unset\\|\\.back\\|\\.byte\\|\\.code\\|\\.data\\|\\.elif\\|\\.else\\|\\.endb\\|\\.endf\\|\\.endm\\|\\.endr\\|\\.fill\\|\\.func\\|\\.half\\|\\.int1\\|\\.int2\\|\\.int4\\|\\.int8\\|\\.long\\|\\.lset\\|\\.quad\\|\\.rept\\|\\.skip\\|\\.text\\|\\.word\\|\\.bit\\|\\.equ\\|\\.int\\|\\.org\\|\\.rep\\|\\.set\\|\\.if\\)\\_>\\)" 1 font-lock-preprocessor-face)
    ("\\(?:^\\|[^0-9A-Za-z_.:]\\)\\(\\(?:cl\\.\\(?:vg_coordinate_array_primitives\\|store_ms_tile_buffer_and_eof\\|store_full_res_tile_buffer\\|compressed_primitive_list\\|load_full_res_tile_buffer\\|store_tile_buffer_general\\|load_tile_buffer_general\\|repeat_from_start_marker\\|vertex_array_primitives\\|vg_inline_shader_record\\|clipped_primitive_list\\|clipper_z_scale_offset\\|indexed_primitive_list\\|primitive_list_format\\|return_from_sub_list\\|store_ms_tile_buffer\\|vg_inline_primitives\\|increment_semaphore\\|repeat_start_marker\\|tile_rendering_mode\\|branch_to_sub_list\\|clipper_xy_scaling\\|configuration_bits\\|reset_marker_count\\|start_tile_binning\\|tile_binning_mode\\|wait_on_semaphore\\|flat_shade_flags\\|tile_coordinates\\|flush_all_state\\|gl_shader_state\\|nv_shader_state\\|vg_shader_state\\|viewport_offset\\|rht_x_boundary\\|clear_colors\\|depth_offset\\|clip_window\\|line_width\\|point_size\\|z_min_max\\|branch\\|marker\\|flush\\|halt\\|nop\\)\\|shader\\.nv\\|shader\\.gl\\|shader\\.attribute\\|shader\\.extended_stride\\|shader\\.vg\\|vertex\\.nv\\|vertex\\.clipped\\|vertex\\.vg\\|uniform\\.texture\\|uniform\\.cube_map\\|uniform\\.child_size\\|uniform\\.child_offset\\)\\_>\\)" 1 font-lock-builtin-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(0[xX][0-9A-Fa-f]+\\_>\\)" 1 font-lock-constant-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(0[bB][01]+\\_>\\)" 1 font-lock-constant-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\(?:[0-9]+\\.[0-9]*\\(?:[eE][+-]?[0-9]+\\)?\\|\\.[0-9]+\\(?:[eE][+-]?[0-9]+\\)?\\|[0-9]+[eE][+-]?[0-9]+\\)\\)" 1 font-lock-constant-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\([0-9]+\\_>\\)" 1 font-lock-constant-face)
    ("\\(?:^\\|[^0-9A-Za-z_.:]\\)\\(\\(?:vpmvcd_rd_setup\\|vpmvcd_wr_setup\\|element_number\\|tlb_alpha_mask\\|tlb_colour_all\\|mutex_acquire\\|mutex_release\\|sfu_recipsqrt\\|tlb_colour_ms\\|unif_addr_rel\\|x_pixel_coord\\|y_pixel_coord\\|uniform_read\\|varying_read\\|tlb_stencil\\|vpm_ld_addr\\|vpm_ld_busy\\|vpm_ld_wait\\|vpm_st_addr\\|vpm_st_busy\\|vpm_st_wait\\|qpu_number\\|tmu_noswap\\|interrupt\\|mutex_acq\\|mutex_rel\\|recipsqrt\\|sfu_recip\\|unif_addr\\|vpm_write\\|elem_num\\|host_int\\|ms_flags\\|rev_flag\\|vpm_read\\|vr_setup\\|vw_setup\\|ms_mask\\|qpu_num\\|sfu_exp\\|sfu_log\\|stencil\\|vr_addr\\|vr_busy\\|vr_wait\\|vw_addr\\|vw_busy\\|vw_wait\\|x_coord\\|y_coord\\|quad_x\\|quad_y\\|r5quad\\|sacq10\\|sacq11\\|sacq12\\|sacq13\\|sacq14\\|sacq15\\|srel10\\|srel11\\|srel12\\|srel13\\|srel14\\|srel15\\|tmu0_b\\|tmu0_r\\|tmu0_s\\|tmu0_t\\|tmu1_b\\|tmu1_r\\|tmu1_s\\|tmu1_t\\|mutex\\|r5rep\\|recip\\|sacq0\\|sacq1\\|sacq2\\|sacq3\\|sacq4\\|sacq5\\|sacq6\\|sacq7\\|sacq8\\|sacq9\\|srel0\\|srel1\\|srel2\\|srel3\\|srel4\\|srel5\\|srel6\\|srel7\\|srel8\\|srel9\\|tlb_z\\|tlbam\\|tmurs\\|ra10\\|ra11\\|ra12\\|ra13\\|ra14\\|ra15\\|ra16\\|ra17\\|ra18\\|ra19\\|ra20\\|ra21\\|ra22\\|ra23\\|ra24\\|ra25\\|ra26\\|ra27\\|ra28\\|ra29\\|ra30\\|ra31\\|ra32\\|ra33\\|ra34\\|ra35\\|ra36\\|ra37\\|ra38\\|ra39\\|ra40\\|ra41\\|ra42\\|ra43\\|ra44\\|ra45\\|ra46\\|ra47\\|ra48\\|ra49\\|ra50\\|ra51\\|ra52\\|ra53\\|ra54\\|ra55\\|ra56\\|ra57\\|ra58\\|ra59\\|ra60\\|ra61\\|ra62\\|ra63\\|rb10\\|rb11\\|rb12\\|rb13\\|rb14\\|rb15\\|rb16\\|rb17\\|rb18\\|rb19\\|rb20\\|rb21\\|rb22\\|rb23\\|rb24\\|rb25\\|rb26\\|rb27\\|rb28\\|rb29\\|rb30\\|rb31\\|rb32\\|rb33\\|rb34\\|rb35\\|rb36\\|rb37\\|rb38\\|rb39\\|rb40\\|rb41\\|rb42\\|rb43\\|rb44\\|rb45\\|rb46\\|rb47\\|rb48\\|rb49\\|rb50\\|rb51\\|rb52\\|rb53\\|rb54\\|rb55\\|rb56\\|rb57\\|rb58\\|rb59\\|rb60\\|rb61\\|rb62\\|rb63\\|tlbc\\|tlbm\\|tlbz\\|unif\\|vary\\|exp\\|irq\\|log\\|ra0\\|ra1\\|ra2\\|ra3\\|ra4\\|ra5\\|ra6\\|ra7\\|ra8\\|ra9\\|rb0\\|rb1\\|rb2\\|rb3\\|rb4\\|rb5\\|rb6\\|rb7\\|rb8\\|rb9\\|t0b\\|t0r\\|t0s\\|t0t\\|t1b\\|t1r\\|t1s\\|t1t\\|vpm\\|r0\\|r1\\|r2\\|r3\\|r4\\|r5\\)\\_>\\)" 1 font-lock-variable-name-face)
    ("\\(?:^\\|[^0-9A-Za-z_.:]\\)\\(\\(?:ldaltlb\\|ldcoend\\|ldcotlb\\|ldcvtlb\\|lswitch\\|tswitch\\|waitscb\\|ldcend\\|ldtmu0\\|ldtmu1\\|loadam\\|loadcv\\|lthrsw\\|sbdone\\|sbwait\\|thrend\\|unlscb\\|break\\|loadc\\|thrsw\\|bkpt\\|tend\\)\\_>\\)" 1 font-lock-builtin-face)
    ("\\(?:^\\|[^0-9A-Za-z_.:]\\)\\(\\(?:av8adds\\|av8subs\\|fmaxabs\\|fminabs\\|mv8adds\\|mv8subs\\|ldipes\\|ldipeu\\|v8adds\\|v8muld\\|v8subs\\|mul24\\|v8max\\|v8min\\|amov\\|anop\\|fadd\\|fmax\\|fmin\\|fmul\\|fsub\\|ftoi\\|itof\\|mmov\\|mnop\\|read\\|sacq\\|srel\\|add\\|and\\|asr\\|bra\\|brr\\|clz\\|ldi\\|max\\|min\\|mov\\|nop\\|not\\|ror\\|shl\\|shr\\|sub\\|xor\\|or\\)\\_>\\)" 1 font-lock-keyword-face)
    ("\\(?:^\\|[^0-9A-Za-z_.:]\\)\\([A-Za-z_][0-9A-Za-z_]*\\)[ \t]*=[^=]" 1 font-lock-variable-name-face)
    ("\\>\\(\\.\\(?:\\(?:always\\|allcc\\|allcs\\|allnc\\|allnn\\|allns\\|allnz\\|allzc\\|allzs\\|anycc\\|anycs\\|anync\\|anynn\\|anyns\\|anynz\\|anyzc\\|anyzs\\|never\\|allc\\|alln\\|allz\\|anyc\\|anyn\\|anyz\\|ifcc\\|ifcs\\|ifnc\\|ifnn\\|ifns\\|ifnz\\|ifzc\\|ifzs\\|setf\\|ifc\\|ifn\\|ifz\\|cc\\|cs\\|nc\\|nn\\|ns\\|nz\\|sf\\|zc\\|zs\\|c\\|n\\|z\\)\\|\\(?:un\\)?\\(?:pack\\)?\\(?:8ddupe\\|8abcd\\|8888\\|16a\\|16b\\|8dr\\|32\\|8a\\|8b\\|8c\\|8d\\)\\(?:clamp\\|s\\)?[if]?\\)\\_>\\)" 1 font-lock-type-face))
  "What QPU (VideoCore IV) assembly looks like.")

(defvar tessera-qpu-mode-syntax-table
  (let ((table (tessera--syntax-table)))
    table)
  "Comments and strings of QPU (VideoCore IV) assembly.")

;;;###autoload
(define-derived-mode tessera-qpu-mode prog-mode "QPU"
  "Major mode for QPU (VideoCore IV) assembly."
  (tessera--setup "# " tessera-qpu-font-lock-keywords))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.qasm\\'" . tessera-qpu-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.qinc\\'" . tessera-qpu-mode))

(defconst tessera-gp-font-lock-keywords
  '(("\\('\\(?:\\\\x[0-9A-Fa-f]\\{1,2\\}\\|\\\\.\\|[^'\\]\\)'\\)" 1 font-lock-string-face)
    ("\\(\\.include\\)[ \t]+\\(<[^>]*>\\)" (1 font-lock-preprocessor-face) (2 font-lock-string-face))
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\.\\(?:macro\\|func\\|rep\\|foreach\\)\\)[ \t]+\\([A-Za-z_][0-9A-Za-z_]*\\)" (1 font-lock-preprocessor-face) (2 font-lock-function-name-face))
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\.\\(?:set\\|lset\\|const\\|lconst\\|equ\\|define\\|unset\\|undef\\|lunset\\|global\\|globl\\)\\)[ \t]+\\([A-Za-z_][0-9A-Za-z_]*\\)" (1 font-lock-preprocessor-face) (2 font-lock-variable-name-face))
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\.\\(?:attribute\\|temporary\\|constant\\|uniform\\|varying\\)\\)[ \t]+\\([A-Za-z_][0-9A-Za-z_]*\\)" (1 font-lock-preprocessor-face) (2 font-lock-variable-name-face))
    ("\\(?:^\\|[^0-9A-Za-z_.:]\\)\\(\\(?:complex\\.addr01\\|store0\\.varying\\|store1\\.varying\\|complex\\.addr0\\|complex\\.addr1\\|complex\\.addr2\\|complex\\.addr3\\|complex\\.rsqrt\\|mul0\\.complex1\\|mul0\\.complex2\\|pass\\.postlog2\\|complex\\.exp2\\|complex\\.log2\\|complex\\.none\\|pass\\.preexp2\\|complex\\.mov\\|complex\\.rcp\\|mul0\\.select\\|store0\\.temp\\|store1\\.temp\\|acc0\\.floor\\|acc1\\.floor\\|pass\\.clamp\\|store0\\.reg\\|store1\\.reg\\|acc0\\.sign\\|acc1\\.sign\\|load\\.attr\\|load\\.reg0\\|load\\.reg1\\|load\\.temp\\|load\\.unif\\|acc0\\.add\\|acc0\\.max\\|acc0\\.min\\|acc0\\.mov\\|acc1\\.add\\|acc1\\.max\\|acc1\\.min\\|acc1\\.mov\\|mul0\\.mov\\|mul0\\.mul\\|mul1\\.mov\\|mul1\\.mul\\|pass\\.mov\\|acc0\\.ge\\|acc0\\.lt\\|acc1\\.ge\\|acc1\\.lt\\|branch\\|nop\\)\\_>\\)" 1 font-lock-keyword-face)
    ("^[ \t]*\\(::?[A-Za-z_0-9][0-9A-Za-z_]*\\|[A-Za-z_][0-9A-Za-z_]*:\\)" (1 font-lock-function-name-face))
    ("\\(?:^\\|[^0-9A-Za-z_)]\\)\\(\\(?:r\\)?:[A-Za-z_0-9][0-9A-Za-z_]*\\)" 1 font-lock-function-name-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\([0-9]+[fb]\\_>\\)" 1 font-lock-function-name-face)
    ("\\(?:^\\|[^0-9A-Za-z_.)]\\)\\(\\(?:\\.endback\\|\\.endfunc\\|\\.float16\\|\\.float32\\|\\.float64\\|\\.foreach\\|\\.include\\|\\.assert\\|\\.define\\|\\.double\\|\\.elseif\\|\\.endfor\\|\\.endloc\\|\\.endrep\\|\\.global\\|\\.incbin\\|\\.lconst\\|\\.lunset\\|\\.rodata\\|\\.single\\|\\.string\\|\\.align\\|\\.ascii\\|\\.asciz\\|\\.clone\\|\\.const\\|\\.dword\\|\\.endif\\|\\.float\\|\\.globl\\|\\.hword\\|\\.ifset\\|\\.int16\\|\\.int32\\|\\.int64\\|\\.local\\|\\.macro\\|\\.qword\\|\\.scene\\|\\.short\\|\\.space\\|\\.undef\\|\\.unset\\|\\.back\\|\\.byte\\|\\.code\\|\\.data\\|\\.elif\\|\\.else\\|\\.endb\\|\\.endf\\|\\.endm\\|\\.endr\\|\\.fill\\|\\.func\\|\\.half\\|\\.int1\\|\\.int2\\|\\.int4\\|\\.int8\\|\\.long\\|\\.lset\\|\\.quad\\|\\.rept\\|\\.skip\\|\\.text\\|\\.word\\|\\.bit\\|\\.equ\\|\\.int\\|\\.org\\|\\.rep\\|\\.set\\|\\.if\\)\\_>\\)" 1 font-lock-preprocessor-face)
    ("\\(?:^\\|[^0-9A-Za-z_.:]\\)\\(field\\.\\(?:register0_attribute\\|branch_target_lo\\|store0_temporary\\|store1_temporary\\|register0_addr\\|register1_addr\\|store0_varying\\|store1_varying\\|acc0_src0_neg\\|acc0_src1_neg\\|acc1_src0_neg\\|acc1_src1_neg\\|branch_target\\|store0_src_x\\|store0_src_y\\|store1_src_w\\|store1_src_z\\|complex_src\\|load_offset\\|store0_addr\\|store1_addr\\|complex_op\\|acc0_src0\\|acc0_src1\\|acc1_src0\\|acc1_src1\\|load_addr\\|mul0_src0\\|mul0_src1\\|mul1_src0\\|mul1_src1\\|unknown_1\\|mul0_neg\\|mul1_neg\\|pass_src\\|pass_op\\|acc_op\\|branch\\|mul_op\\)\\_>\\)" 1 font-lock-variable-name-face)
    ("\\(?:^\\|[^0-9A-Za-z_.:]\\)\\(\\(?:\\(?:complex\\|acc0\\|acc1\\|attr\\|mul0\\|mul1\\|pass\\|reg0\\|reg1\\|temp\\|unif\\)\\(?:\\[-[12]\\]\\)?\\(?:\\.[xyzw]\\)?\\|ident\\|unused\\|src\\|_\\|addr[123]\\)\\)\\(?:[^0-9A-Za-z_.]\\|$\\)" 1 font-lock-variable-name-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(0[xX][0-9A-Fa-f]+\\_>\\)" 1 font-lock-constant-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(0[bB][01]+\\_>\\)" 1 font-lock-constant-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\(?:[0-9]+\\.[0-9]*\\(?:[eE][+-]?[0-9]+\\)?\\|\\.[0-9]+\\(?:[eE][+-]?[0-9]+\\)?\\|[0-9]+[eE][+-]?[0-9]+\\)\\)" 1 font-lock-constant-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\([0-9]+\\_>\\)" 1 font-lock-constant-face))
  "What GP (Mali Utgard) assembly looks like.")

(defvar tessera-gp-mode-syntax-table
  (let ((table (tessera--syntax-table)))
    table)
  "Comments and strings of GP (Mali Utgard) assembly.")

;;;###autoload
(define-derived-mode tessera-gp-mode prog-mode "GP"
  "Major mode for GP (Mali Utgard) assembly."
  (tessera--setup "# " tessera-gp-font-lock-keywords))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.gp\\'" . tessera-gp-mode))

(defconst tessera-a2xx-font-lock-keywords
  '(("\\('\\(?:\\\\x[0-9A-Fa-f]\\{1,2\\}\\|\\\\.\\|[^'\\]\\)'\\)" 1 font-lock-string-face)
    ("\\(\\.include\\)[ \t]+\\(<[^>]*>\\)" (1 font-lock-preprocessor-face) (2 font-lock-string-face))
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\.\\(?:macro\\|func\\|rep\\|foreach\\)\\)[ \t]+\\([A-Za-z_][0-9A-Za-z_]*\\)" (1 font-lock-preprocessor-face) (2 font-lock-function-name-face))
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\.\\(?:set\\|lset\\|const\\|lconst\\|equ\\|define\\|unset\\|undef\\|lunset\\|global\\|globl\\)\\)[ \t]+\\([A-Za-z_][0-9A-Za-z_]*\\)" (1 font-lock-preprocessor-face) (2 font-lock-variable-name-face))
    ("\\(@\\(?:attribute\\|sampler\\|uniform\\|varying\\|const\\|bool\\|loop\\|C\\|R\\)\\)[ \t]*\\(([^)]*)\\)[ \t]*\\([A-Za-z_][0-9A-Za-z_]*\\|\\)" (1 font-lock-preprocessor-face) (2 font-lock-variable-name-face) (3 font-lock-variable-name-face))
    ("\\((S)\\)" 1 font-lock-type-face)
    ("\\_<\\(\\(?:ALU\\|FETCH\\):\\)" 1 font-lock-type-face)
    ("^[ \t]*\\(::?[A-Za-z_0-9][0-9A-Za-z_]*\\|[A-Za-z_][0-9A-Za-z_]*:\\)" (1 font-lock-function-name-face))
    ("\\(?:^\\|[^0-9A-Za-z_)]\\)\\(\\(?:r\\)?:[A-Za-z_0-9][0-9A-Za-z_]*\\)" 1 font-lock-function-name-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\([0-9]+[fb]\\_>\\)" 1 font-lock-function-name-face)
    ("\\(?:^\\|[^0-9A-Za-z_.)]\\)\\(\\(?:\\.endback\\|\\.endfunc\\|\\.float16\\|\\.float32\\|\\.float64\\|\\.foreach\\|\\.include\\|\\.assert\\|\\.define\\|\\.double\\|\\.elseif\\|\\.endfor\\|\\.endloc\\|\\.endrep\\|\\.global\\|\\.incbin\\|\\.lconst\\|\\.lunset\\|\\.rodata\\|\\.single\\|\\.string\\|\\.align\\|\\.ascii\\|\\.asciz\\|\\.clone\\|\\.const\\|\\.dword\\|\\.endif\\|\\.float\\|\\.globl\\|\\.hword\\|\\.ifset\\|\\.int16\\|\\.int32\\|\\.int64\\|\\.local\\|\\.macro\\|\\.qword\\|\\.scene\\|\\.short\\|\\.space\\|\\.undef\\|\\.unset\\|\\.back\\|\\.byte\\|\\.code\\|\\.data\\|\\.elif\\|\\.else\\|\\.endb\\|\\.endf\\|\\.endm\\|\\.endr\\|\\.fill\\|\\.func\\|\\.half\\|\\.int1\\|\\.int2\\|\\.int4\\|\\.int8\\|\\.long\\|\\.lset\\|\\.quad\\|\\.rept\\|\\.skip\\|\\.text\\|\\.word\\|\\.bit\\|\\.equ\\|\\.int\\|\\.org\\|\\.rep\\|\\.set\\|\\.if\\)\\_>\\)" 1 font-lock-preprocessor-face)
    ("\\(?:^\\|[^0-9A-Za-z_.)]\\)\\(\\(?:\\.clauses\\|\\.layout\\|\\.idle\\|\\.maxs\\)\\_>\\)" 1 font-lock-preprocessor-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\(?:COND_EXEC_PRED_CLEAN_END\\|COND_EXEC_PRED_CLEAN\\|COND_PRED_EXEC_END\\|MARK_VS_FETCH_DONE\\|COND_PRED_EXEC\\|COND_EXEC_END\\|LOOP_START\\|COND_CALL\\|COND_EXEC\\|COND_JMP\\|EXEC_END\\|LOOP_END\\|RETURN\\|ALLOC\\|EXEC\\|NOP\\|CF\\)\\_>\\)" 1 font-lock-keyword-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\(?:GET_BORDER_COLOR_FRAC\\|PRED_SETGTE_PUSHv\\|PRED_SET_RESTOREs\\|GET_COMP_TEX_LOD\\|PRED_SETGT_PUSHv\\|PRED_SETNE_PUSHv\\|PRED_SETE_PUSHv\\|SET_GRADIENTS_H\\|SET_GRADIENTS_V\\|GET_GRADIENTS\\|PRED_SET_CLRs\\|PRED_SET_INVs\\|PRED_SET_POPs\\|RECIPSQ_CLAMP\\|PRED_SETGTEs\\|RECIPSQ_IEEE\\|ADD_CONST_0\\|ADD_CONST_1\\|GET_WEIGHTS\\|MOVA_FLOORs\\|MUL_CONST_0\\|MUL_CONST_1\\|PRED_SETGTs\\|PRED_SETNEs\\|RECIP_CLAMP\\|RETAIN_PREV\\|SET_TEX_LOD\\|SUB_CONST_0\\|SUB_CONST_1\\|MUL_PREV2s\\|PRED_SETEs\\|RECIPSQ_FF\\|RECIP_IEEE\\|ADD_CONST\\|ADD_PREVs\\|LOG_CLAMP\\|MUL_CONST\\|MUL_PREVs\\|SQRT_IEEE\\|SUB_CONST\\|SUB_PREVs\\|DOT2ADDv\\|EXP_IEEE\\|KILLGTEs\\|KILLGTEv\\|KILLONEs\\|LOG_IEEE\\|RECIP_FF\\|CNDGTEv\\|KILLGTs\\|KILLGTv\\|KILLNEs\\|KILLNEv\\|MULADDv\\|SETGTEs\\|SETGTEv\\|CNDGTv\\|FLOORs\\|FLOORv\\|KILLEs\\|KILLEv\\|SAMPLE\\|SETGTs\\|SETGTv\\|SETNEs\\|SETNEv\\|TRUNCs\\|TRUNCv\\|VERTEX\\|CNDEv\\|CUBEv\\|DOT3v\\|DOT4v\\|FRACs\\|FRACv\\|MAX4v\\|MOVAs\\|MOVAv\\|PSETE\\|SETEs\\|SETEv\\|ADDs\\|ADDv\\|DSTv\\|EXP2\\|LOG2\\|MAXs\\|MAXv\\|MINs\\|MINv\\|MULs\\|MULv\\|SQRT\\|SUBs\\|ADD\\|COS\\|MOV\\|MUL\\|RCP\\|RSQ\\|SIN\\|OP\\)\\(?:EQ\\|NE\\)?\\_>\\)" 1 font-lock-keyword-face)
    ("\\_<\\(FMT_\\(?:ATI_TC_555_565_RGBA_INTERP\\|10_10_10_2_AS_16_16_16_16\\|2_10_10_10_AS_16_16_16_16\\|10_11_11_AS_16_16_16_16\\|11_11_10_AS_16_16_16_16\\|2_10_10_10_FLOAT_EDRAM\\|8_8_8_8_AS_16_16_16_16\\|16_16_MPEG_INTERLACED\\|DXT2_3_AS_16_16_16_16\\|DXT4_5_AS_16_16_16_16\\|32_AS_8_8_INTERLACED\\|8_8_8_8_GAMMA_EDRAM\\|ATI_TC_555_565_RGBA\\|DXT1_AS_16_16_16_16\\|16_16_16_16_EXPAND\\|16_MPEG_INTERLACED\\|32_AS_8_INTERLACED\\|ATI_TC_555_565_RGB\\|ATI_TC_RGBA_INTERP\\|16_16_16_16_EDRAM\\|16_16_16_16_FLOAT\\|32_32_32_32_FLOAT\\|DXT3A_AS_1_1_1_1\\|ETC1_RGBA_INTERP\\|Cr_Y1_Cb_Y0_REP\\|Y1_Cr_Y0_Cb_REP\\|32_32_32_FLOAT\\|16_INTERLACED\\|16_16_EXPAND\\|8_INTERLACED\\|16_16_16_16\\|16_16_EDRAM\\|16_16_FLOAT\\|32_32_32_32\\|32_32_FLOAT\\|ATI_TC_RGBA\\|Cr_Y1_Cb_Y0\\|Y1_Cr_Y0_Cb\\|10_10_10_2\\|16_16_MPEG\\|24_8_FLOAT\\|2_10_10_10\\|ATI_TC_RGB\\|16_EXPAND\\|1_REVERSE\\|32_AS_8_8\\|8_8_8_8_A\\|ETC1_RGBA\\|10_11_11\\|11_11_10\\|16_FLOAT\\|32_FLOAT\\|ETC1_RGB\\|16_MPEG\\|1_5_5_5\\|32_AS_8\\|4_4_4_4\\|5_5_5_1\\|8_8_8_8\\|DXT2_3\\|DXT4_5\\|16_16\\|2_3_3\\|32_32\\|5_6_5\\|6_5_5\\|8_8_8\\|DXT3A\\|DXT5A\\|24_8\\|CTX1\\|DXT1\\|8_8\\|8_A\\|8_B\\|DXN\\|16\\|32\\|1\\|8\\)\\_>\\)" 1 font-lock-type-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\(?:PARAM/PIXEL\\|\\(?:USE_REG_GRADIENTS\\|ABSOLUTE_ADDR\\|ABS_CONSTANTS\\|MUST_BE_ONE\\|ALLOC_MODE\\|EXP_ADJUST\\|FORCE_CALL\\|NORMALIZED\\|PRED_BREAK\\|VALID_ONLY\\|ARBITRARY\\|BOOL_ADDR\\|NO_SERIAL\\|LOCATION\\|LOD_BIAS\\|POSITION\\|PREFETCH\\|UNSIGNED\\|LOOP_ID\\|NO_ZERO\\|REG_LOD\\|VOL_MAG\\|VOL_MIN\\|DENORM\\|MEMORY\\|OFFSET\\|REPEAT\\|SIGNED\\|STRIDE\\|ANISO\\|CLAMP\\|CONST\\|COORD\\|ROUND\\|YIELD\\|ADDR\\|COND\\|MINI\\|NONE\\|PRED\\|SIZE\\|TYPE\\|CNT\\|DIM\\|DIR\\|LOD\\|MAG\\|MIN\\|MIP\\|SEQ\\|VC\\)\\)\\_>\\)" 1 font-lock-variable-name-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\(?:R\\|C\\|export\\)\\(?:[0-9]+\\_>\\|\\[\\|(\\)\\)" 1 font-lock-variable-name-face)
    ("[[]\\(a[0L]\\_>\\)" 1 font-lock-variable-name-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(0[xX][0-9A-Fa-f]+\\_>\\)" 1 font-lock-constant-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(0[bB][01]+\\_>\\)" 1 font-lock-constant-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\(\\(?:[0-9]+\\.[0-9]*\\(?:[eE][+-]?[0-9]+\\)?\\|\\.[0-9]+\\(?:[eE][+-]?[0-9]+\\)?\\|[0-9]+[eE][+-]?[0-9]+\\)\\)" 1 font-lock-constant-face)
    ("\\(?:^\\|[^0-9A-Za-z_.]\\)\\([0-9]+\\_>\\)" 1 font-lock-constant-face)
    ("\\>\\(\\.[xyzw01_]\\{1,4\\}\\_>\\)" 1 font-lock-type-face))
  "What A2xx (Adreno A2xx, Xenos) assembly looks like.")

(defvar tessera-a2xx-mode-syntax-table
  (let ((table (tessera--syntax-table)))
    (modify-syntax-entry ?\; "< b" table)
    table)
  "Comments and strings of A2xx (Adreno A2xx, Xenos) assembly.")

;;;###autoload
(define-derived-mode tessera-a2xx-mode prog-mode "A2XX"
  "Major mode for A2xx (Adreno A2xx, Xenos) assembly."
  (tessera--setup "; " tessera-a2xx-font-lock-keywords))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.a2xx\\'" . tessera-a2xx-mode))

(provide 'tessera)
;;; tessera.el ends here
