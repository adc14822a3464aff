/* SPDX-License-Identifier: MIT */
/* a2xx.h - the shader core of a Qualcomm Adreno A2xx or of the related Xenos: programs, and runs of
 * them over vertices or pixels. docs/a2xx/core.md describes the model. */
#ifndef TESSERA_A2XX_H
#define TESSERA_A2XX_H

#include <tessera/isa.h>
#include <tessera/machine.h>
#include <tessera/step.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TESS_A2XX_REGISTERS = 64,
    TESS_A2XX_EXPORTS = 64,
    TESS_A2XX_CONSTANTS = 512, /* number of constants of both stages together; each has four
                                * floats */
    TESS_A2XX_BOOLS = 256,
    TESS_A2XX_LOOPS = 32,
    TESS_A2XX_FETCH_WORDS = 192, /* 32 texture constants of 6 words, or 96 vertex constants of 2 */
    TESS_A2XX_BATCH = 64,        /* number of lanes that are executed together */
};

/* Numbers of export registers. */
enum {
    TESS_A2XX_PARAMETER = 0, /* vertex programs: parameters 0 to 15 */
    TESS_A2XX_COLOUR = 0,    /* pixel programs: colours 0 to 3 */
    TESS_A2XX_DEPTH = 61,
    TESS_A2XX_POSITION = 62,
    TESS_A2XX_POINT = 63, /* x: size, y: edge flag, z: kill vertex */
};

enum tess_a2xx_stage { TESS_A2XX_VERTEX, TESS_A2XX_PIXEL };

/* --- programs --- */

/* Kinds of names in a program's interface, which lines such as "@attribute(R1) name" declare. */
enum tess_a2xx_kind {
    TESS_A2XX_ATTRIBUTE, /* number: first register that a fetch of the attribute writes */
    TESS_A2XX_VARYING,   /* number: export of a vertex program, or register of a pixel program */
    TESS_A2XX_UNIFORM,   /* number: first constant */
    TESS_A2XX_CONST,     /* number: constant; has values */
    TESS_A2XX_SAMPLER,   /* number: texture constant */
    TESS_A2XX_BOOL,      /* number: boolean constant; has a value */
    TESS_A2XX_LOOP,      /* number: loop constant; has count, start and step */
};

struct tess_a2xx_symbol {
    enum tess_a2xx_kind kind;
    const char *name;       /* owned by the program; "" for constants */
    uint32_t number, count; /* count: number of registers or constants */
    float values[4];        /* for constants of all kinds */
};

/* A vertex fetch of a program: the source and the format of its data. */
struct tess_a2xx_vertex_fetch {
    size_t slot;         /* slot of the instruction */
    uint32_t constant;   /* number of the vertex constant, 0 to 95: 3 * fetch constant + 0, 1 or
                          * 2 */
    uint32_t format;     /* format code (FMT_) */
    uint32_t stride;     /* in bytes */
    int32_t offset;      /* in bytes */
    uint32_t reg;        /* register that the fetch writes */
    uint32_t components; /* components of the format */
    bool is_signed, normalized;
    const char *name; /* name of the attribute in the register reg, or NULL */
};

struct tess_a2xx_program;

/* Reads a program for "tessera run -m a2xx": a source, which is assembled, or machine code in any
 * form that tess_disassemble() reads. The content decides which. name is used in place of a file
 * name in diagnostics and may be NULL. options may be NULL. On success, the caller frees *program
 * with tess_a2xx_program_free(); on failure, *program is NULL. Returns TESS_INVALID, TESS_WRONG
 * (mistakes in a source), TESS_BAD_INPUT (no instructions, too many, or an incomplete one) or
 * TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_a2xx_program_read(const void *bytes, size_t size, const char *name,
                                                 const struct tess_asm_options *options,
                                                 struct tess_sink sink,
                                                 struct tess_a2xx_program **program);

/* Creates a program without an interface from words, three for each slot. slots is 1 to 4096. The
 * words are copied. On success, the caller frees *program with tess_a2xx_program_free(); on
 * failure, *program is NULL. Returns TESS_INVALID or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_a2xx_program_words(const uint32_t *words, size_t slots,
                                                  enum tess_a2xx_variant variant,
                                                  struct tess_a2xx_program **program);

/* Frees a program. NULL is allowed. */
TESS_API void tess_a2xx_program_free(struct tess_a2xx_program *program);

