/* SPDX-License-Identifier: MIT */
/* a2xx.h - the shader core of a Qualcomm Adreno A2xx, or of its twin, the Xenos: programs, and runs of them over vertices or
 * pixels. */
#ifndef TESSERA_A2XX_H
#define TESSERA_A2XX_H

#include <tessera/isa.h>
#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TESS_A2XX_REGISTERS = 64,
    TESS_A2XX_EXPORTS = 64,
    TESS_A2XX_CONSTANTS = 512, /* of both stages together, four floats each */
    TESS_A2XX_BOOLS = 256,
    TESS_A2XX_LOOPS = 32,
    TESS_A2XX_FETCH_WORDS = 192, /* 32 texture constants of 6 words, or 96 vertex constants of 2 */
    TESS_A2XX_BATCH = 64,        /* lanes that run together */
};

/* Export registers. */
enum {
    TESS_A2XX_PARAMETER = 0, /* vertex programs: 0 to 15 */
    TESS_A2XX_COLOUR = 0,    /* pixel programs: 0 to 3 */
    TESS_A2XX_DEPTH = 61,
    TESS_A2XX_POSITION = 62,
    TESS_A2XX_POINT = 63, /* x: size, y: edge flag, z: kill vertex */
};

enum tess_a2xx_stage { TESS_A2XX_VERTEX, TESS_A2XX_PIXEL };

/* --- programs --- */

/* What a name of a program's interface stands for: "@attribute(R1) name" and the like. */
enum tess_a2xx_kind {
    TESS_A2XX_ATTRIBUTE, /* number: register that its fetch writes */
    TESS_A2XX_VARYING,   /* number: export of a vertex program, register of a pixel program */
    TESS_A2XX_UNIFORM,   /* number: first constant */
    TESS_A2XX_CONST,     /* number: constant, with its values */
    TESS_A2XX_SAMPLER,   /* number: texture constant */
    TESS_A2XX_BOOL,      /* number: boolean constant, with its value */
    TESS_A2XX_LOOP,      /* number: loop constant, with count, start and step */
};

struct tess_a2xx_symbol {
    enum tess_a2xx_kind kind;
    const char *name;       /* belongs to the program; "" for constants */
    uint32_t number, count; /* count: registers or constants */
    float values[4];        /* of constants of all kinds */
};

/* A vertex fetch of a program, where its data come from. */
struct tess_a2xx_vertex_fetch {
    size_t slot;         /* of the instruction */
    uint32_t constant;   /* vertex constant, 0 to 95: index * 3 + third */
    uint32_t format;     /* FMT_ code */
    uint32_t stride;     /* in bytes */
    int32_t offset;      /* in bytes */
    uint32_t reg;        /* that it writes */
    uint32_t components; /* of the format */
    bool is_signed, normalized;
    const char *name; /* of the attribute with this register, or NULL */
};

struct tess_a2xx_program;

/* Reads a program for "tessera run -m a2xx": a source, which is assembled, or machine code in any form that
 * tess_disassemble() reads; the content decides. name stands for the file in diagnostics. The caller frees *program with
 * tess_a2xx_program_free(); it is NULL after a failure. Errors: TESS_INVALID, TESS_WRONG (mistakes in a source),
 * TESS_BAD_INPUT (no instructions, too many, not whole), TESS_NO_MEMORY. */
TESS_API enum tess_status tess_a2xx_program_read(const void *bytes, size_t size, const char *name,
                                                 const struct tess_asm_options *options,
                                                 struct tess_sink sink,
                                                 struct tess_a2xx_program **program);

/* Makes a program of bare words, three for each slot, without an interface. */
TESS_API enum tess_status tess_a2xx_program_words(const uint32_t *words, size_t slots,
                                                  enum tess_a2xx_variant variant,
                                                  struct tess_a2xx_program **program);

TESS_API void tess_a2xx_program_free(struct tess_a2xx_program *program);

TESS_API const uint32_t *tess_a2xx_program_code(const struct tess_a2xx_program *program,
                                                size_t *slots);

/* What the exports of the program say about its stage: a vertex program exports a position. */
TESS_API enum tess_a2xx_stage tess_a2xx_program_stage(const struct tess_a2xx_program *program);

/* The interface, in the order of the source; NULL beyond the last. */
TESS_API const struct tess_a2xx_symbol *
tess_a2xx_program_symbol(const struct tess_a2xx_program *program, size_t index);

