/* SPDX-License-Identifier: MIT */
/* isa.h - assembles, disassembles, explains and checks code of all supported instruction sets. */
#ifndef TESSERA_ISA_H
#define TESSERA_ISA_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Variants of TESS_MACHINE_A2XX, which differ in units, formats and a few fields. */
enum tess_a2xx_variant {
    TESS_A2XX_ADRENO,
    TESS_A2XX_XENOS,
};

/* Kind of a slot of an A2xx program. The words of a slot do not contain the kind. */
enum tess_a2xx_slot {
    TESS_A2XX_SLOT_CONTROL, /* two control-flow instructions */
    TESS_A2XX_SLOT_ALU,
    TESS_A2XX_SLOT_FETCH,
};

/* Finds a variant by its name, "adreno" or "xenos". variant may be NULL. Returns false for an
 * unknown name. */
TESS_API bool tess_a2xx_variant_find(const char *name, enum tess_a2xx_variant *variant);

/* Returns the name of a machine, such as "qpu", or NULL past the last. The string is static. */
TESS_API const char *tess_machine_name(enum tess_machine machine);

/* Finds a machine by its command-line name, for example "qpu". Returns false for an unknown name.
 */
TESS_API bool tess_machine_find(const char *name, enum tess_machine *machine);

/* The kind of a file. Strings are static. */
struct tess_file_kind {
    /* If no function of this header can read the file: what the file is, such as "a PNG picture",
     * and advice for the user. NULL otherwise. */
    const char *foreign, *advice;
    enum tess_setting setting;      /* setting that the advice asks to change */
    bool has_machine;               /* true if the content or the file name identifies the
                                     * machine */
    enum tess_machine machine;      /* TESS_MACHINE_QPU if .has_machine is false */
    enum tess_a2xx_variant variant; /* TESS_A2XX_XENOS if the content identifies it */
    bool text;                      /* true if the file is text: a source, or words as text */
    bool scene;                     /* true if the file is an ELF file with steps (scene.h) */
};

/* Recognises the kind of a file by its bytes, or by the extension of its name where the bytes are
 * not conclusive. name may be NULL. */
TESS_API void tess_file_recognise(const void *bytes, size_t size, const char *name,
                                  struct tess_file_kind *kind);

enum tess_asm_format {
    TESS_ASM_BIN,           /* the bytes; gaps between .org regions are filled with zeros */
    TESS_ASM_HEX,           /* elements of a uint32_t array; a line "0xLOW, 0xHIGH," for each
                             * instruction */
    TESS_ASM_C,             /* like TESS_ASM_HEX, but in braces, as the initialiser of an array */
    TESS_ASM_ELF,           /* ELF file that is a scene (scene.h) */
    TESS_ASM_C_FILE,        /* C file that defines the array */
    TESS_ASM_HEADER,        /* header for TESS_ASM_C_FILE, with the values of the global symbols */
    TESS_ASM_HEADER_EXTERN, /* header for TESS_ASM_OBJECT; the linker resolves the values of the
                             * symbols */
    TESS_ASM_OBJECT,        /* ELF relocatable object for ARM linkers */
};

/* A constant. value is an expression, for example "1". */
struct tess_asm_define {
    const char *name, *value;
};

/* Options of the assembler. Must be zero-initialised; members that are 0 have defaults. The caller
 * owns all memory, which is used only during the call. */
struct tess_asm_options {
    enum tess_machine machine;
    enum tess_a2xx_variant variant; /* for TESS_MACHINE_A2XX */
    enum tess_asm_format format;
    const char *const *include_dirs; /* search path of ".include", after the file's own directory */
    size_t include_dir_count;
    const char *const *pre_includes; /* files that are included before the first line, as if by
                                      * ".include <FILE>" */
    size_t pre_include_count;
    const struct tess_asm_define *defines; /* constants that are defined before the first line */
    size_t define_count;
    bool comments;   /* true to add comments with offsets, labels and source lines to TESS_ASM_HEX
                      * and TESS_ASM_C_FILE */
    bool skip_check; /* true to disable the warnings of the checker, see tess_check() */
    bool no_symbols; /* for TESS_ASM_OBJECT and TESS_ASM_HEADER_EXTERN: true to include only symbols
                      * that ".global" names */
    uint32_t max_errors; /* number of errors after which assembling stops; 0 for 100 */
};

