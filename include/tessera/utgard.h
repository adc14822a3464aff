/* SPDX-License-Identifier: MIT */
/* utgard.h - the vertex processor (GP) of a Mali-200, 300, 400 or 450: programs, and runs of them over vertices. */
#ifndef TESSERA_UTGARD_H
#define TESSERA_UTGARD_H

#include <tessera/isa.h>
#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TESS_GP_INSTRUCTIONS = 512, /* longest program */
    TESS_GP_ATTRIBUTES = 16,
    TESS_GP_VARYINGS = 16,
    TESS_GP_ROWS = 512, /* of uniforms, constants and temporaries, four floats each */
};

/* --- programs --- */

/* What a name of a program's interface stands for. */
enum tess_gp_kind {
    TESS_GP_ATTRIBUTE, /* number: attribute */
    TESS_GP_VARYING,   /* number: varying */
    TESS_GP_UNIFORM,   /* number: first row */
    TESS_GP_CONSTANT,  /* number: row, with its values */
    TESS_GP_TEMPORARY, /* number: first row */
};

/* Formats of attributes in memory: the type code of the hardware's attribute descriptor
 * (Mesa, src/gallium/drivers/lima/lima_draw.c; digest utgard.md, section 15). */
enum tess_gp_format {
    TESS_GP_F32 = 0x00,
    TESS_GP_I32 = 0x01,
    TESS_GP_U32 = 0x02,
    TESS_GP_F16 = 0x03,
    TESS_GP_I16 = 0x04,
    TESS_GP_U16 = 0x05,
    TESS_GP_I8 = 0x06,
    TESS_GP_U8 = 0x07,
    TESS_GP_I8N = 0x08, /* N: normalised, -1 or 0 to 1 */
    TESS_GP_U8N = 0x09,
    TESS_GP_I16N = 0x0a,
    TESS_GP_U16N = 0x0b,
    TESS_GP_I32N = 0x0d,
    TESS_GP_U32N = 0x0e,
    TESS_GP_FIXED = 0x101, /* 16.16 */
};

/* Finds a format by its name ("f32", "u8n", "fixed"), format may be NULL; its name, NULL if it is none; bytes of one
 * component, 0 if none. */
TESS_API bool tess_gp_format_find(const char *name, enum tess_gp_format *format);
TESS_API const char *tess_gp_format_name(enum tess_gp_format format);
TESS_API size_t tess_gp_format_size(enum tess_gp_format format);

/* A name of the interface. */
struct tess_gp_symbol {
    enum tess_gp_kind kind;
    const char *name;       /* belongs to the program; "" if there is none */
    uint32_t number, count; /* count: rows; 1 for attributes and varyings */
    uint32_t components;    /* of attributes and varyings, 1 to 4 */
    float values[4];        /* of constants */
};

struct tess_gp_program;

/* Reads a program for "tessera run -m gp": a source, which is assembled, or machine code in any form that
 * tess_disassemble() reads; the content decides. name stands for the file in diagnostics. The caller frees *program with
 * tess_gp_program_free(); it is NULL after a failure. Errors: TESS_INVALID, TESS_WRONG (mistakes in a source),
 * TESS_BAD_INPUT (no instructions, too many, not whole), TESS_NO_MEMORY. */
TESS_API enum tess_status tess_gp_program_read(const void *bytes, size_t size, const char *name,
                                               const struct tess_asm_options *options,
                                               struct tess_sink sink,
                                               struct tess_gp_program **program);

/* Makes a program of bare words, four for each instruction, without an interface. */
TESS_API enum tess_status tess_gp_program_words(const uint32_t *words, size_t instructions,
                                                struct tess_gp_program **program);

TESS_API void tess_gp_program_free(struct tess_gp_program *program);

TESS_API const uint32_t *tess_gp_program_code(const struct tess_gp_program *program,
                                              size_t *instructions);