/* The symbol of this kind and name, or NULL. */
TESS_API const struct tess_a2xx_symbol *
tess_a2xx_program_find(const struct tess_a2xx_program *program, enum tess_a2xx_kind kind,
                       const char *name);

/* The vertex fetches in the order of their slots; NULL beyond the last. */
TESS_API const struct tess_a2xx_vertex_fetch *
tess_a2xx_program_fetch(const struct tess_a2xx_program *program, size_t index);

/* Which components of an export some instruction writes: bit 0 is x, bit 3 is w. */
TESS_API uint32_t tess_a2xx_program_exports(const struct tess_a2xx_program *program,
                                            uint32_t number);

/* Whether some instruction may kill. */
TESS_API bool tess_a2xx_program_kills(const struct tess_a2xx_program *program);

/* Which texture constants, bits 1 << n, some instruction samples. */
TESS_API uint32_t tess_a2xx_program_textures(const struct tess_a2xx_program *program);

/* Reports attributes of a vertex program that no fetch reads, and colours and the like that are exported as the position, as
 * tess_check() does. */
TESS_API void tess_a2xx_program_check_attributes(const struct tess_a2xx_program *program,
                                                 struct tess_sink sink);

/* Writes the instruction in a slot as assembly, NUL-terminated and cut at size; both halves of a control-flow slot, and both
 * operations of an ALU instruction, with a line break between them. Returns the length of the whole text; 0 beyond the last
 * slot. */
TESS_API size_t tess_a2xx_program_text(const struct tess_a2xx_program *program, size_t slot,
                                       char *text, size_t size);

/* Where a slot comes from, or half 1 of a control-flow slot, as far as the program knows: *file may be set to NULL, *line
 * to 0. */
TESS_API void tess_a2xx_program_line(const struct tess_a2xx_program *program, size_t slot,
                                     uint32_t half, const char **file, uint32_t *line);

/* --- fetch constants --- */

/* A texture, as its fetch constant describes it. Zero every member that you do not care about. */
struct tess_a2xx_texture {
    enum tess_a2xx_variant variant; /* decides what a format's code is */
    uint32_t address, mip_address;  /* multiples of 4096; level 1 cannot be at 0 */
    uint32_t width, height, depth;  /* of level 0; depth: of a volume, else 0 or 1 */
    uint32_t pitch;     /* texels in a row in memory, a multiple of 32; 0: the next one */
    uint32_t format;    /* FMT_ code */
    uint32_t dimension; /* 0 1D, 1 2D, 2 3D, 3 cube */
    uint32_t levels;    /* 0 or 1: the base only */
    bool tiled;
    uint32_t endian;   /* 0 none, 1 8in16, 2 8in32, 3 16in32 */
    uint32_t clamp[3]; /* 0 wrap, 1 mirror, 2 last texel, 3 mirror once, 4 half border, 6 border */
    uint32_t mag, min; /* 0 point, 1 linear */
    uint32_t mip;      /* 0 point, 1 linear, 2 base level only */
    bool swizzled;     /* else .swizzle does not count: x, y, z, w */
    uint32_t swizzle[4]; /* 0 to 3 components, 4 zero, 5 one */
    uint32_t sign[4];    /* 0 unsigned, 1 signed, 2 biased, 3 gamma */
    bool whole_numbers;  /* not normalised */
    int32_t lod_bias;    /* in 32nds */
    bool white_border;
};

/* Makes the six words of the constant. TESS_INVALID if a member does not fit into its field. */
TESS_API enum tess_status tess_a2xx_texture_constant(const struct tess_a2xx_texture *texture,
                                                     uint32_t words[6]);

/* The two words of a vertex constant: bytes from address, a multiple of 4, on. */
TESS_API void tess_a2xx_vertex_constant(uint32_t address, uint32_t bytes, uint32_t words[2]);

/* How many bytes the texture takes from .address and .mip_address on; 0 if it has no constant. Either
 * pointer may be NULL. */
TESS_API void tess_a2xx_texture_size(const struct tess_a2xx_texture *texture, size_t *base,
                                     size_t *mips);

/* Where the block that holds a texel begins, in bytes from .address for level 0, from .mip_address for others; z is a layer of a
 * volume, or a face of a cube. 0 for what is not in the texture. */