/* One output of tess_assemble_outputs(). */
struct tess_asm_output {
    enum tess_asm_format format;
    /* Name of the output file. Names of C arrays and symbols are derived from it. If NULL, the name
     * of the first source is used. */
    const char *name;
    uint8_t *bytes; /* the result; the caller frees it with tess_free() */
    size_t size;    /* in bytes */
};

/* Assembles source files ("-" is standard input) into *out. *out_size is its size in bytes. The
 * caller frees *out with tess_free(). On failure, *out is NULL. Returns TESS_INVALID (a NULL
 * pointer, an invalid machine or format; *out is not changed), TESS_IO, TESS_WRONG (mistakes,
 * reported to sink) or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_assemble(const char *const *paths, size_t path_count,
                                        const struct tess_asm_options *options,
                                        struct tess_sink sink, uint8_t **out, size_t *out_size);

/* Assembles size bytes of text in memory like tess_assemble(). name is used in place of a file name
 * in diagnostics. */
TESS_API enum tess_status tess_assemble_text(const char *text, size_t size, const char *name,
                                             const struct tess_asm_options *options,
                                             struct tess_sink sink, uint8_t **out,
                                             size_t *out_size);

/* Input formats of the disassembler. */
enum tess_dis_input {
    TESS_DIS_AUTO,    /* detected from the content */
    TESS_DIS_RAW,     /* little-endian words */
    TESS_DIS_HEX,     /* hexadecimal words or a dump, as text */
    TESS_DIS_C,       /* C arrays */
    TESS_DIS_ELF,     /* scene, or relocatable object */
    TESS_DIS_MBS,     /* output of ARM's offline compiler; GP only */
    TESS_DIS_LISTING, /* listing of Mesa's or freedreno's tools, with the words at the start of each
                       * line; A2xx only */
    TESS_DIS_XENOS,   /* shader container of Microsoft's compiler for the Xenos; A2xx only */
};

enum tess_dis_output {
    TESS_DIS_TEXT,    /* source that assembles to the same bytes */
    TESS_DIS_NEAREST, /* mnemonics for every instruction, even if the assembler would generate other
                       * bits from the mnemonics */
    TESS_DIS_EXPLAIN, /* source with every field's meaning and a comment; cannot be assembled */
    TESS_DIS_JSON,    /* one document; the schema is in docs/dis.md */
    TESS_DIS_MESA,    /* listing in the style of Mesa's printers; not for the QPU */
};

/* Known contents of the bytes from start up to, but not including, end. */
struct tess_dis_range {
    uint32_t start, end;
    bool data; /* true for data; false for instructions */
};

/* Options of the disassembler. Must be zero-initialised; members that are 0 have defaults. */
struct tess_dis_options {
    enum tess_machine machine;
    enum tess_a2xx_variant variant; /* for TESS_MACHINE_A2XX */
    enum tess_dis_input input;
    enum tess_dis_output output;
    const char *name;                    /* file name for diagnostics */
    uint32_t base;                       /* address of the first byte, for input without
                                            addresses */
    const struct tess_dis_range *ranges; /* ranges that take precedence over the file's information;
                                          * later ranges take precedence over earlier ranges */
    size_t range_count;
    bool lines; /* true to add comments with the source lines that the file records */
};

/* Disassembles a file's bytes into *text, NUL-terminated. *text_size is its length without the NUL.
 * The caller frees *text with tess_free(). On failure, *text is NULL. Returns TESS_INVALID (a NULL
 * pointer, an invalid option, or an output that the machine does not have; *text is not changed),
 * TESS_BAD_INPUT (the reasons are reported to sink) or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_disassemble(const void *data, size_t size,
                                           const struct tess_dis_options *options,
                                           struct tess_sink sink, char **text, size_t *text_size);

/* --- checking --- */

/* The purpose of a program, which determines the units that the program may use. */
enum tess_shader_kind {
    TESS_SHADER_UNKNOWN, /* deduced from the instructions where possible */
    TESS_SHADER_FRAGMENT,
    TESS_SHADER_VERTEX,
    TESS_SHADER_COORDINATE,
    TESS_SHADER_USER, /* general-purpose program */
};

/* Finds a kind by its name, for example "fragment". Returns false for an unknown name. */
TESS_API bool tess_shader_kind_find(const char *name, enum tess_shader_kind *kind);