/* Returns the program's words, three for each slot, which the program owns, and stores the number
 * of slots in *slots. slots may be NULL. */
TESS_API const uint32_t *tess_a2xx_program_code(const struct tess_a2xx_program *program,
                                                size_t *slots);

/* Returns the stage of a program: TESS_A2XX_VERTEX if it exports a position or fetches vertices,
 * else TESS_A2XX_PIXEL. */
TESS_API enum tess_a2xx_stage tess_a2xx_program_stage(const struct tess_a2xx_program *program);

/* Returns a symbol of the interface by its index, or NULL past the last. Symbols are in the order
 * of the source. The program owns the symbol. */
TESS_API const struct tess_a2xx_symbol *
tess_a2xx_program_symbol(const struct tess_a2xx_program *program, size_t index);

/* Returns the symbol with a kind and name, or NULL if there is no such symbol. The program owns the
 * symbol. */
TESS_API const struct tess_a2xx_symbol *
tess_a2xx_program_find(const struct tess_a2xx_program *program, enum tess_a2xx_kind kind,
                       const char *name);

/* Returns a vertex fetch by its index, or NULL past the last. Fetches are in the order of their
 * slots. The program owns the fetch. */
TESS_API const struct tess_a2xx_vertex_fetch *
tess_a2xx_program_fetch(const struct tess_a2xx_program *program, size_t index);

/* Returns a mask of the components of export register number that the program's instructions write.
 * Bit 0 is x, and bit 3 is w. */
TESS_API uint32_t tess_a2xx_program_exports(const struct tess_a2xx_program *program,
                                            uint32_t number);

/* Returns true if an instruction of the program may kill a lane. */
TESS_API bool tess_a2xx_program_kills(const struct tess_a2xx_program *program);

/* Returns a mask of the texture constants that the program's instructions sample: bit n for
 * constant n. */
TESS_API uint32_t tess_a2xx_program_textures(const struct tess_a2xx_program *program);

/* Reports two kinds of mistakes in a vertex program, like tess_check(): an attribute that is
 * declared but that no fetch reads, and a colour or another attribute that is exported as the
 * position. */
TESS_API void tess_a2xx_program_check_attributes(const struct tess_a2xx_program *program,
                                                 struct tess_sink sink);

/* Writes the instruction in a slot as assembly, NUL-terminated and truncated to size bytes. Both
 * halves of a control-flow slot, and both operations of an ALU instruction, are separate lines.
 * Returns the length of the whole text without the NUL, or 0 past the last slot. */
TESS_API size_t tess_a2xx_program_text(const struct tess_a2xx_program *program, size_t slot,
                                       char *text, size_t size);

/* Sets *file and *line to the source line of a slot. half (0 or 1) selects one of the two
 * instructions of a control-flow slot. Sets *file to NULL and *line to 0 if the source line is
 * unknown. The program owns the string. */
TESS_API void tess_a2xx_program_line(const struct tess_a2xx_program *program, size_t slot,
                                     uint32_t half, const char **file, uint32_t *line);

/* --- fetch constants --- */