TESS_API size_t tess_a2xx_texture_offset(const struct tess_a2xx_texture *texture, uint32_t level,
                                         uint32_t x, uint32_t y, uint32_t z);

/* Finds the code of a format by its name, "8_8_8_8" or "FMT_8_8_8_8"; its name without FMT_, NULL if it is none. */
TESS_API bool tess_a2xx_format_find(const char *name, enum tess_a2xx_variant variant,
                                    uint32_t *format);
TESS_API const char *tess_a2xx_format_name(uint32_t format, enum tess_a2xx_variant variant);

/* Bytes of one element of a format that stands alone; 0 if the format has none or is compressed. */
TESS_API size_t tess_a2xx_format_size(uint32_t format, enum tess_a2xx_variant variant);

/* Packs four floats into one element of a format that stands alone, as a vertex fetch or sample would read them; returns its
 * bytes, as tess_a2xx_format_size() does. bytes must have room for 16. */
TESS_API size_t tess_a2xx_format_pack(uint32_t format, enum tess_a2xx_variant variant,
                                      bool is_signed, bool normalized, const float values[4],
                                      uint8_t *bytes);

/* --- the machine --- */

/* What the documents leave open, and what the user may choose (docs/a2xx/core.md). Zero is the default. */
struct tess_a2xx_choices {
    bool fused_muladd;   /* MULADD, and each step of a dot product, rounds once, not twice */
    bool keep_denormals; /* of results; operands are always flushed */
};

/* Zero every member that you do not care about. */
struct tess_a2xx_options {
    struct tess_a2xx_choices choices;
    unsigned threads; /* 0: as many as the host has; results do not depend on it */
    bool no_findings; /* leaves the sanitizer out */
    uint64_t limit;   /* instructions of one lane, control flow included; 0: TESS_A2XX_LIMIT */
    uint32_t shown;   /* findings of each kind that go to the sink; 0: 8 */
};

/* How many instructions a lane may execute by default, before it counts as one that never ends. */
#define TESS_A2XX_LIMIT UINT64_C(1000000)

struct tess_a2xx;

/* Creates a shader core. *a2xx is freed with tess_a2xx_free(); NULL after a failure. What it finds goes to sink, which is
 * called on the thread that called tess_a2xx_run(), in the order of lanes. Errors: TESS_INVALID, TESS_NO_MEMORY. */
TESS_API enum tess_status tess_a2xx_create(const struct tess_a2xx_options *options,
                                           struct tess_sink sink, struct tess_a2xx **a2xx);
TESS_API void tess_a2xx_free(struct tess_a2xx *a2xx);

/* Loads the program of a stage, which must live as long as it is loaded, and sets the constants that it defines. */
TESS_API enum tess_status tess_a2xx_load(struct tess_a2xx *a2xx, enum tess_a2xx_stage stage,
                                         const struct tess_a2xx_program *program);

/* Where a stage's constants are in the file of TESS_A2XX_CONSTANTS: SQ_VS_CONST, SQ_PS_CONST. Set it before constants and
 * programs. By default vertex programs have 0 to 255, pixel programs 256 to 511. */
TESS_API enum tess_status tess_a2xx_set_window(struct tess_a2xx *a2xx, enum tess_a2xx_stage stage,
                                               uint32_t base, uint32_t size);

/* Sets constants of a stage from first on, four floats each. TESS_INVALID beyond its window. */
TESS_API enum tess_status tess_a2xx_set_constants(struct tess_a2xx *a2xx,
                                                  enum tess_a2xx_stage stage, uint32_t first,
                                                  const float *values, uint32_t count);

/* Sets a boolean constant, which both stages share; a loop constant, count 0 to 255, start 0 to 255, step -128 to 127. */
TESS_API enum tess_status tess_a2xx_set_bool(struct tess_a2xx *a2xx, uint32_t number, bool value);
TESS_API enum tess_status tess_a2xx_set_loop(struct tess_a2xx *a2xx, uint32_t number,
                                             uint32_t count, uint32_t start, int32_t step);

/* Sets words of the fetch constants: texture constant n begins at 6n, vertex constant n at 2n. */
TESS_API enum tess_status tess_a2xx_set_fetch(struct tess_a2xx *a2xx, uint32_t first,
                                              const uint32_t *words, uint32_t count);

