/* SPDX-License-Identifier: MIT */
/* isa.h - assemble, disassemble and explain, for any instruction set. */
#ifndef TESSERA_ISA_H
#define TESSERA_ISA_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tess_machine {
    TESS_MACHINE_QPU,  /* VideoCore IV quad processor */
    TESS_MACHINE_GP,   /* Mali Utgard vertex processor */
    TESS_MACHINE_A2XX, /* Qualcomm Adreno A2xx shader core, and the Xenos */
};

/* Kinds of TESS_MACHINE_A2XX: they differ in units, formats and a few fields. */
enum tess_a2xx_variant {
    TESS_A2XX_ADRENO,
    TESS_A2XX_XENOS,
};

/* What a slot of an A2xx program is; the slot itself does not tell. */
enum tess_a2xx_slot {
    TESS_A2XX_SLOT_CONTROL, /* two control-flow instructions */
    TESS_A2XX_SLOT_ALU,
    TESS_A2XX_SLOT_FETCH,
};

/* Looks up a variant by its name: "adreno", "xenos". False if there is none; variant may be NULL. */
TESS_API bool tess_a2xx_variant_find(const char *name, enum tess_a2xx_variant *variant);

/* Looks up a machine by its command-line name ("qpu"). False if there is none. */
TESS_API bool tess_machine_find(const char *name, enum tess_machine *machine);

/* What a file is. Strings are static. */
struct tess_file_kind {
    /* "a PNG picture", and what to do, if nothing here reads it; else NULL. */
    const char *foreign, *advice;
    bool has_machine;             /* its content or its name says whose programs it holds */
    enum tess_machine machine;    /* else TESS_MACHINE_QPU */
    enum tess_a2xx_variant variant; /* TESS_A2XX_XENOS if the content says so */
    bool text;                      /* a source, or words as text */
    bool scene;                     /* an ELF file with steps, see scene.h */
};

/* Recognises a file by its bytes, and, where they leave it open, by the ending of its name, which
 * may be NULL. */
TESS_API void tess_file_recognise(const void *bytes, size_t size, const char *name,
                                  struct tess_file_kind *kind);

enum tess_asm_format {
    TESS_ASM_BIN,           /* the bytes, gaps between .org regions filled with zero */
    TESS_ASM_HEX,           /* "0xLOW, 0xHIGH," a line, as the elements of a uint32_t array */
    TESS_ASM_C,             /* the same in braces: the initialiser of the array */
    TESS_ASM_ELF,           /* a scene, see scene.h */
    TESS_ASM_C_FILE,        /* a C file that defines the array */
    TESS_ASM_HEADER,        /* its header, with the values of the global symbols */
    TESS_ASM_HEADER_EXTERN, /* a header for TESS_ASM_OBJECT, which leaves the values to the linker */
    TESS_ASM_OBJECT,        /* an ELF relocatable object for ARM linkers */
};

/* A constant; value is an expression, "1" for example. */
struct tess_asm_define {
    const char *name, *value;
};

/* Zero every member that you do not care about. Everything belongs to the caller, and is used during the
 * call only. */
struct tess_asm_options {
    enum tess_machine machine;
    enum tess_a2xx_variant variant; /* of TESS_MACHINE_A2XX */
    enum tess_asm_format format;
    const char *const *include_dirs; /* where ".include" looks, beside the file's own folder */
    size_t include_dir_count;
    const char *const *pre_includes; /* included before the first line, as by ".include <FILE>" */
    size_t pre_include_count;
    const struct tess_asm_define *defines; /* set before the first line */
    size_t define_count;
    bool comments;   /* offsets, labels and source lines in TESS_ASM_HEX and TESS_ASM_C_FILE */
    bool skip_check; /* no warnings of the checker, see tess_check() */
    bool no_symbols; /* TESS_ASM_OBJECT and TESS_ASM_HEADER_EXTERN: only what ".global" names */
    uint32_t max_errors; /* after which assembling ends; 0: 100 */
};

/* One file of an assembly that gives several. */
struct tess_asm_output {
    enum tess_asm_format format;
    const char *
        name; /* of the file to be, from which C names and symbols follow; NULL: the first source's */
    uint8_t *bytes; /* the result; to be freed with tess_free() */
    size_t size;    /* in bytes */
};

