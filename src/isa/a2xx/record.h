/* SPDX-License-Identifier: MIT */
/* record.h - a parsed statement of the A2xx, before the program is arranged: an instruction, and
 * flags for the parts of the instruction that the source contains. */
#ifndef ISA_A2XX_RECORD_H
#define ISA_A2XX_RECORD_H

#include "asm/asm.h"
#include "isa/a2xx/a2xx_isa.h"

enum a2xx_record_kind { A2XX_RECORD_CF, A2XX_RECORD_ALU, A2XX_RECORD_FETCH };

/* Parts of the statement that the source contains, as bits of .written. */
enum {
    A2XX_HAS_ADDR = 1,
    A2XX_HAS_CNT = 2,
    A2XX_HAS_SEQ = 4,
    A2XX_HAS_DIR = 8,
    A2XX_HAS_LABEL = 16,   /* words[2] is the address of the target */
    A2XX_IS_RAW = 32,      /* the instruction is written as a number */
    A2XX_SERIALIZED = 64,  /* the instruction is marked with (S) */
    A2XX_HAS_VECTOR = 128, /* the line has a vector operation */
    A2XX_HAS_SCALAR = 256, /* the line has a scalar operation */
    A2XX_HAS_PLAIN = 512,  /* a constant is written without absolute value */
    A2XX_HAS_ABS = 1024,   /* a constant is written with absolute value */
    A2XX_RELATIVE_A0 = 2048,
    A2XX_RELATIVE_AL = 4096,
    A2XX_ONE_ARGUMENT = 8192, /* CONST of a vertex fetch has one argument */
};

struct a2xx_record {
    uint32_t words[A2XX_WORDS]; /* for control flow: the 48 bits of the instruction, then the
                                 * address of its target */
    uint8_t kind;               /* enum a2xx_record_kind */
    uint8_t zeros;              /* components of an export written as "0", bits 1 << component */
    uint16_t written;
};

_Static_assert(sizeof(struct a2xx_record) == ASM_RECORD,
               "the assembler keeps records of this size");

static inline uint64_t a2xx_record_cf(const struct a2xx_record *record)
{
    return record->words[0] | (uint64_t)record->words[1] << 32;
}

static inline void a2xx_record_set_cf(struct a2xx_record *record, uint64_t cf)
{
    record->words[0] = (uint32_t)cf;
    record->words[1] = (uint32_t)(cf >> 32);
}

#endif