/* A texture, with the fields of its fetch constant. Members may be left zero for defaults. */
struct tess_a2xx_texture {
    enum tess_a2xx_variant variant; /* determines the meaning of format codes */
    uint32_t address, mip_address;  /* multiples of 4096; mip_address may be 0 only if the texture
                                     * has no level 1 */
    uint32_t width, height, depth;  /* size of level 0 in texels; depth is 0 or 1 unless the texture
                                     * is a volume */
    uint32_t pitch;     /* length of a row in memory in texels, a multiple of 32; 0 selects the
                         * smallest possible length */
    uint32_t format;    /* format code (FMT_) */
    uint32_t dimension; /* 0 1D, 1 2D, 2 3D, 3 cube */
    uint32_t levels;    /* number of levels; 0 and 1 both mean that the texture has only level 0 */
    bool tiled;
    uint32_t endian;   /* 0 none, 1 8in16, 2 8in32, 3 16in32 */
    uint32_t clamp[3]; /* 0 wrap, 1 mirror, 2 last texel, 3 mirror once, 4 half border, 6 border */
    uint32_t mag, min; /* 0 point, 1 linear */
    uint32_t mip;      /* 0 point, 1 linear, 2 level 0 only */
    bool swizzled;     /* true to use .swizzle; false for x, y, z, w */
    uint32_t swizzle[4]; /* for each component, 0 to 3 for x to w of the texture, 4 for zero, 5 for
                          * one */
    uint32_t sign[4];    /* 0 unsigned, 1 signed, 2 biased, 3 gamma */
    bool whole_numbers;  /* true if components are whole numbers; false if they are normalised */
    int32_t lod_bias;    /* added to the level of detail, in units of 1/32 of a level */
    bool white_border;
};

/* Encodes a texture as the six words of a texture constant. Returns TESS_INVALID if a member does
 * not fit its field. */
TESS_API enum tess_status tess_a2xx_texture_constant(const struct tess_a2xx_texture *texture,
                                                     uint32_t words[6]);

/* Encodes the two words of a vertex constant. The constant describes a buffer at address, which
 * must be a multiple of 4, with a size in bytes. */
TESS_API void tess_a2xx_vertex_constant(uint32_t address, uint32_t bytes, uint32_t words[2]);

/* Computes the sizes of a texture in memory, in bytes, at .address (base) and at .mip_address
 * (mips). Both are 0 if the texture cannot be encoded. Either pointer may be NULL. */
TESS_API void tess_a2xx_texture_size(const struct tess_a2xx_texture *texture, size_t *base,
                                     size_t *mips);

/* Returns the offset in bytes of the block that contains a texel, from .address for level 0, from
 * .mip_address for other levels. z is a layer of a volume, or a face of a cube. Returns 0 for
 * texels outside the texture. */
TESS_API size_t tess_a2xx_texture_offset(const struct tess_a2xx_texture *texture, uint32_t level,
                                         uint32_t x, uint32_t y, uint32_t z);

/* Finds the code of a format by its name, "8_8_8_8" or "FMT_8_8_8_8". Returns false for an unknown
 * name. */
TESS_API bool tess_a2xx_format_find(const char *name, enum tess_a2xx_variant variant,
                                    uint32_t *format);

/* Returns the name of a format code without FMT_, or NULL for an unknown code. The string is
 * static. */
TESS_API const char *tess_a2xx_format_name(uint32_t format, enum tess_a2xx_variant variant);

/* Returns the size of one element of a format in bytes, or 0 if the format does not exist or is
 * compressed. */
TESS_API size_t tess_a2xx_format_size(uint32_t format, enum tess_a2xx_variant variant);

/* Packs four floats into one element of a format, so that a vertex fetch or sample returns them.
 * bytes must have room for 16 bytes. Returns the element's size in bytes, or 0 if the format does
 * not exist or is compressed. */
TESS_API size_t tess_a2xx_format_pack(uint32_t format, enum tess_a2xx_variant variant,
                                      bool is_signed, bool normalized, const float values[4],
                                      uint8_t *bytes);

/* --- the machine --- */

/* Behaviour that the documents leave open, and that the user may choose (docs/a2xx/core.md). Zero
 * is the default. */
