/* SPDX-License-Identifier: MIT */
/* utgard.h - the vertex processor (GP) of a Mali-200, 300, 400 or 450: programs, and runs of them
 * over vertices. docs/utgard/gp.md describes the model. */
#ifndef TESSERA_UTGARD_H
#define TESSERA_UTGARD_H

#include <tessera/isa.h>
#include <tessera/machine.h>
#include <tessera/step.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TESS_GP_INSTRUCTIONS = 512, /* largest number of instructions of a program */
    TESS_GP_ATTRIBUTES = 16,
    TESS_GP_VARYINGS = 16,
    TESS_GP_ROWS = 512, /* number of rows of uniforms, constants and temporaries; each row has four
                         * floats */
};

/* --- programs --- */

/* Kinds of names in a program's interface. */
enum tess_gp_kind {
    TESS_GP_ATTRIBUTE, /* number: attribute */
    TESS_GP_VARYING,   /* number: varying */
    TESS_GP_UNIFORM,   /* number: first row */
    TESS_GP_CONSTANT,  /* number: row; has values */
    TESS_GP_TEMPORARY, /* number: first row */
};

/* Formats of attributes in memory: the type code of the hardware's attribute descriptor (Mesa,
 * src/gallium/drivers/lima/lima_draw.c; docs/hardware/utgard.md, section 15). */
enum tess_gp_format {
    TESS_GP_F32 = 0x00,
    TESS_GP_I32 = 0x01,
    TESS_GP_U32 = 0x02,
    TESS_GP_F16 = 0x03,
    TESS_GP_I16 = 0x04,
    TESS_GP_U16 = 0x05,
    TESS_GP_I8 = 0x06,
    TESS_GP_U8 = 0x07,
    TESS_GP_I8N = 0x08, /* N: normalised, to -1..1 or 0..1 */
    TESS_GP_U8N = 0x09,
    TESS_GP_I16N = 0x0a,
    TESS_GP_U16N = 0x0b,
    TESS_GP_I32N = 0x0d,
    TESS_GP_U32N = 0x0e,
    TESS_GP_FIXED = 0x101, /* 16.16 fixed point */
};

/* Finds a format by its name, for example "f32", "u8n" or "fixed". format may be NULL. Returns
 * false for an unknown name. */
TESS_API bool tess_gp_format_find(const char *name, enum tess_gp_format *format);

/* Returns the name of a format, or NULL if the value is invalid. The string is static. */
TESS_API const char *tess_gp_format_name(enum tess_gp_format format);

/* Returns the size of one component in bytes, or 0 if the value is invalid. */
TESS_API size_t tess_gp_format_size(enum tess_gp_format format);

/* A name of the interface. */
struct tess_gp_symbol {
    enum tess_gp_kind kind;
    const char *name;       /* owned by the program; "" if the symbol has no name */
    uint32_t number, count; /* count: number of rows; 1 for attributes and varyings */
    uint32_t components;    /* for attributes and varyings, 1 to 4 */
    float values[4];        /* for constants */
};

struct tess_gp_program;

/* Reads a program for "tessera run -m gp": a source, which is assembled, or machine code in any
 * form that tess_disassemble() reads. The content decides which. name is used in place of a file
 * name in diagnostics and may be NULL. options may be NULL. On success, the caller frees *program
 * with tess_gp_program_free(); on failure, *program is NULL. Returns TESS_INVALID, TESS_WRONG
 * (mistakes in a source), TESS_BAD_INPUT (no instructions, too many, or an incomplete one) or
 * TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_gp_program_read(const void *bytes, size_t size, const char *name,
                                               const struct tess_asm_options *options,
                                               struct tess_sink sink,
                                               struct tess_gp_program **program);

/* Creates a program without an interface from words, four for each instruction. instructions is 1
 * to TESS_GP_INSTRUCTIONS. The words are copied. On success, the caller frees *program with
 * tess_gp_program_free(); on failure, *program is NULL. Returns TESS_INVALID or TESS_NO_MEMORY on
 * failure. */
TESS_API enum tess_status tess_gp_program_words(const uint32_t *words, size_t instructions,
                                                struct tess_gp_program **program);

/* Frees a program. NULL is allowed. */
TESS_API void tess_gp_program_free(struct tess_gp_program *program);

/* Returns the program's words, four for each instruction, which the program owns, and stores the
 * number of instructions in *instructions. instructions may be NULL. */
TESS_API const uint32_t *tess_gp_program_code(const struct tess_gp_program *program,
                                              size_t *instructions);

/* Returns a symbol of the interface by its index, or NULL past the last. Symbols are in the order
 * of the source. The program owns the symbol. */
TESS_API const struct tess_gp_symbol *tess_gp_program_symbol(const struct tess_gp_program *program,
                                                             size_t index);

/* Returns the symbol with a kind and name, or NULL if there is no such symbol. The program owns the
 * symbol. */