/* Returns the name of a kind, "unknown" for an invalid value. The string is static. */
TESS_API const char *tess_shader_kind_name(enum tess_shader_kind kind);

/* An erratum of the hardware. Strings are static. docs/vc4/errata.md lists all errata. */
struct tess_erratum {
    const char *id;      /* "HW-2116" */
    const char *block;   /* block of the hardware */
    const char *silicon; /* "all", or "A0": the first silicon only, which is in no Raspberry Pi */
    const char *what, *model; /* effect of the erratum on the hardware; behaviour of the model */
    const char *findings;     /* ids of the run-time findings that report the erratum, separated by
                               * blanks */
    const char *rules;        /* ids of the checker rules that report the erratum, separated by
                               * blanks */
    const char *source;
};

/* Returns the number of errata. */
TESS_API size_t tess_erratum_count(void);

/* Returns an erratum by its index, or NULL past the last. */
TESS_API const struct tess_erratum *tess_erratum_get(size_t number);

/* Returns an erratum by its id, in upper or lower case, or NULL for an unknown id. */
TESS_API const struct tess_erratum *tess_erratum_find(const char *id);

/* The level of a rule. The id "all" selects every rule whose default level is not off. */
struct tess_check_setting {
    const char *id;
    enum tess_level level;
};

/* Options of the checker. Must be zero-initialised; members that are 0 have defaults. The caller
 * owns all memory, which is used only during the call. */
struct tess_check_options {
    enum tess_machine machine;
    bool find_machine; /* true to use the machine that a file's content or name identifies; .machine
                        * then applies to other files only */
    enum tess_a2xx_variant variant; /* for TESS_MACHINE_A2XX */
    enum tess_shader_kind kind;     /* kind of all programs that do not declare their kind */
    /* Symbols or numbers at which programs begin. If there are no entries, programs begin at the
     * start and at every global label. */
    const char *const *entries;
    size_t entry_count;
    const struct tess_check_setting *settings; /* later settings take precedence over earlier
                                                * settings */
    size_t setting_count;
    bool warnings_are_errors;
    uint32_t address;         /* address of the first byte; used if the file does not define the
                               * address */
    uint32_t varyings_plus_1; /* number of varyings of fragment shaders, plus 1; 0 if unknown */
    uint32_t registers;       /* number of registers allocated to programs of TESS_MACHINE_A2XX;
                                 0 if unknown */
    const char *const *include_dirs, *const *pre_includes; /* as in struct tess_asm_options */
    size_t include_dir_count, pre_include_count;
    const struct tess_asm_define *defines;
    size_t define_count;
    uint32_t max_errors; /* number of errors in a source after which assembling stops; 0 for 100 */
};

/* Position of an instruction in a source and in memory. */
struct tess_check_place {
    const char *file;      /* NULL if unknown */
    uint32_t line, column; /* 1-based; 0 if unknown */
    const char *source_line;
    uint32_t address;
    uint64_t instruction;       /* bits 0 to 63 */
    uint64_t instruction_high;  /* bits 64 and up of instructions that are longer than 64 bits */
    uint32_t instruction_bytes; /* size of the instruction; 6 for control flow of
                                   TESS_MACHINE_A2XX */
    enum tess_a2xx_slot slot;   /* TESS_MACHINE_A2XX: kind of the instruction */
};

/* What the checker adds to a finding (struct tess_finding). */
struct tess_check_details {
    struct tess_check_place place; /* position of the finding */
    bool has_other;
    struct tess_check_place other; /* position of the other instruction; valid if has_other is
                                    * true */
    uint32_t distance;             /* distance of the two instructions, 1 if they are adjacent; 0 if
                                    * unknown */
    uint32_t program;              /* address of the program's first instruction */
    enum tess_shader_kind kind;    /* kind of the program, declared or deduced */
};

/* Checks files ("-" is standard input): sources, or machine code in any form that
 * tess_disassemble() reads. The content decides which. Each file is a separate program. Mistakes
 * that prevent the check of a file are reported to sink. Findings are reported to findings. Returns
 * TESS_WRONG if there is a finding of at least level warning, or if a file has mistakes. Returns
 * TESS_INVALID (a NULL pointer, or an invalid option), TESS_IO, TESS_BAD_INPUT or TESS_NO_MEMORY on
 * failure. */