/* Assembles source files ("-" is standard input) into *out, which the caller frees with tess_free();
 * *out is NULL after a failure. *out_size is in bytes. Errors: TESS_INVALID (a NULL, a machine or a format that is
 * none; *out is left alone), TESS_IO, TESS_WRONG (diagnostics say where and why), TESS_NO_MEMORY. */
TESS_API enum tess_status tess_assemble(const char *const *paths, size_t path_count,
                                        const struct tess_asm_options *options,
                                        struct tess_sink sink, uint8_t **out, size_t *out_size);

/* The same for text in memory; name stands for the file in diagnostics. */
TESS_API enum tess_status tess_assemble_text(const char *text, size_t size, const char *name,
                                             const struct tess_asm_options *options,
                                             struct tess_sink sink, uint8_t **out,
                                             size_t *out_size);

/* What the disassembler reads. */
enum tess_dis_input {
    TESS_DIS_AUTO, /* found out from the content */
    TESS_DIS_RAW,  /* little-endian words */
    TESS_DIS_HEX,  /* hexadecimal words or a dump, as text */
    TESS_DIS_C,    /* C arrays */
    TESS_DIS_ELF,  /* a scene, or a relocatable object */
    TESS_DIS_MBS,  /* what ARM's offline compiler writes; code for the GP only */
    TESS_DIS_LISTING, /* a listing of Mesa's or freedreno's tools with words in front; code for the A2xx only */
    TESS_DIS_XENOS, /* a shader container of Microsoft's compiler for the Xenos; code for the A2xx only */
};

enum tess_dis_output {
    TESS_DIS_TEXT,    /* source that assembles to the same bytes */
    TESS_DIS_NEAREST, /* for readers: mnemonics even where these would give other bits */
    TESS_DIS_EXPLAIN, /* the text, with every field's meaning and a comment; not for the assembler */
    TESS_DIS_JSON,    /* one document; docs/dis.md has the schema */
    TESS_DIS_MESA,    /* a listing in the style of Mesa's printers; not of the QPU */
};

/* What the caller knows about the bytes from start up to, not including, end. */
struct tess_dis_range {
    uint32_t start, end;
    bool data; /* else instructions */
};

/* Zero every member that you do not care about. */
struct tess_dis_options {
    enum tess_machine machine;
    enum tess_a2xx_variant variant; /* of TESS_MACHINE_A2XX */
    enum tess_dis_input input;
    enum tess_dis_output output;
    const char *name;                    /* of the file, for diagnostics */
    uint32_t base;                       /* address of input that has none */
    const struct tess_dis_range *ranges; /* later ones win; they win over what the file says */
    size_t range_count;
    bool lines; /* comments say which source lines the file says it comes from */
};

/* Disassembles a file's bytes into *text, NUL-terminated, which the caller frees with tess_free(); *text is NULL after
 * a failure. *text_size does not count the NUL. Errors: TESS_INVALID (a NULL, a value that is none of its enumeration, or an
 * output that the machine has not; *text is left alone), TESS_BAD_INPUT (the sink has the reasons), TESS_NO_MEMORY. */
TESS_API enum tess_status tess_disassemble(const void *data, size_t size,
                                           const struct tess_dis_options *options,
                                           struct tess_sink sink, char **text, size_t *text_size);

/* --- checking --- */

/* What a program is run for; it decides what it may use. */
enum tess_shader_kind {
    TESS_SHADER_UNKNOWN, /* as far as its instructions tell */
    TESS_SHADER_FRAGMENT,
    TESS_SHADER_VERTEX,
    TESS_SHADER_COORDINATE,
    TESS_SHADER_USER, /* a general-purpose program */
};

/* Looks up a kind by its name ("fragment"). False if there is none. */
TESS_API bool tess_shader_kind_find(const char *name, enum tess_shader_kind *kind);

/* Its name; never NULL. */
TESS_API const char *tess_shader_kind_name(enum tess_shader_kind kind);

enum tess_check_level {
    TESS_CHECK_OFF,
    TESS_CHECK_NOTE,
    TESS_CHECK_WARNING,
    TESS_CHECK_ERROR,
};

