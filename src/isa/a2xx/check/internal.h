/* SPDX-License-Identifier: MIT */
/* internal.h - what the A2xx checker's own files share. */
#ifndef ISA_A2XX_CHECK_INTERNAL_H
#define ISA_A2XX_CHECK_INTERNAL_H

#include "isa/a2xx/check/check.h"
#include "isa/a2xx/facts.h"
#include "isa/check_found.h"

#define A2C_NONE UINT32_MAX

/* --- the interface --- */

/* What a file declares. The "any" members say whether there is one of the kind at all: else nothing is known. */
struct a2c_interface {
    bool any_constant, any_varying, any_sampler;
    bool constants[A2XX_CONSTANTS];
    uint64_t varyings; /* bits 1 << number of export or register */
    uint32_t samplers;
};

/* --- a program under check --- */

/* An instruction, counted in bytes from the start of the program. */
struct a2c_place {
    uint32_t offset, bytes;
};

struct a2c_checker {
    const struct check_input *input;
    enum tess_a2xx_variant variant;
    enum tess_shader_kind kind; /* VERTEX or FRAGMENT */
    uint32_t base;              /* address of the program */
    uint32_t *words;            /* A2XX_WORDS for each slot */
    uint8_t *kinds;             /* of each slot, bits of A2XX_SLOT_ALU and the like */
    uint32_t slots, cf_slots;
    struct a2xx_cf *cfs;
    uint32_t cf_count;
    bool *reached;      /* for each of cfs */
    uint32_t registers; /* that the program is given; 0: unknown */
    uint64_t exports;   /* bits 1 << number that some clause exports */
    uint8_t position;   /* components of the position that some clause exports */
    uint32_t position_at; /* the slot of the last of these exports */
    bool relative_exports;
    struct a2c_interface interface;
    struct check_found_list found;
};

static inline struct a2c_place a2c_cf(uint32_t cf)
{
    return (struct a2c_place){cf * A2XX_CF_BYTES, A2XX_CF_BYTES};
}

static inline struct a2c_place a2c_slot(uint32_t slot)
{
    return (struct a2c_place){slot * A2XX_SLOT_BYTES, A2XX_SLOT_BYTES};
}

static inline const uint32_t *a2c_words(const struct a2c_checker *checker, uint32_t slot)
{
    return checker->words + (size_t)slot * A2XX_WORDS;
}

/* How many instructions of a clause there are words for. */
static inline uint32_t a2c_count(const struct a2c_checker *checker, const struct a2xx_exec *exec)
{
    uint32_t left = exec->address < checker->slots ? checker->slots - exec->address : 0;
    return exec->count < left ? exec->count : left;
}

/* What a finding is about beside the instruction. */
struct a2c_about {
    struct a2c_place other; /* .bytes is 0: none */
    uint32_t subject;
};
#define A2C_ALONE           (&(const struct a2c_about){.subject = 0})
#define A2C_SUBJECT(number) (&(const struct a2c_about){.subject = (number)})
#define A2C_OTHER(...)      (&(const struct a2c_about){__VA_ARGS__})

/* Adds a finding to those of the check. */
void a2c_report(struct a2c_checker *checker, enum check_rule rule, struct a2c_place place,
                const struct a2c_about *about, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Reports a rule by its title. */
void a2c_report_title(struct a2c_checker *checker, enum check_rule rule, struct a2c_place place);

/* "xz" for bits 0 and 2. */
enum { A2C_COMPONENTS_MAX = 5 };
const char *a2c_components(char text[A2C_COMPONENTS_MAX], unsigned mask);

/* --- rules --- */

/* flow.c: what one control-flow instruction says, whether or not it is reached; and what is left over. */
void a2c_check_cf(struct a2c_checker *checker, uint32_t cf);
void a2c_check_flow(struct a2c_checker *checker);

/* breaks.c: predicated breaks that only some lanes may want. */
void a2c_check_breaks(struct a2c_checker *checker);

/* word.c: rules about one ALU instruction of a clause. */
void a2c_check_alu(struct a2c_checker *checker, uint32_t slot);

/* fetch.c: rules about one fetch of a clause. */
void a2c_check_fetch(struct a2c_checker *checker, uint32_t slot, bool divergent);

/* fetch.c: constants that are textures and vertex buffers. */
void a2c_check_fetch_constants(struct a2c_checker *checker);

/* Whether the words make sense as a fetch, and hardly as an ALU instruction. */
bool a2c_looks_like_fetch(const uint32_t words[A2XX_WORDS], enum tess_a2xx_variant variant);

/* exports.c: what is reserved against what is exported, over the whole program. */
void a2c_check_reserved(struct a2c_checker *checker);

/* walk.c: rules about all ways. False if the host is out of memory. */
bool a2c_check_ways(struct a2c_checker *checker);

#endif