TESS_API const struct tess_gp_symbol *tess_gp_program_find(const struct tess_gp_program *program,
                                                           enum tess_gp_kind kind,
                                                           const char *name);

/* Returns a mask of the components of a varying that the program's instructions store. Bit 0 is x,
 * and bit 3 is w. */
TESS_API uint32_t tess_gp_program_stores(const struct tess_gp_program *program, uint32_t varying);

/* Returns true if an instruction of the program loads an attribute. */
TESS_API bool tess_gp_program_loads(const struct tess_gp_program *program, uint32_t attribute);

/* Writes an instruction as one line of assembly, NUL-terminated and truncated to size bytes. Slots
 * are separated by "; ", and branch targets are labels if the program has them. Returns the length
 * of the whole line without the NUL, or 0 past the last instruction. */
TESS_API size_t tess_gp_program_text(const struct tess_gp_program *program, size_t instruction,
                                     char *text, size_t size);

/* Sets *file and *line to the source line of an instruction. Sets *file to NULL and *line to 0 if
 * the source line is unknown. The program owns the string. */
TESS_API void tess_gp_program_line(const struct tess_gp_program *program, size_t instruction,
                                   const char **file, uint32_t *line);

/* Returns the label at an instruction, or NULL. The program owns the string. */
TESS_API const char *tess_gp_program_label(const struct tess_gp_program *program,
                                           size_t instruction);

/* --- the machine --- */

/* An attribute in memory, as described by the hardware's descriptor: vertex v reads data + v *
 * stride. Missing components read as 0, 0, 0, 1. */
struct tess_gp_attribute {
    /* NULL if the attribute does not exist. Reads then return (0, 0, 0, 1) and are reported. */
    const void *data;
    size_t size;   /* bytes at data; reads past them return zero and are reported */
    size_t stride; /* in bytes; 0 to use the same data for all vertices */
    enum tess_gp_format format;
    uint32_t components; /* 1 to 4 */
};

enum tess_gp_output_format {
    TESS_GP_OUT_F32,
    TESS_GP_OUT_F16,
};

/* A varying in memory: vertex v writes data + v * stride. Components that the program does not
 * store keep their value. */
struct tess_gp_varying {
    void *data;    /* NULL to discard the varying */
    size_t size;   /* bytes at data; writes past them are dropped and reported */
    size_t stride; /* in bytes */
    enum tess_gp_output_format format;
    uint32_t components; /* 1 to 4 */
};

/* Behaviour that the documents leave open, and that the user may choose (docs/utgard/gp.md). Zero
 * is the default. */
struct tess_gp_choices {
    bool keep_denormals; /* true to keep denormals; if false, denormal operands and results become
                          * zero with the same sign */
    bool nan_wins;       /* true if min and max return NaN when an operand is NaN; if false, they
                          * return the other operand */
    bool zero_times_inf_is_zero; /* true if 0 times infinity is 0; if false, the product is NaN */
};

/* Options of a vertex processor. Must be zero-initialised; members that are 0 have defaults. */
struct tess_gp_options {
    struct tess_machine_options machine;
    struct tess_gp_choices choices;
};

/* Default of .max_instructions of struct tess_machine_options. */
#define TESS_GP_LIMIT UINT64_C(1000000)

struct tess_gp;

/* Creates a vertex processor. options may be NULL. Findings are reported in the order of vertices.
 * The caller releases *out with tess_gp_destroy(). *out is NULL unless the result is TESS_OK.
 * Returns TESS_INVALID (an option out of range) or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_gp_create(struct tess_gp **out,
                                         const struct tess_gp_options *options);

/* Releases a vertex processor. NULL is allowed. The caller keeps ownership of the loaded program.
 */
TESS_API void tess_gp_destroy(struct tess_gp *gp);

/* Loads a program, and its constants into the rows. The program must live as long as it is loaded.
 * Returns TESS_INVALID or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_gp_load(struct tess_gp *gp, const struct tess_gp_program *program);

/* Sets rows of the uniform memory, starting at first, four floats each. Returns TESS_INVALID if a
 * row's number is TESS_GP_ROWS or more. */
TESS_API enum tess_status tess_gp_set_rows(struct tess_gp *gp, uint32_t first, const float *values,
                                           uint32_t rows);

/* Returns a row's four floats, as the next vertex will read them, or NULL if row is TESS_GP_ROWS or
 * more. gp owns them. */
TESS_API const float *tess_gp_row(const struct tess_gp *gp, uint32_t row);

/* The vertices for which a program is run. Each array has 16 elements or is NULL. */
struct tess_gp_batch {
    const struct tess_gp_attribute *attributes;
    const struct tess_gp_varying *varyings;
    size_t first, count; /* range of vertices */
    /* For data that are split into several batches. base is added to the numbers of vertices in
     * findings and traces. Set `more` in all batches except the last. Findings are then reported at
     * the end of the first run without `more`, or when a run fails. A batch without vertices is
     * allowed as the last batch. */
    size_t base;
    bool more;
};