/* A rule of the checker. Strings are static. */
struct tess_check_rule {
    const char *id;
    enum tess_check_level level; /* unless the user says otherwise */
    const char *title, *why, *instead, *source;
    uint32_t
        machines; /* whose it is: bits 1 << enum tess_machine; all of them for rules about the check itself */
};

/* How many rules there are, those of all machines, and one of them; NULL beyond the last. */
TESS_API size_t tess_check_rule_count(void);
TESS_API const struct tess_check_rule *tess_check_rule_get(size_t number);

/* Looks up a rule by its id; NULL if there is none. */
TESS_API const struct tess_check_rule *tess_check_rule_find(const char *id);

/* Something that is known to be wrong in the silicon. Strings are static; docs/vc4/errata.md has them all. */
struct tess_erratum {
    const char *id;      /* "HW-2116" */
    const char *block;   /* of the hardware */
    const char *silicon; /* "all", or "A0": the first silicon only, which no Raspberry Pi has */
    const char *what, *model; /* what happens; what the model does */
    const char *findings;     /* of the model while a program runs, separated by blanks */
    const char *rules;        /* of the checker, likewise */
    const char *source;
};

/* How many errata there are, and one of them; NULL beyond the last. */
TESS_API size_t tess_erratum_count(void);
TESS_API const struct tess_erratum *tess_erratum_get(size_t number);

/* Looks up an erratum by its id, in upper or lower case; NULL if there is none. */
TESS_API const struct tess_erratum *tess_erratum_find(const char *id);

/* What a rule shall count for; "all" as its id stands for every rule that is not off. */
struct tess_check_setting {
    const char *id;
    enum tess_check_level level;
};

/* Zero every member that you do not care about. Everything belongs to the caller, and is used during the call only. */
struct tess_check_options {
    enum tess_machine machine;
    bool find_machine; /* files whose content or name says another machine are of that one */
    enum tess_a2xx_variant variant; /* of TESS_MACHINE_A2XX */
    enum tess_shader_kind kind;     /* of all programs that say nothing themselves */
    const char *const *
        entries; /* symbols or numbers where programs begin; none: every global label, and the start */
    size_t entry_count;
    const struct tess_check_setting *settings; /* later ones win */
    size_t setting_count;
    bool warnings_are_errors;
    uint32_t address;         /* of the first byte, if the file does not say */
    uint32_t varyings_plus_1; /* number of varyings of fragment shaders, plus 1; 0: unknown */
    uint32_t registers;       /* that programs of TESS_MACHINE_A2XX are given; 0: unknown */
    const char *const *include_dirs, *const *pre_includes; /* as in struct tess_asm_options */
    size_t include_dir_count, pre_include_count;
    const struct tess_asm_define *defines;
    size_t define_count;
    uint32_t max_errors; /* of a source, after which assembling it ends; 0: 100 */
};

/* Where something is: in a source, and in memory. */
struct tess_check_place {
    const char *file;      /* or NULL */
    uint32_t line, column; /* 1-based; 0 if unknown */
    const char *source_line;
    uint32_t address;
    uint64_t instruction;       /* bits 0 to 63 */
    uint64_t instruction_high;  /* bits 64 up, of longer instructions */
    uint32_t instruction_bytes; /* how long it is; of control flow of TESS_MACHINE_A2XX 6 */
    enum tess_a2xx_slot slot;   /* of TESS_MACHINE_A2XX: what the instruction is */
};

/* A finding. Strings live during the call only. */
struct tess_check_finding {
    const struct tess_check_rule *rule;
    enum tess_check_level level; /* after the options */
    enum tess_machine machine;   /* of the program */
    const char *text;            /* one sentence, with both places in it */
    const char *hint;            /* what to do: this finding's own hint, or the rule's `instead` */
    struct tess_check_place place;
    bool has_other;
    struct tess_check_place other; /* the other instruction that it is about */
    uint32_t distance;             /* instructions between the two, 1 for neighbours; 0: unknown */
    uint32_t program;              /* address of the program's first instruction */
    enum tess_shader_kind kind;    /* given or deduced */
};

/* Takes findings. */
struct tess_check_sink {
    void (*report)(void *user, const struct tess_check_finding *finding);
    void *user;
};

