" Vim syntax file: GP (Mali Utgard) assembly. Made by scripts/make-tables from editor/vscode/syntaxes/gp.tmLanguage.json.
if exists("b:current_syntax")
  finish
endif
syn case match
syn match tesseraGpKeywordOperator /\v\C\*\*|\<\<\<|\>\>\>|\<\<|\>\>|\<\=|\>\=|\=\=|!\=|\&\&|\|\||\^\^|[-+*/%<>&|^~!?:=]/
syn match tesseraGpPunctuationSeparatorInstruction /\v\C;/
syn match tesseraGpConstantNumericInteger /\v\C%([0-9A-Za-z_.])@1<![0-9]+%(<|>)/
syn match tesseraGpConstantNumericFloat /\v\C%([0-9A-Za-z_.])@1<!%([0-9]+\.[0-9]*%([eE][+-]?[0-9]+)?|\.[0-9]+%([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)/
syn match tesseraGpConstantNumericBinary /\v\C%([0-9A-Za-z_.])@1<!0[bB][01]+%(<|>)/
syn match tesseraGpConstantNumericHex /\v\C%([0-9A-Za-z_.])@1<!0[xX][0-9A-Fa-f]+%(<|>)/
syn match tesseraGpVariableLanguageRegister /\v\C%([0-9A-Za-z_.:])@1<!%(%(complex|acc0|acc1|attr|mul0|mul1|pass|reg0|reg1|temp|unif)%(\[-[12]\])?%(\.[xyzw])?|ident|unused|src|_|addr[123])%([0-9A-Za-z_.])@!/
syn match tesseraGpVariableParameterField /\v\C%([0-9A-Za-z_.:])@1<!field\.%(register0_attribute|branch_target_lo|store0_temporary|store1_temporary|register0_addr|register1_addr|store0_varying|store1_varying|acc0_src0_neg|acc0_src1_neg|acc1_src0_neg|acc1_src1_neg|branch_target|store0_src_x|store0_src_y|store1_src_w|store1_src_z|complex_src|load_offset|store0_addr|store1_addr|complex_op|acc0_src0|acc0_src1|acc1_src0|acc1_src1|load_addr|mul0_src0|mul0_src1|mul1_src0|mul1_src1|unknown_1|mul0_neg|mul1_neg|pass_src|pass_op|acc_op|branch|mul_op)%(<|>)/
syn match tesseraGpKeywordControlDirective /\v\C%([0-9A-Za-z_.)])@1<!%(\.endback|\.endfunc|\.float16|\.float32|\.float64|\.foreach|\.include|\.assert|\.define|\.double|\.elseif|\.endfor|\.endloc|\.endrep|\.global|\.incbin|\.lconst|\.lunset|\.rodata|\.single|\.string|\.align|\.ascii|\.asciz|\.clone|\.const|\.dword|\.endif|\.float|\.globl|\.hword|\.ifset|\.int16|\.int32|\.int64|\.local|\.macro|\.qword|\.scene|\.short|\.space|\.undef|\.unset|\.back|\.byte|\.code|\.data|\.elif|\.else|\.endb|\.endf|\.endm|\.endr|\.fill|\.func|\.half|\.int1|\.int2|\.int4|\.int8|\.long|\.lset|\.quad|\.rept|\.skip|\.text|\.word|\.bit|\.equ|\.int|\.org|\.rep|\.set|\.if)%(<|>)/
syn match tesseraGpVariableOtherLabel /\v\C%([0-9A-Za-z_.])@1<![0-9]+[fb]%(<|>)/
syn match tesseraGpVariableOtherLabel /\v\C%([0-9A-Za-z_)])@1<!%(r)?:[A-Za-z_0-9]\w*/
syn match tesseraGpEntityNameLabel /\v\C%(%(^\s*))@<=%(::?[A-Za-z_0-9]\w*|[A-Za-z_]\w*:)%(%(%(:)@!))@=/
syn match tesseraGpSupportFunctionOpcode /\v\C%([0-9A-Za-z_.:])@1<!%(complex\.addr01|store0\.varying|store1\.varying|complex\.addr0|complex\.addr1|complex\.addr2|complex\.addr3|complex\.rsqrt|mul0\.complex1|mul0\.complex2|pass\.postlog2|complex\.exp2|complex\.log2|complex\.none|pass\.preexp2|complex\.mov|complex\.rcp|mul0\.select|store0\.temp|store1\.temp|acc0\.floor|acc1\.floor|pass\.clamp|store0\.reg|store1\.reg|acc0\.sign|acc1\.sign|load\.attr|load\.reg0|load\.reg1|load\.temp|load\.unif|acc0\.add|acc0\.max|acc0\.min|acc0\.mov|acc1\.add|acc1\.max|acc1\.min|acc1\.mov|mul0\.mov|mul0\.mul|mul1\.mov|mul1\.mul|pass\.mov|acc0\.ge|acc0\.lt|acc1\.ge|acc1\.lt|branch|nop)%(<|>)%(\s*:)@!/
syn match tesseraGpKeywordControlDirective /\v\C%(%(%([0-9A-Za-z_.])@1<!))@<=%(\.%(attribute|temporary|constant|uniform|varying))%(%(\s+)%([A-Za-z_]\w*))@=/
syn match tesseraGpVariableOtherConstant /\v\C%(%(%([0-9A-Za-z_.])@1<!)%(\.%(attribute|temporary|constant|uniform|varying))%(\s+))@<=%([A-Za-z_]\w*)/
syn match tesseraGpKeywordControlDirective /\v\C%(%(%([0-9A-Za-z_.])@1<!))@<=%(\.%(set|lset|const|lconst|equ|define|unset|undef|lunset|global|globl))%(%(\s+)%([A-Za-z_]\w*))@=/
syn match tesseraGpVariableOtherConstant /\v\C%(%(%([0-9A-Za-z_.])@1<!)%(\.%(set|lset|const|lconst|equ|define|unset|undef|lunset|global|globl))%(\s+))@<=%([A-Za-z_]\w*)/
syn match tesseraGpKeywordControlDirective /\v\C%(%(%([0-9A-Za-z_.])@1<!))@<=%(\.%(macro|func|rep|foreach))%(%(\s+)%([A-Za-z_]\w*))@=/
syn match tesseraGpEntityNameFunction /\v\C%(%(%([0-9A-Za-z_.])@1<!)%(\.%(macro|func|rep|foreach))%(\s+))@<=%([A-Za-z_]\w*)/
syn match tesseraGpKeywordControlDirective /\v\C%(\.include)%(%(\s+)%(\<[^>]*\>))@=/
syn match tesseraGpStringQuotedOther /\v\C%(%(\.include)%(\s+))@<=%(\<[^>]*\>)/
syn match tesseraGpStringQuotedSingle /\v\C'%(\\x[0-9A-Fa-f]{1,2}|\\.|[^'\\])'/
syn match tesseraGpConstantCharacterEscape /\v\C\\%(x[0-9A-Fa-f]{1,2}|.)/ contained
syn region tesseraGpStringQuotedDouble start=/\v"/ end=/\v"/ end=/$/ oneline contains=tesseraGpConstantCharacterEscape
syn match tesseraGpCommentLineDoubleSlash /\v\C\/\/.*$/
syn match tesseraGpCommentLineNumberSign /\v\C#.*$/
syn region tesseraGpCommentBlock start=/\v\/\*/ end=/\v\*\// keepend
hi def link tesseraGpCommentBlock Comment
hi def link tesseraGpCommentLineDoubleSlash Comment
hi def link tesseraGpCommentLineNumberSign Comment
hi def link tesseraGpConstantCharacterEscape SpecialChar
hi def link tesseraGpConstantNumericBinary Number
hi def link tesseraGpConstantNumericFloat Number
hi def link tesseraGpConstantNumericHex Number
hi def link tesseraGpConstantNumericInteger Number
hi def link tesseraGpEntityNameFunction Function
hi def link tesseraGpEntityNameLabel Label
hi def link tesseraGpKeywordControlDirective PreProc
hi def link tesseraGpKeywordOperator Operator
hi def link tesseraGpPunctuationSeparatorInstruction Delimiter
hi def link tesseraGpStringQuotedDouble String
hi def link tesseraGpStringQuotedOther String
hi def link tesseraGpStringQuotedSingle String
hi def link tesseraGpSupportFunctionOpcode Statement
hi def link tesseraGpVariableLanguageRegister Identifier
hi def link tesseraGpVariableOtherConstant Identifier
hi def link tesseraGpVariableOtherLabel Label
hi def link tesseraGpVariableParameterField Identifier
syn sync minlines=50
let b:current_syntax = "tesseragp"
