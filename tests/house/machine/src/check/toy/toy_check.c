/* SPDX-License-Identifier: MIT */
/* toy_check.c - the checker of the toy machine. */
#include "base/bits.h"
#include "check/frame/check_input.h"
#include "isa/toy/toy_isa.h"

static bool check(const struct check_input *input, struct check_sink sink)
{
    struct toy_insn insn = {0};
    for (size_t i = 0; i < input->count; i++)
        if (toy_decode(load_le32(input->words + 4 * i), &insn) && insn.op == TOY_END)
            return true;
    const struct check_finding finding = {.rule = CHECK_TOY_NO_END,
                                          .address = input->base,
                                          .entry = input->base,
                                          .text = "the program has no end"};
    if (input->count)
        sink.report(sink.user, &finding);
    return true;
}

const struct check_machine toy_check_machine = {.word_bytes = 4, .alignment = 4, .check = check};