/* Makes bytes visible to fetches and memory exports at a GPU address, as long as they live or until tess_a2xx_unmap(). Ranges
 * may not overlap. writable: else memory exports there are a finding. Errors: TESS_INVALID, TESS_NO_MEMORY. */
TESS_API enum tess_status tess_a2xx_map(struct tess_a2xx *a2xx, uint32_t address, void *bytes,
                                        size_t size, bool writable);
TESS_API void tess_a2xx_unmap(struct tess_a2xx *a2xx, uint32_t address);

/* What a program is run over. Arrays have an element for each lane of the batch; NULL stands for none. */
struct tess_a2xx_batch {
    enum tess_a2xx_stage stage;
    size_t count; /* of lanes */
    /* Registers at the start, indexed by lane. Registers without an array are 0; but R0.x of a vertex program is the number of
     * the lane plus base. */
    const float (*registers[TESS_A2XX_REGISTERS])[4];
    /* Exports, indexed by lane. Components that the program does not write keep what they held. */
    float (*exports[TESS_A2XX_EXPORTS])[4];
    /* Lanes come in fours, left and right, above and below, so that levels of detail can be computed; count must be a
     * multiple of 4. Without, gradients are 0. */
    bool quads;
    const uint8_t *helper; /* lanes that are not 0 only help others: they export nothing */
    uint8_t *killed;       /* becomes 1 for lanes that were killed; their exports are not written */
    /* Of data that comes in pieces: lanes are numbered from base, and where more is set findings wait for the next run
     * without it, or one that fails. That run may have no lanes. */
    size_t base;
    bool more;
};

/* Runs the stage's program for each lane. Findings: TESS_OK all the same, unless a lane does not end within the limit:
 * TESS_WRONG, and later lanes may not have been run. Errors: TESS_INVALID (no program, a bad batch), TESS_NO_MEMORY. A kind
 * of finding at an instruction is told once until the next tess_a2xx_load(). */
TESS_API enum tess_status tess_a2xx_run(struct tess_a2xx *a2xx,
                                        const struct tess_a2xx_batch *batch);

/* What has been executed since tess_a2xx_create(). */
struct tess_a2xx_stats {
    uint64_t lanes;
    uint64_t alu, vertex_fetches, texture_fetches, control; /* instructions, summed over lanes */
    uint64_t killed;
};
TESS_API struct tess_a2xx_stats tess_a2xx_stats(const struct tess_a2xx *a2xx);

/* --- looking on --- */

enum tess_a2xx_step_kind { TESS_A2XX_STEP_CONTROL, TESS_A2XX_STEP_ALU, TESS_A2XX_STEP_FETCH };

/* What one instruction did, for one lane. Registers and the like are what they are behind it. */
struct tess_a2xx_step {
    size_t lane;     /* with .base of the batch */
    uint64_t number; /* of instructions of the lane before this one */
    enum tess_a2xx_step_kind kind;
    size_t slot;
    uint32_t half; /* of control flow: which of the slot's two */
    bool skipped;  /* the predicate was not the condition, or a clause or jump was not taken */
    /* The result's components before the limit to 0..1 and the write mask; of fetches what was fetched, before the swizzle. */
    float vector[4];
    float scalar;         /* result, which is ps now unless .skipped */
    uint32_t export_mask; /* components that were exported */
    bool predicate, killed;
    int32_t a0, al;
    const float (*registers)[4];
};

/* For tess_a2xx_trace(): every lane of the batch. */
#define TESS_A2XX_EVERY_LANE SIZE_MAX

/* Runs the batch as tess_a2xx_run() does, with one thread, and calls trace after each instruction of one lane, or of every
 * lane. Lanes of a batch run together in vectors of TESS_A2XX_BATCH, from the first on, and may decide together. */
TESS_API enum tess_status
tess_a2xx_trace(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch, size_t lane,
                void (*trace)(void *user, const struct tess_a2xx_step *step), void *user);

/* --- findings --- */

/* A kind of finding. Strings are static; docs/a2xx/findings.md has them all. */
struct tess_a2xx_finding {
    const char *id;
    enum tess_severity severity;
    const char *title, *hardware, *model, *instead, *source;
};
TESS_API size_t tess_a2xx_finding_count(void);
TESS_API const struct tess_a2xx_finding *tess_a2xx_finding_get(size_t number);
TESS_API const struct tess_a2xx_finding *tess_a2xx_finding_find(const char *id);

#ifdef __cplusplus
}
#endif

#endif
