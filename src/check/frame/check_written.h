/* SPDX-License-Identifier: MIT */
/* check_written.h - finds programs that are written as numbers, and marks their data words as
 * code. */
#ifndef CHECK_FRAME_CHECK_WRITTEN_H
#define CHECK_FRAME_CHECK_WRITTEN_H

#include "check/frame/check_input.h"

/* Words of a machine and their kinds. */
struct check_written {
    enum tess_machine machine;
    uint32_t base; /* address of the first word */
    const uint8_t *words;
    size_t count;
    uint8_t *content; /* an enum check_content for each word */
    uint8_t *seen;    /* for each word, 1 if control flow has been followed through it; zero before
                       * the first call */
};

/* Follows control flow from an address and marks the data words that it reaches as code. If the
 * word at the address is data, all data words that control flow reaches from it become code. A data
 * word after an instruction becomes code only if it looks like an instruction. On machines whose
 * programs contain no data, all data from the address up to the next code or zero word become code.
 * Zero words remain data, because they are probably space to be filled. Returns false if the host
 * is out of memory. */
bool check_written_follow(const struct check_written *written, uint32_t address);

/* Returns true if the word at an address is data or does not exist. */
bool check_written_is_data(const struct check_written *written, uint32_t address);

/* Returns true if the data at an address look like a program. Examines the words up to the end of
 * the program, but at most enough words. */
bool check_written_begins(const struct check_written *written, uint32_t address, size_t enough);

/* Returns true if at least three quarters of the first eight data words at an address look like
 * instructions. */
bool check_written_mostly(const struct check_written *written, uint32_t address);

/* Returns true if the data at an address look like the first instructions of the code after the
 * data. Sets *code to the address of that code. */
bool check_written_joins(const struct check_written *written, uint32_t address, uint32_t *code);

#endif