/* The interface, in the order of the source; NULL beyond the last. */
TESS_API const struct tess_gp_symbol *tess_gp_program_symbol(const struct tess_gp_program *program,
                                                             size_t index);

/* The symbol of this kind and name, or NULL. */
TESS_API const struct tess_gp_symbol *tess_gp_program_find(const struct tess_gp_program *program,
                                                           enum tess_gp_kind kind,
                                                           const char *name);

/* Which components of a varying some instruction stores: bit 0 is x, bit 3 is w. */
TESS_API uint32_t tess_gp_program_stores(const struct tess_gp_program *program, uint32_t varying);

/* Whether some instruction loads an attribute. */
TESS_API bool tess_gp_program_loads(const struct tess_gp_program *program, uint32_t attribute);

/* Writes an instruction as one line of assembly, NUL-terminated and cut at size: slots separated by "; ", and labels where
 * the program has them. Returns the length of the whole line; 0 beyond the last instruction. */
TESS_API size_t tess_gp_program_text(const struct tess_gp_program *program, size_t instruction,
                                     char *text, size_t size);

/* Where an instruction comes from, as far as the program knows: *file may be set to NULL, *line to 0. */
TESS_API void tess_gp_program_line(const struct tess_gp_program *program, size_t instruction,
                                   const char **file, uint32_t *line);

/* The label at an instruction, or NULL. */
TESS_API const char *tess_gp_program_label(const struct tess_gp_program *program,
                                           size_t instruction);

/* --- the machine --- */

/* An attribute in memory, as the hardware's descriptor has it: vertex v reads data + v * stride. Components that are
 * missing read as 0, 0, 0, 1. */
struct tess_gp_attribute {
    const void
        *data;     /* NULL: the attribute is not there; (0, 0, 0, 1), and a finding if it is read */
    size_t size;   /* bytes from data on; what lies beyond reads as zero, and is a finding */
    size_t stride; /* in bytes; 0: the same for all vertices */
    enum tess_gp_format format;
    uint32_t components; /* 1 to 4 */
};

enum tess_gp_output_format {
    TESS_GP_OUT_F32,
    TESS_GP_OUT_F16,
};

/* A varying in memory: vertex v writes data + v * stride. Components that the program does not store keep their bytes. */
struct tess_gp_varying {
    void *data;    /* NULL: the varying goes nowhere */
    size_t size;   /* bytes from data on; what lies beyond is not written, and is a finding */
    size_t stride; /* in bytes */
    enum tess_gp_output_format format;
    uint32_t components; /* 1 to 4 */
};

/* What the documents leave open, and what the user may choose (docs/utgard/gp.md). Zero is the default. */
struct tess_gp_choices {
    bool keep_denormals; /* else flushed to zero of the same sign, going in and coming out */
    bool nan_wins;       /* min and max give NaN if an operand is NaN; else the other operand */
    bool zero_times_inf_is_zero; /* else NaN */
};

/* Zero every member that you do not care about. */
struct tess_gp_options {
    struct tess_gp_choices choices;
    unsigned threads; /* 0: as many as the host has; results do not depend on it */
    bool no_findings; /* leaves the sanitizer out */
    uint64_t limit;   /* instructions of one vertex; 0: TESS_GP_LIMIT */
    uint32_t shown;   /* findings of each kind that go to the sink; 0: 8 */
};

/* How many instructions a vertex may execute by default, before it counts as one that never ends. */
#define TESS_GP_LIMIT UINT64_C(1000000)

struct tess_gp;

/* Creates a vertex processor. *gp is freed with tess_gp_free(); NULL after a failure. What it finds goes to sink, which is
 * called on the thread that called tess_gp_run(), in the order of vertices. Errors: TESS_INVALID, TESS_NO_MEMORY. */
TESS_API enum tess_status tess_gp_create(const struct tess_gp_options *options,
                                         struct tess_sink sink, struct tess_gp **gp);