struct tess_a2xx_choices {
    bool fused_muladd;   /* true if MULADD, and each step of a dot product, rounds once instead of
                          * twice */
    bool keep_denormals; /* true to keep denormal results; denormal operands are always flushed to
                          * zero */
};

/* Options of a shader core. Must be zero-initialised; members that are 0 have defaults. */
struct tess_a2xx_options {
    struct tess_machine_options machine; /* control-flow instructions count as instructions */
    struct tess_a2xx_choices choices;
};

/* Default of .max_instructions of struct tess_machine_options. */
#define TESS_A2XX_LIMIT UINT64_C(1000000)

struct tess_a2xx;

/* Creates a shader core. options may be NULL. Findings are reported in the order of lanes. The
 * caller releases *out with tess_a2xx_destroy(). *out is NULL unless the result is TESS_OK. Returns
 * TESS_INVALID (an option out of range) or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_a2xx_create(struct tess_a2xx **out,
                                           const struct tess_a2xx_options *options);

/* Releases a shader core. NULL is allowed. The caller keeps ownership of the loaded programs and
 * the mapped memory. */
TESS_API void tess_a2xx_destroy(struct tess_a2xx *a2xx);

/* Loads the program of a stage and sets the constants that it defines. The program must live as
 * long as it is loaded. Returns TESS_INVALID or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_a2xx_load(struct tess_a2xx *a2xx, enum tess_a2xx_stage stage,
                                         const struct tess_a2xx_program *program);

/* Sets the range of the TESS_A2XX_CONSTANTS constants that a stage uses, like the registers
 * SQ_VS_CONST and SQ_PS_CONST. Must be called before constants are set and programs are loaded. By
 * default, vertex programs use constants 0 to 255 and pixel programs 256 to 511. Returns
 * TESS_INVALID if the range exceeds TESS_A2XX_CONSTANTS. */
TESS_API enum tess_status tess_a2xx_set_window(struct tess_a2xx *a2xx, enum tess_a2xx_stage stage,
                                               uint32_t base, uint32_t size);

/* Sets count constants of a stage, starting at first, four floats each. Returns TESS_INVALID if the
 * constants are outside of the range that tess_a2xx_set_window() has set. */
TESS_API enum tess_status tess_a2xx_set_constants(struct tess_a2xx *a2xx,
                                                  enum tess_a2xx_stage stage, uint32_t first,
                                                  const float *values, uint32_t count);

/* Sets a boolean constant, 0 to TESS_A2XX_BOOLS - 1. Both stages share the boolean constants.
 * Returns TESS_INVALID for other numbers. */
TESS_API enum tess_status tess_a2xx_set_bool(struct tess_a2xx *a2xx, uint32_t number, bool value);

/* Sets a loop constant, 0 to TESS_A2XX_LOOPS - 1: count 0 to 255, start 0 to 255, step -128 to 127.
 * Both stages share the loop constants. Returns TESS_INVALID for other values. */
TESS_API enum tess_status tess_a2xx_set_loop(struct tess_a2xx *a2xx, uint32_t number,
                                             uint32_t count, uint32_t start, int32_t step);

/* Sets count words of the fetch constants, starting at word first. Texture constant n begins at
 * word 6n, vertex constant n at word 2n. Returns TESS_INVALID if a word's number is
 * TESS_A2XX_FETCH_WORDS or more. */
TESS_API enum tess_status tess_a2xx_set_fetch(struct tess_a2xx *a2xx, uint32_t first,
                                              const uint32_t *words, uint32_t count);

/* Maps size bytes of the caller at a GPU address, for fetches and memory exports. The bytes must
 * stay valid until tess_a2xx_unmap() or tess_a2xx_destroy(). If writable is false, memory exports
 * to the range are reported. Returns TESS_INVALID (also if ranges overlap) or TESS_NO_MEMORY on
 * failure. */