/* Checks files: sources, or machine code in any form that tess_ functions read; which, their content decides ("-" is
 * standard input). Each is a program of its own. Mistakes in the files themselves go to sink, findings to findings.
 * Returns TESS_WRONG after a finding that is at least a warning, or if a file has mistakes. Errors: TESS_INVALID (a
 * NULL, or a machine that is none), TESS_IO, TESS_BAD_INPUT, TESS_NO_MEMORY. */
TESS_API enum tess_status tess_check(const char *const *paths, size_t path_count,
                                     const struct tess_check_options *options,
                                     struct tess_sink sink, struct tess_check_sink findings);

/* The same for bytes in memory; name stands for the file. */
TESS_API enum tess_status tess_check_bytes(const void *bytes, size_t size, const char *name,
                                           const struct tess_check_options *options,
                                           struct tess_sink sink, struct tess_check_sink findings);
/* The comments of a source that allow rules to be broken, "# tessera: allow RULE" (docs/check.md), for those who show what a run has
 * found in it. *out is NULL unless the result is TESS_OK. Errors: TESS_INVALID, TESS_IO, TESS_NO_MEMORY. */
struct tess_remarks;
TESS_API enum tess_status tess_remarks_read(struct tess_remarks **out, const char *path,
                                            enum tess_machine machine);

/* Whether a comment allows a rule or a finding, by its id, on a line. */
TESS_API bool tess_remarks_allow(const struct tess_remarks *remarks, const char *id, uint32_t line);

/* NULL is allowed. */
TESS_API void tess_remarks_free(struct tess_remarks *remarks);

/* Assembles source files once and gives any number of outputs; the format of options does not count. Either every
 * output has bytes or none has. Errors: as tess_assemble(). */
TESS_API enum tess_status tess_assemble_outputs(const char *const *paths, size_t path_count,
                                                const struct tess_asm_options *options,
                                                struct tess_sink sink,
                                                struct tess_asm_output *outputs,
                                                size_t output_count);

/* Frees what a tess_ function handed over. NULL is allowed. */
TESS_API void tess_free(void *memory);

/* Writes one QPU instruction as assembly, NUL-terminated and cut at size. address is the instruction's
 * own, used for branch targets. Every word has a text. Returns the length of the whole text. */
TESS_API size_t tess_qpu_disassemble(char *text, size_t size, uint64_t word, uint32_t address);

/* The same for readers: always the mnemonic line, even where unused fields of the word would assemble to
 * other bits. */
TESS_API size_t tess_qpu_mnemonic(char *text, size_t size, uint64_t word, uint32_t address);

/* Writes the field-by-field account and the plain-language comment of one QPU instruction, several
 * lines. Returns the length of the whole text. */
TESS_API size_t tess_qpu_explain(char *text, size_t size, uint64_t word, uint32_t address);

/* Writes one GP instruction, bit 0 of words[0] being its lowest bit, as assembly: NUL-terminated and cut at size. Branch
 * targets are instruction numbers. The text assembles to the same 128 bits. Returns the length of the whole text. */
TESS_API size_t tess_gp_disassemble(char *text, size_t size, const uint32_t words[4]);

/* Writes the field-by-field account and the plain-language comment of one GP instruction, several lines. before is the
 * instruction that runs before it, whose loads it may read, or NULL. Returns the length of the whole text. */
TESS_API size_t tess_gp_explain(char *text, size_t size, const uint32_t words[4],
                                const uint32_t before[4]);

/* Writes one slot of an A2xx program, bit 0 of words[0] being its lowest bit, as assembly: NUL-terminated and cut at size. Both
 * halves of control flow, and both operations of an ALU instruction, have a line of their own. Targets are numbers of
 * control-flow instructions. Returns the length of the whole text, 0 if kind or variant is none. */
TESS_API size_t tess_a2xx_disassemble(char *text, size_t size, const uint32_t words[3],
                                      enum tess_a2xx_slot kind, enum tess_a2xx_variant variant);

/* Writes the field-by-field account and the plain-language comment of one slot, several lines; of control flow for both halves.
 * Returns the length of the whole text, 0 if kind or variant is none. */
TESS_API size_t tess_a2xx_explain(char *text, size_t size, const uint32_t words[3],
                                  enum tess_a2xx_slot kind, enum tess_a2xx_variant variant);

#ifdef __cplusplus
}
#endif

#endif
