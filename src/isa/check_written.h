/* SPDX-License-Identifier: MIT */
/* check_written.h - finds instructions that are written as numbers: data becomes code where
 * a program begins. */
#ifndef ISA_CHECK_WRITTEN_H
#define ISA_CHECK_WRITTEN_H

#include "isa/check_input.h"

/* Words of a machine and their kinds. */
struct check_written {
    enum tess_machine machine;
    uint32_t base; /* address of the first word */
    const uint8_t *words;
    size_t count;
    uint8_t *content; /* an enum check_content for each word */
    uint8_t *seen;    /* for each word, 1 if its control flow has been followed; must
                       * be zero at first */
};

/* Follows control flow from an address and turns data that it reaches into code. If the address is
 * data, all data reached from there counts. Data after an instruction counts if it looks like an
 * instruction. On machines whose programs contain no data, all data from the address on becomes
 * code. Zero words remain data because they are probably space to be filled. Returns false if the
 * host is out of memory. */
bool check_written_follow(const struct check_written *written, uint32_t address);

/* Returns true if the word at an address is data or does not exist. */
bool check_written_is_data(const struct check_written *written, uint32_t address);

/* Returns true if data at an address looks like a program, up to the program's end or for at
 * least enough words. */
bool check_written_begins(const struct check_written *written, uint32_t address, size_t enough);

/* Returns true if most of the first words of data at an address look like instructions. */
bool check_written_mostly(const struct check_written *written, uint32_t address);

/* Returns true if data at an address looks like the first instructions of the code after it. *code
 * becomes the address of that code. */
bool check_written_joins(const struct check_written *written, uint32_t address, uint32_t *code);

#endif