TESS_API void tess_gp_free(struct tess_gp *gp);

/* Loads a program, which must live as long as it is loaded, and its constants into the rows. */
TESS_API enum tess_status tess_gp_load(struct tess_gp *gp, const struct tess_gp_program *program);

/* Sets rows of the uniform memory from first on, four floats each. TESS_INVALID beyond TESS_GP_ROWS. */
TESS_API enum tess_status tess_gp_set_rows(struct tess_gp *gp, uint32_t first, const float *values,
                                           uint32_t rows);

/* The row's four floats, as the next vertex finds them. NULL beyond TESS_GP_ROWS. */
TESS_API const float *tess_gp_row(const struct tess_gp *gp, uint32_t row);

/* What a program is run over; both arrays have 16 elements, NULL stands for none. */
struct tess_gp_batch {
    const struct tess_gp_attribute *attributes;
    const struct tess_gp_varying *varyings;
    size_t first, count; /* vertices */
    /* Of data that comes in pieces: findings and traces number vertices from base, and where more is set findings wait for
     * the next run without it, or one that fails. That run may have no vertices. */
    size_t base;
    bool more;
};

/* Runs the program for each vertex. Findings: TESS_OK all the same, unless a vertex does not end within the limit:
 * TESS_WRONG, and later vertices may not have been run. Errors: TESS_INVALID (no program, a bad descriptor),
 * TESS_NO_MEMORY. A kind of finding at an instruction is told once until the next tess_gp_load(). */
TESS_API enum tess_status tess_gp_run(struct tess_gp *gp, const struct tess_gp_batch *batch);

/* What has been executed since tess_gp_create(). */
struct tess_gp_stats {
    uint64_t vertices;
    uint64_t instructions; /* summed over vertices */
    uint64_t branches, taken;
};
TESS_API struct tess_gp_stats tess_gp_stats(const struct tess_gp *gp);

/* --- looking on --- */

/* What one instruction did, for one vertex. Units that were idle have no bit in .active. complex1's result is shown where it
 * is made, though it is visible two instructions later only. Registers, rows and address registers are what this instruction
 * sees of them: stores show up when a load would find them. */
enum tess_gp_unit {
    TESS_GP_MUL0,
    TESS_GP_MUL1,
    TESS_GP_ACC0,
    TESS_GP_ACC1,
    TESS_GP_COMPLEX,
    TESS_GP_PASS,
    TESS_GP_UNITS,
};
struct tess_gp_step {
    size_t vertex, instruction; /* vertex: with .base of the batch */
    uint64_t cycle;             /* instructions executed before this one */
    uint32_t active;            /* 1 << enum tess_gp_unit */
    float results[TESS_GP_UNITS];
    float load0[4], load1[4], row[4]; /* what the load units delivered */
    uint32_t row_number;              /* after the address register */
    int32_t addresses[4];             /* address registers; a load sees them modulo TESS_GP_ROWS */
    const float (*registers)[4];      /* 16 of them */
    bool taken;                       /* a branch went to its target */
};

/* Runs one vertex, and calls trace after each instruction. Otherwise as tess_gp_run(); batch->first and count do not count. */
TESS_API enum tess_status tess_gp_trace(struct tess_gp *gp, const struct tess_gp_batch *batch,
                                        size_t vertex,
                                        void (*trace)(void *user, const struct tess_gp_step *step),
                                        void *user);

/* --- findings --- */

/* A kind of finding. Strings are static; docs/utgard/findings.md has them all. */
struct tess_gp_finding {
    const char *id;
    enum tess_severity severity;
    const char *title, *hardware, *model, *instead, *source;
};
TESS_API size_t tess_gp_finding_count(void);
TESS_API const struct tess_gp_finding *tess_gp_finding_get(size_t number);
TESS_API const struct tess_gp_finding *tess_gp_finding_find(const char *id);

#ifdef __cplusplus
}
#endif

#endif