TESS_API enum tess_status tess_a2xx_map(struct tess_a2xx *a2xx, uint32_t address, void *bytes,
                                        size_t size, bool writable);

/* Removes the range that begins at a GPU address. Does nothing if no range begins there. */
TESS_API void tess_a2xx_unmap(struct tess_a2xx *a2xx, uint32_t address);

/* The lanes for which a program is run. Arrays have an element for each lane. A pointer may be NULL
 * if the array is not needed. */
struct tess_a2xx_batch {
    enum tess_a2xx_stage stage;
    size_t count; /* number of lanes */
    /* Initial values of registers, indexed by lane. Registers without an array are 0, except that
     * R0.x of a vertex program is the lane's number plus base. */
    const float (*registers[TESS_A2XX_REGISTERS])[4];
    /* Results of exports, indexed by lane. Components that the program does not write keep their
     * value. */
    float (*exports[TESS_A2XX_EXPORTS])[4];
    /* True if four consecutive lanes form a quad: upper left, upper right, lower left, lower right.
     * count must then be a multiple of 4. Gradients and levels of detail are 0 if lanes do not form
     * quads. */
    bool quads;
    const uint8_t *helper; /* a nonzero element marks a helper lane, which only contributes to
                            * gradients and exports nothing */
    uint8_t *killed;       /* set to 1 for killed lanes, whose exports are not written */
    /* For data that are split into several batches. base is the number of the first lane of the
     * batch among all lanes. Set `more` in all batches except the last. Findings are then reported
     * at the end of the first run without `more`, or when a run fails. A batch without lanes is
     * allowed as the last batch. */
    size_t base;
    bool more;
};

/* Runs the stage's program for each lane of a batch. Returns TESS_OK even after findings. Returns
 * TESS_WRONG if a lane does not end within the limit; later lanes may not have been run then.
 * Returns TESS_INVALID (no program, or an invalid batch) or TESS_NO_MEMORY on failure. A kind of
 * finding is reported once for each instruction until the next tess_a2xx_load(). */
TESS_API enum tess_status tess_a2xx_run(struct tess_a2xx *a2xx,
                                        const struct tess_a2xx_batch *batch);

/* Counts since tess_a2xx_create(). */
struct tess_a2xx_stats {
    uint64_t lanes;
    uint64_t alu, vertex_fetches, texture_fetches, control; /* instructions of each kind that all
                                                             * lanes together have executed */
    uint64_t killed;
};

/* Stores the counts of a shader core. All are 0 if a2xx is NULL. */
TESS_API void tess_a2xx_get_stats(const struct tess_a2xx *a2xx, struct tess_a2xx_stats *stats);

/* --- tracing --- */

enum tess_a2xx_step_kind { TESS_A2XX_STEP_CONTROL, TESS_A2XX_STEP_ALU, TESS_A2XX_STEP_FETCH };

/* State of a lane. */
struct tess_a2xx_lane {
    bool predicate, killed;
    int32_t a0, al;
    const float (*registers)[4];
};

/* Effects of one instruction in one lane. Registers, predicate and address registers have their
 * values after the instruction. */
struct tess_a2xx_step {
    size_t lane;     /* number of the lane, including .base of the batch */
    uint64_t number; /* number of instructions that the lane has executed before this one */
    enum tess_a2xx_step_kind kind;
    size_t slot;
    uint32_t half; /* for control flow, the half of the slot (0 or 1) */
    bool skipped;  /* true if the instruction had no effect, because the predicate did not match the
                    * condition or because the clause or jump was not taken */
    /* Components of the result before clamping to 0..1 and the write mask. For fetches, the fetched
     * components before the swizzle. */
    float vector[4];
    float scalar;         /* scalar result; also the new previous scalar result (ps) unless .skipped
                           * is true */
    uint32_t export_mask; /* mask of the exported components */
    bool predicate, killed;
    int32_t a0, al;
    const float (*registers)[4];
    struct tess_a2xx_lane before; /* the same state before the instruction */
    /* The two halves of an ALU instruction, or the whole instruction. All arrays are valid during
     * the call. */
    const struct tess_operation *operations;
    size_t operation_count;
};