TESS_API enum tess_status tess_check(const char *const *paths, size_t path_count,
                                     const struct tess_check_options *options,
                                     struct tess_sink sink, struct tess_sink findings);

/* Checks size bytes in memory like tess_check(). name is used in place of a file name. */
TESS_API enum tess_status tess_check_bytes(const void *bytes, size_t size, const char *name,
                                           const struct tess_check_options *options,
                                           struct tess_sink sink, struct tess_sink findings);
/* Reads the comments of a source that allow rules and findings, such as "# tessera: allow RULE"
 * (docs/check.md). For callers that report findings of a run. The caller frees *out with
 * tess_remarks_free(). *out is NULL unless the result is TESS_OK. Returns TESS_INVALID, TESS_IO or
 * TESS_NO_MEMORY on failure. */
struct tess_remarks;
TESS_API enum tess_status tess_remarks_read(struct tess_remarks **out, const char *path,
                                            enum tess_machine machine);

/* Returns true if a comment allows the rule or finding with this id on a line, numbered from 1. */
TESS_API bool tess_remarks_allow(const struct tess_remarks *remarks, const char *id, uint32_t line);

/* Frees the comments. NULL is allowed. */
TESS_API void tess_remarks_free(struct tess_remarks *remarks);

/* Assembles source files once and generates output_count outputs. The format in options is ignored.
 * Either all outputs have bytes, or none has. The caller frees each .bytes with tess_free().
 * Returns the same errors as tess_assemble(). */
TESS_API enum tess_status tess_assemble_outputs(const char *const *paths, size_t path_count,
                                                const struct tess_asm_options *options,
                                                struct tess_sink sink,
                                                struct tess_asm_output *outputs,
                                                size_t output_count);

/* Writes one QPU instruction as assembly, NUL-terminated and truncated to size bytes. address is
 * the address of the instruction, which determines branch targets. Every word can be written.
 * Returns the length of the whole text without the NUL. */
TESS_API size_t tess_qpu_disassemble(char *text, size_t size, uint64_t word, uint32_t address);

/* Writes one QPU instruction for readers, like tess_qpu_disassemble(), but always as mnemonics,
 * even where unused fields of the word would assemble to other bits. */
TESS_API size_t tess_qpu_mnemonic(char *text, size_t size, uint64_t word, uint32_t address);

/* Writes an explanation of one QPU instruction, several lines: every field, and a comment in plain
 * language. NUL-terminated and truncated to size bytes. Returns the length of the whole text
 * without the NUL. */
TESS_API size_t tess_qpu_explain(char *text, size_t size, uint64_t word, uint32_t address);

/* Writes one GP instruction as assembly, NUL-terminated and truncated to size bytes. Bit 0 of
 * words[0] is the lowest bit. Branch targets are instruction numbers. The text assembles to the
 * same 128 bits. Returns the length of the whole text without the NUL. */
TESS_API size_t tess_gp_disassemble(char *text, size_t size, const uint32_t words[4]);

/* Writes an explanation of one GP instruction, several lines: every field, and a comment in
 * plain language. before is the previous instruction, whose loads this one may read, or NULL.
 * NUL-terminated and truncated to size bytes. Returns the length of the whole text without the
 * NUL. */
TESS_API size_t tess_gp_explain(char *text, size_t size, const uint32_t words[4],
                                const uint32_t before[4]);

/* Writes one slot of an A2xx program as assembly, NUL-terminated and truncated to size bytes. Bit 0
 * of words[0] is the lowest bit. Both halves of control flow, and both operations of an ALU
 * instruction, are separate lines. Targets are numbers of control-flow instructions. Returns the
 * length of the whole text without the NUL, or 0 if kind or variant is invalid. */
TESS_API size_t tess_a2xx_disassemble(char *text, size_t size, const uint32_t words[3],
                                      enum tess_a2xx_slot kind, enum tess_a2xx_variant variant);

/* Writes an explanation of one slot, several lines: every field, and a comment in plain language.
 * Explains both halves of a control-flow slot. NUL-terminated and truncated to size bytes. Returns
 * the length of the whole text without the NUL, or 0 if kind or variant is invalid. */
TESS_API size_t tess_a2xx_explain(char *text, size_t size, const uint32_t words[3],
                                  enum tess_a2xx_slot kind, enum tess_a2xx_variant variant);

#ifdef __cplusplus
}
#endif

#endif