/* Runs the program for each vertex of a batch. Returns TESS_OK even after findings. Returns
 * TESS_WRONG if a vertex does not end within the limit; later vertices may not have been run then.
 * Returns TESS_INVALID (no program, or an invalid descriptor) or TESS_NO_MEMORY on failure. A kind
 * of finding is reported once for each instruction until the next tess_gp_load(). */
TESS_API enum tess_status tess_gp_run(struct tess_gp *gp, const struct tess_gp_batch *batch);

/* Counts since tess_gp_create(). */
struct tess_gp_stats {
    uint64_t vertices;
    uint64_t instructions; /* number of instructions that all vertices together have executed */
    uint64_t branches, taken;
};

/* Stores the counts of a vertex processor. All are 0 if gp is NULL. */
TESS_API void tess_gp_get_stats(const struct tess_gp *gp, struct tess_gp_stats *stats);

/* --- tracing --- */

/* Units of an instruction, as indices of .results and bits of .active in struct tess_gp_step. Idle
 * units have no bit in .active. The result of complex1 is in the step of its instruction, although
 * the program can read the result only two instructions later. Registers, rows and address
 * registers have the values that the instruction reads, so a stored value appears in the step of
 * the first instruction that can load it. */
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
    size_t vertex, instruction; /* vertex: number of the vertex, including .base of the batch */
    uint64_t cycle;             /* number of instructions that the vertex has executed before this
                                 * one */
    uint32_t active;            /* bit n for enum tess_gp_unit n */
    float results[TESS_GP_UNITS];
    float load0[4], load1[4], row[4]; /* outputs of the load units */
    uint32_t row_number;              /* number of the loaded row, after the address register has
                                       * been added */
    int32_t addresses[4];             /* address registers; loads use them modulo TESS_GP_ROWS */
    const float (*registers)[4];      /* 16 registers */
    bool taken;                       /* true if the instruction is a branch that was taken */
    /* The slots of the instruction, and the writes of this and of earlier instructions that the
     * next instruction cannot read, in the order of the instructions. The arrays are valid during
     * the call. */
    const struct tess_operation *operations;
    size_t operation_count;
    const struct tess_pending *pending;
    size_t pending_count;
};

/* Receives an executed instruction. Returns true to continue, or false to stop the vertex after the
 * instruction. */
typedef bool tess_gp_tracer(void *user, const struct tess_gp_step *step);

/* Runs one vertex like tess_gp_run(), and calls trace after each instruction. batch->first and
 * batch->count are ignored. Returns TESS_STOPPED if trace has returned false, unless the vertex
 * ended at this instruction. The counts and findings so far are then added to those of gp; findings
 * are reported by the run that ends the vertex. Returns TESS_INVALID also if trace is NULL;
 * otherwise the same values as tess_gp_run(). */
TESS_API enum tess_status tess_gp_trace(struct tess_gp *gp, const struct tess_gp_batch *batch,
                                        size_t vertex, tess_gp_tracer *trace, void *user);

/* Continues the stopped vertex. The batch must have the same buffers as before, at any addresses.
 * Returns the same values as tess_gp_trace(), and TESS_INVALID if no vertex is stopped.
 * tess_gp_load(), tess_gp_run() and tess_gp_trace() give up a stopped vertex: it stores no
 * varyings. */
TESS_API enum tess_status tess_gp_resume(struct tess_gp *gp, const struct tess_gp_batch *batch,
                                         tess_gp_tracer *trace, void *user);

/* --- saved states --- */

/* A state has everything in a vertex processor on which later runs and queries depend: the rows,
 * the counts, the findings that wait for the end of a batch or were already reported, and a stopped
 * vertex. It can be saved between runs, also within data that are split into several batches and
 * after a run that has failed, and between the instructions of a vertex, after TESS_STOPPED. The
 * program, the options and the buffers of batches belong to the caller and are not in the state.
 * The bytes do not depend on the host. */

/* Returns the size of the current state in bytes, or 0 if gp is NULL or a run is in progress. */
TESS_API size_t tess_gp_state_size(const struct tess_gp *gp);

/* Writes the state to `size` bytes, of which it uses tess_gp_state_size(). Returns TESS_INVALID if
 * they are too few, or if a run is in progress. */
TESS_API enum tess_status tess_gp_save_state(const struct tess_gp *gp, void *to, size_t size);

/* Replaces the state by a saved one, from the same or another vertex processor. The options, except
 * the number of threads, and the loaded program must be equal to those of the saved one. Bytes
 * after the state are ignored. Returns TESS_MISMATCH if the state belongs to another machine,
 * version, program or other options; TESS_BAD_INPUT if the bytes are damaged; TESS_INVALID if from
 * is NULL or a run is in progress; or TESS_NO_MEMORY. After a failure, gp is unchanged. */
TESS_API enum tess_status tess_gp_restore_state(struct tess_gp *gp, const void *from, size_t size);

#ifdef __cplusplus
}
#endif

#endif
