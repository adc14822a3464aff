" Vim syntax file: A2xx (Adreno A2xx, Xenos) assembly. Made by scripts/make-tables from editor/vscode/syntaxes/a2xx.tmLanguage.json.
if exists("b:current_syntax")
  finish
endif
syn case match
syn match tesseraA2xxKeywordOperator /\v\C\*\*|\<\<\<|\>\>\>|\<\<|\>\>|\<\=|\>\=|\=\=|!\=|\&\&|\|\||\^\^|[-+*/%<>&|^~!?:=]/
syn match tesseraA2xxPunctuationSeparatorInstruction /\v\C;/
syn match tesseraA2xxConstantNumericInteger /\v\C%([0-9A-Za-z_.])@1<![0-9]+%(<|>)/
syn match tesseraA2xxConstantNumericFloat /\v\C%([0-9A-Za-z_.])@1<!%([0-9]+\.[0-9]*%([eE][+-]?[0-9]+)?|\.[0-9]+%([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)/
syn match tesseraA2xxConstantNumericBinary /\v\C%([0-9A-Za-z_.])@1<!0[bB][01]+%(<|>)/
syn match tesseraA2xxConstantNumericHex /\v\C%([0-9A-Za-z_.])@1<!0[xX][0-9A-Fa-f]+%(<|>)/
syn match tesseraA2xxStorageModifier /\v\C%([0-9A-Za-z_)\]])@1<=\.[xyzw01_]{1,4}%(<|>)/
syn match tesseraA2xxVariableLanguageRegister /\v\C%([0-9A-Za-z_.])@1<!%(R|C|export)%([0-9]+%(<|>)|%(\[)@=|%(\()@=)|%(\[)@1<=a[0L]%(<|>)/
syn match tesseraA2xxVariableParameterField /\v\C%([0-9A-Za-z_.])@1<!%(PARAM\/PIXEL|%(USE_REG_GRADIENTS|ABSOLUTE_ADDR|ABS_CONSTANTS|MUST_BE_ONE|ALLOC_MODE|EXP_ADJUST|FORCE_CALL|NORMALIZED|PRED_BREAK|VALID_ONLY|ARBITRARY|BOOL_ADDR|NO_SERIAL|LOCATION|LOD_BIAS|POSITION|PREFETCH|UNSIGNED|LOOP_ID|NO_ZERO|REG_LOD|VOL_MAG|VOL_MIN|DENORM|MEMORY|OFFSET|REPEAT|SIGNED|STRIDE|ANISO|CLAMP|CONST|COORD|ROUND|YIELD|ADDR|COND|MINI|NONE|PRED|SIZE|TYPE|CNT|DIM|DIR|LOD|MAG|MIN|MIP|SEQ|VC))%(<|>)/
syn match tesseraA2xxSupportType /\v\C%(<|>)FMT_%(ATI_TC_555_565_RGBA_INTERP|10_10_10_2_AS_16_16_16_16|2_10_10_10_AS_16_16_16_16|10_11_11_AS_16_16_16_16|11_11_10_AS_16_16_16_16|2_10_10_10_FLOAT_EDRAM|8_8_8_8_AS_16_16_16_16|16_16_MPEG_INTERLACED|DXT2_3_AS_16_16_16_16|DXT4_5_AS_16_16_16_16|32_AS_8_8_INTERLACED|8_8_8_8_GAMMA_EDRAM|ATI_TC_555_565_RGBA|DXT1_AS_16_16_16_16|16_16_16_16_EXPAND|16_MPEG_INTERLACED|32_AS_8_INTERLACED|ATI_TC_555_565_RGB|ATI_TC_RGBA_INTERP|16_16_16_16_EDRAM|16_16_16_16_FLOAT|32_32_32_32_FLOAT|DXT3A_AS_1_1_1_1|ETC1_RGBA_INTERP|Cr_Y1_Cb_Y0_REP|Y1_Cr_Y0_Cb_REP|32_32_32_FLOAT|16_INTERLACED|16_16_EXPAND|8_INTERLACED|16_16_16_16|16_16_EDRAM|16_16_FLOAT|32_32_32_32|32_32_FLOAT|ATI_TC_RGBA|Cr_Y1_Cb_Y0|Y1_Cr_Y0_Cb|10_10_10_2|16_16_MPEG|24_8_FLOAT|2_10_10_10|ATI_TC_RGB|16_EXPAND|1_REVERSE|32_AS_8_8|8_8_8_8_A|ETC1_RGBA|10_11_11|11_11_10|16_FLOAT|32_FLOAT|ETC1_RGB|16_MPEG|1_5_5_5|32_AS_8|4_4_4_4|5_5_5_1|8_8_8_8|DXT2_3|DXT4_5|16_16|2_3_3|32_32|5_6_5|6_5_5|8_8_8|DXT3A|DXT5A|24_8|CTX1|DXT1|8_8|8_A|8_B|DXN|16|32|1|8)%(<|>)/
syn match tesseraA2xxSupportFunctionOpcode /\v\C%([0-9A-Za-z_.])@1<!%(GET_BORDER_COLOR_FRAC|PRED_SETGTE_PUSHv|PRED_SET_RESTOREs|GET_COMP_TEX_LOD|PRED_SETGT_PUSHv|PRED_SETNE_PUSHv|PRED_SETE_PUSHv|SET_GRADIENTS_H|SET_GRADIENTS_V|GET_GRADIENTS|PRED_SET_CLRs|PRED_SET_INVs|PRED_SET_POPs|RECIPSQ_CLAMP|PRED_SETGTEs|RECIPSQ_IEEE|ADD_CONST_0|ADD_CONST_1|GET_WEIGHTS|MOVA_FLOORs|MUL_CONST_0|MUL_CONST_1|PRED_SETGTs|PRED_SETNEs|RECIP_CLAMP|RETAIN_PREV|SET_TEX_LOD|SUB_CONST_0|SUB_CONST_1|MUL_PREV2s|PRED_SETEs|RECIPSQ_FF|RECIP_IEEE|ADD_CONST|ADD_PREVs|LOG_CLAMP|MUL_CONST|MUL_PREVs|SQRT_IEEE|SUB_CONST|SUB_PREVs|DOT2ADDv|EXP_IEEE|KILLGTEs|KILLGTEv|KILLONEs|LOG_IEEE|RECIP_FF|CNDGTEv|KILLGTs|KILLGTv|KILLNEs|KILLNEv|MULADDv|SETGTEs|SETGTEv|CNDGTv|FLOORs|FLOORv|KILLEs|KILLEv|SAMPLE|SETGTs|SETGTv|SETNEs|SETNEv|TRUNCs|TRUNCv|VERTEX|CNDEv|CUBEv|DOT3v|DOT4v|FRACs|FRACv|MAX4v|MOVAs|MOVAv|PSETE|SETEs|SETEv|ADDs|ADDv|DSTv|EXP2|LOG2|MAXs|MAXv|MINs|MINv|MULs|MULv|SQRT|SUBs|ADD|COS|MOV|MUL|RCP|RSQ|SIN|OP)%(EQ|NE)?%(<|>)%(\s*:)@!/
syn match tesseraA2xxKeywordControlFlow /\v\C%([0-9A-Za-z_.])@1<!%(COND_EXEC_PRED_CLEAN_END|COND_EXEC_PRED_CLEAN|COND_PRED_EXEC_END|MARK_VS_FETCH_DONE|COND_PRED_EXEC|COND_EXEC_END|LOOP_START|COND_CALL|COND_EXEC|COND_JMP|EXEC_END|LOOP_END|RETURN|ALLOC|EXEC|NOP|CF)%(<|>)%(\s*:)@!/
syn match tesseraA2xxKeywordControlDirective /\v\C%([0-9A-Za-z_.)])@1<!%(\.clauses|\.layout|\.idle|\.maxs)%(<|>)/
syn match tesseraA2xxKeywordControlDirective /\v\C%([0-9A-Za-z_.)])@1<!%(\.endback|\.endfunc|\.float16|\.float32|\.float64|\.foreach|\.include|\.assert|\.define|\.double|\.elseif|\.endfor|\.endloc|\.endrep|\.global|\.incbin|\.lconst|\.lunset|\.rodata|\.single|\.string|\.align|\.ascii|\.asciz|\.clone|\.const|\.dword|\.endif|\.float|\.globl|\.hword|\.ifset|\.int16|\.int32|\.int64|\.local|\.macro|\.qword|\.scene|\.short|\.space|\.undef|\.unset|\.back|\.byte|\.code|\.data|\.elif|\.else|\.endb|\.endf|\.endm|\.endr|\.fill|\.func|\.half|\.int1|\.int2|\.int4|\.int8|\.long|\.lset|\.quad|\.rept|\.skip|\.text|\.word|\.bit|\.equ|\.int|\.org|\.rep|\.set|\.if)%(<|>)/
syn match tesseraA2xxVariableOtherLabel /\v\C%([0-9A-Za-z_.])@1<![0-9]+[fb]%(<|>)/
syn match tesseraA2xxVariableOtherLabel /\v\C%([0-9A-Za-z_)])@1<!%(r)?:[A-Za-z_0-9]\w*/
syn match tesseraA2xxEntityNameLabel /\v\C%(%(^\s*))@<=%(::?[A-Za-z_0-9]\w*|[A-Za-z_]\w*:)%(%(%(:)@!))@=/
syn match tesseraA2xxStorageType /\v\C\(S\)|%(<|>)%(ALU|FETCH):/
syn match tesseraA2xxKeywordControlDirective /\v\C%(\@%(attribute|sampler|uniform|varying|const|bool|loop|C|R))%(%(\s*)%(\([^)]*\))%(\s*)%([A-Za-z_]\w*|))@=/
syn match tesseraA2xxVariableLanguageRegister /\v\C%(%(\@%(attribute|sampler|uniform|varying|const|bool|loop|C|R))%(\s*))@<=%(\([^)]*\))%(%(\s*)%([A-Za-z_]\w*|))@=/
syn match tesseraA2xxVariableOtherConstant /\v\C%(%(\@%(attribute|sampler|uniform|varying|const|bool|loop|C|R))%(\s*)%(\([^)]*\))%(\s*))@<=%([A-Za-z_]\w*)/
syn match tesseraA2xxKeywordControlDirective /\v\C%(%(%([0-9A-Za-z_.])@1<!))@<=%(\.%(set|lset|const|lconst|equ|define|unset|undef|lunset|global|globl))%(%(\s+)%([A-Za-z_]\w*))@=/
syn match tesseraA2xxVariableOtherConstant /\v\C%(%(%([0-9A-Za-z_.])@1<!)%(\.%(set|lset|const|lconst|equ|define|unset|undef|lunset|global|globl))%(\s+))@<=%([A-Za-z_]\w*)/
syn match tesseraA2xxKeywordControlDirective /\v\C%(%(%([0-9A-Za-z_.])@1<!))@<=%(\.%(macro|func|rep|foreach))%(%(\s+)%([A-Za-z_]\w*))@=/
syn match tesseraA2xxEntityNameFunction /\v\C%(%(%([0-9A-Za-z_.])@1<!)%(\.%(macro|func|rep|foreach))%(\s+))@<=%([A-Za-z_]\w*)/
syn match tesseraA2xxKeywordControlDirective /\v\C%(\.include)%(%(\s+)%(\<[^>]*\>))@=/
syn match tesseraA2xxStringQuotedOther /\v\C%(%(\.include)%(\s+))@<=%(\<[^>]*\>)/
syn match tesseraA2xxStringQuotedSingle /\v\C'%(\\x[0-9A-Fa-f]{1,2}|\\.|[^'\\])'/
syn match tesseraA2xxConstantCharacterEscape /\v\C\\%(x[0-9A-Fa-f]{1,2}|.)/ contained
syn region tesseraA2xxStringQuotedDouble start=/\v"/ end=/\v"/ end=/$/ oneline contains=tesseraA2xxConstantCharacterEscape
syn match tesseraA2xxCommentLineSemicolon /\v\C;.*$/
syn match tesseraA2xxCommentLineDoubleSlash /\v\C\/\/.*$/
syn match tesseraA2xxCommentLineNumberSign /\v\C#.*$/
syn region tesseraA2xxCommentBlock start=/\v\/\*/ end=/\v\*\// keepend
hi def link tesseraA2xxCommentBlock Comment
hi def link tesseraA2xxCommentLineDoubleSlash Comment
hi def link tesseraA2xxCommentLineNumberSign Comment
hi def link tesseraA2xxCommentLineSemicolon Comment
hi def link tesseraA2xxConstantCharacterEscape SpecialChar
hi def link tesseraA2xxConstantNumericBinary Number
hi def link tesseraA2xxConstantNumericFloat Number
hi def link tesseraA2xxConstantNumericHex Number
hi def link tesseraA2xxConstantNumericInteger Number
hi def link tesseraA2xxEntityNameFunction Function
hi def link tesseraA2xxEntityNameLabel Label
hi def link tesseraA2xxKeywordControlDirective PreProc
hi def link tesseraA2xxKeywordControlFlow Conditional
hi def link tesseraA2xxKeywordOperator Operator
hi def link tesseraA2xxPunctuationSeparatorInstruction Delimiter
hi def link tesseraA2xxStorageModifier StorageClass
hi def link tesseraA2xxStorageType Type
hi def link tesseraA2xxStringQuotedDouble String
hi def link tesseraA2xxStringQuotedOther String
hi def link tesseraA2xxStringQuotedSingle String
hi def link tesseraA2xxSupportFunctionOpcode Statement
hi def link tesseraA2xxSupportType Type
hi def link tesseraA2xxVariableLanguageRegister Identifier
hi def link tesseraA2xxVariableOtherConstant Identifier
hi def link tesseraA2xxVariableOtherLabel Label
hi def link tesseraA2xxVariableParameterField Identifier
syn sync minlines=50
let b:current_syntax = "tesseraa2xx"