/* Value of the argument `lane` of tess_a2xx_trace() that selects every lane of the batch. */
#define TESS_A2XX_EVERY_LANE SIZE_MAX

/* Receives an executed instruction. Returns true to continue, or false to stop the batch before its
 * next instruction. */
typedef bool tess_a2xx_tracer(void *user, const struct tess_a2xx_step *step);

/* Runs the batch like tess_a2xx_run(), with one thread, and calls trace after each instruction of
 * one lane, or of every lane. As in tess_a2xx_run(), the lanes run in vectors of TESS_A2XX_BATCH
 * lanes, so other lanes may influence the branches that a lane takes. Returns TESS_STOPPED if trace
 * has returned false, unless the batch ended at this instruction; if every lane is traced, the
 * steps of the other lanes that execute the instruction still follow. The counts and findings so
 * far are then added to those of a2xx; findings are reported by the run that ends the batch.
 * Returns TESS_INVALID also if lane is outside the batch or trace is NULL; otherwise the same
 * values as tess_a2xx_run(). */
TESS_API enum tess_status tess_a2xx_trace(struct tess_a2xx *a2xx,
                                          const struct tess_a2xx_batch *batch, size_t lane,
                                          tess_a2xx_tracer *trace, void *user);

/* Continues the stopped batch. The batch must have the same stage, count, flags and arrays as
 * before; the arrays may be at other addresses. Returns the same values as tess_a2xx_trace(), and
 * TESS_INVALID if no batch is stopped or if the stage or count differ. tess_a2xx_load(),
 * tess_a2xx_run() and tess_a2xx_trace() give up a stopped batch: lanes that have not ended write no
 * exports, and no memory exports of the batch are performed. */
TESS_API enum tess_status tess_a2xx_resume(struct tess_a2xx *a2xx,
                                           const struct tess_a2xx_batch *batch, size_t lane,
                                           tess_a2xx_tracer *trace, void *user);

/* --- saved states --- */

/* A state has everything in a shader core on which later runs and queries depend: the constants of
 * all kinds and their windows, the counts, the findings that wait for the end of a batch or were
 * already reported, and a stopped batch. It can be saved between runs, also within data that are
 * split into several batches and after a run that has failed, and between the instructions of a
 * batch, after TESS_STOPPED. The programs, the options, the mapped memory and the arrays of
 * batches belong to the caller and are not in the state. The bytes do not depend on the host. */

/* Returns the size of the current state in bytes, or 0 if a2xx is NULL or a run is in progress. */
TESS_API size_t tess_a2xx_state_size(const struct tess_a2xx *a2xx);

/* Writes the state to `size` bytes, of which it uses tess_a2xx_state_size(). Returns TESS_INVALID
 * if they are too few, or if a run is in progress. */
TESS_API enum tess_status tess_a2xx_save_state(const struct tess_a2xx *a2xx, void *to, size_t size);

/* Replaces the state by a saved one, from the same or another shader core. The options, except the
 * number of threads, the loaded programs, and the addresses, sizes and permissions of mapped ranges
 * must be equal to those of the saved one. Bytes after the state are ignored. Returns TESS_MISMATCH
 * if the state belongs to another machine, version, program, memory map or other options;
 * TESS_BAD_INPUT if the bytes are damaged; TESS_INVALID if from is NULL or a run is in progress; or
 * TESS_NO_MEMORY. After a failure, a2xx is unchanged. */
TESS_API enum tess_status tess_a2xx_restore_state(struct tess_a2xx *a2xx, const void *from,
                                                  size_t size);

#ifdef __cplusplus
}
#endif

#endif
