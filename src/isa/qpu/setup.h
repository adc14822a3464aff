/* SPDX-License-Identifier: MIT */
/* setup.h - reads the fields of setup words (setup.def). */
#ifndef ISA_QPU_SETUP_H
#define ISA_QPU_SETUP_H

#include <stdbool.h>
#include <stdint.h>

/* Fields: SETUP_VPM_ADDRESS and so on. Bits 7:0 of a value have the field's highest bit, bits 15:8
 * its lowest bit, and bit 16 is 1 for counts. */
enum setup_field {
#define SETUP(WORD, FIELD, high, low) SETUP_##WORD##_##FIELD = (high) | (low) << 8,
#define COUNT(WORD, FIELD, high, low) SETUP_##WORD##_##FIELD = (high) | (low) << 8 | 1 << 16,
#include "isa/qpu/setup.def"
};

/* Values of SETUP_ANY_ID. */
enum { SETUP_ID_VPM, SETUP_ID_RESERVED, SETUP_ID_STORE, SETUP_ID_STORE_STRIDE };

enum {
    SETUP_KIND_LOAD_PITCH = 9, /* SETUP_LOAD_KIND of the pitch of DMA loads */
    SETUP_SIZE_RESERVED = 3,   /* value of SETUP_VPM_SIZE */
    SETUP_MODE_RESERVED = 1,   /* value of SETUP_STORE_MODE */
};

/* Bits of SETUP_STENCIL_FACES. A word without faces sets the write masks of both faces. */
enum { SETUP_FACES_MASKS, SETUP_FACES_FRONT, SETUP_FACES_BACK };

/* Returns the value of a field. A count of 0 means 2 to the power of the field's width. */
static inline uint32_t setup_get(uint32_t word, enum setup_field field)
{
    const unsigned high = field & 0xff, low = field >> 8 & 0xff, bits = high - low + 1;
    const uint32_t value = word >> low & (UINT32_MAX >> (32 - bits));
    return value || !(field >> 16) ? value : UINT32_C(1) << bits;
}

/* The vectors that a VPM setup selects. A word has 1 << parts_log2 elements: bytes, halves or
 * words. part is the element of a packed or laned vector. */
struct setup_vpm {
    bool vertical, laned;
    uint8_t parts_log2, row, column, part;
};

/* Returns log2 of the number of elements per word. The reserved size selects words. */
static inline uint32_t setup_vpm_parts_log2(uint32_t word)
{
    const uint32_t size = setup_get(word, SETUP_VPM_SIZE);
    return size < 2 ? 2 - size : 0;
}

/* Decodes a VPM setup. Its address has the element in its low bits, below the row (Y), or below the
 * row and column (Y, X) of vertical vectors. */
static inline struct setup_vpm setup_vpm(uint32_t word)
{
    const uint32_t parts_log2 = setup_vpm_parts_log2(word);
    const uint32_t address = setup_get(word, SETUP_VPM_ADDRESS);
    const uint32_t place = address >> parts_log2 & 0x3f;
    const bool vertical = !setup_get(word, SETUP_VPM_HORIZONTAL);
    return (struct setup_vpm){
        .vertical = vertical,
        .laned = parts_log2 && setup_get(word, SETUP_VPM_LANED),
        .parts_log2 = (uint8_t)parts_log2,
        .row = (uint8_t)(vertical ? place & 0x30 : place),
        .column = (uint8_t)(vertical ? place & 0xf : 0),
        .part = (uint8_t)(address & ((1u << parts_log2) - 1)),
    };
}

/* Returns true if the setup selects horizontal vectors of 32-bit words. */
static inline bool setup_is_whole_rows(uint32_t word)
{
    enum { WORDS = 2 };
    return setup_get(word, SETUP_VPM_SIZE) == WORDS && setup_get(word, SETUP_VPM_HORIZONTAL) &&
           !setup_get(word, SETUP_VPM_LANED);
}

/* Returns log2 of the number of elements per word of a DMA transfer, by its mode (MODEW): 0 selects
 * words, 2 and 3 one of the two halves of each word, and 4 to 7 one of the four bytes. */
static inline uint32_t setup_mode_parts_log2(uint32_t mode)
{
    return mode >= 4 ? 2 : mode >= 2 ? 1 : 0;
}

/* Returns the number of the half or byte that the mode selects. */
static inline uint32_t setup_mode_part(uint32_t mode)
{
    return mode & ((1u << setup_mode_parts_log2(mode)) - 1);
}

#endif
