/* SPDX-License-Identifier: MIT */
/* check_written.h - programs whose words are written as numbers: which data are code, because a
 * program begins there. */
#ifndef ISA_CHECK_WRITTEN_H
#define ISA_CHECK_WRITTEN_H

#include "isa/check_input.h"

/* Words of a machine, and what they are. */
struct check_written {
    enum tess_machine machine;
    uint32_t base; /* address of the first word */
    const uint8_t *words;
    size_t count;
    uint8_t *content; /* an enum check_content for each word */
    uint8_t *seen;    /* for each word: flow has been followed from here; zero at first */
};

/* Follows control flow from an address on, and makes code of the data that it meets: where the
 * program begins in data any, after an instruction what looks like one. All data from there on is
 * code where programs hold no data. What is zero is left alone: memory to be filled. False: no
 * memory. */
bool check_written_follow(const struct check_written *written, uint32_t address);

/* Whether the word at an address is data, or none of these words. */
bool check_written_is_data(const struct check_written *written, uint32_t address);

/* Whether data at an address looks like a program: up to its end, or for a number of words at
 * least. */
bool check_written_begins(const struct check_written *written, uint32_t address, size_t enough);

/* Whether most of the first words of data at an address look like instructions. */
bool check_written_mostly(const struct check_written *written, uint32_t address);

/* Whether data at an address look like the first instructions of the code after them, which is at
 * *code then. */
bool check_written_joins(const struct check_written *written, uint32_t address, uint32_t *code);

#endif
