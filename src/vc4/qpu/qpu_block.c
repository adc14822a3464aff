/* SPDX-License-Identifier: MIT */
/* qpu_block.c - see qpu_block.h: the cache of blocks.
 *
 * In:  an address and the code there.
 * Out: the block at the address. qpu_block_find.c finds its instructions, and qpu_block_emit.c
 *      translates them. */
#include "vc4/qpu/qpu_block.h"

#include <string.h>

#include "base/bits.h"
#include "vc4/qpu/qpu_block_builder.h"
#include "vc4/qpu/qpu_ops.h"

enum {
    WORD = 8,
    OPS_AT_MOST = 32, /* limit of operations per instruction */
};

/* Returns the registers of both files that the block may write. */
static uint64_t block_writes(const struct qpu_builder *b)
{
    uint64_t registers = 0;
    for (unsigned i = 0; i < b->count; i++) {
        const struct qpu_insn *insn = &b->insn[i].insn;
        const struct qpu_side side[2] = {qpu_add_side(insn), qpu_mul_side(insn)};
        for (unsigned k = 0; k < 2; k++)
            if (qpu_writes(&side[k]) && side[k].waddr < 32)
                registers |= qpu_register_bit(side[k].file_a, side[k].waddr);
    }
    return registers;
}

static void forget_all(struct qpu_blocks *blocks)
{
    memset(blocks->block, 0, sizeof blocks->block);
    blocks->words_used = blocks->ops_used = 0;
}

static void make_block(struct qpu_blocks *blocks, struct qpu_block *block, uint32_t address,
                       const uint8_t *code, uint32_t size)
{
    if (blocks->words_used + QPU_BLOCK_LENGTH > QPU_BLOCK_WORDS ||
        blocks->ops_used + QPU_BLOCK_LENGTH * OPS_AT_MOST > QPU_BLOCK_OPS)
        forget_all(blocks);
    struct qpu_builder b;
    b.handlers = blocks->portable ? &qpu_handlers_portable : qpu_handlers_native();
    b.op = b.first_op = &blocks->op[blocks->ops_used];
    b.constants = 0;
    qpu_block_collect(&b, code, size / WORD);
    qpu_block_translate(&b);
    *block = (struct qpu_block){
        .address = address,
        .count = (uint16_t)b.count,
        .words = (uint16_t)(b.count ? b.count : 1),
        .first_word = blocks->words_used,
        .first_op = blocks->ops_used,
        .ops = (uint32_t)(b.op - b.first_op),
        .read_a = b.insn[0].read_a,
        .read_b = b.insn[0].read_b,
        .sfu_delay = (uint8_t)qpu_block_delay_left(b.count, b.sfu_at),
        .uniform_delay = (uint8_t)qpu_block_delay_left(b.count, b.uniform_at),
        .ends = b.ends,
        .shares = qpu_block_shares(&b),
        .rotated = qpu_block_rotated(&b.insn[0].insn),
        .constants = b.constants,
        .writes = block_writes(&b),
        .wait = qpu_may_wait(&b.insn[0]),
        .branches = b.branch_at != QPU_BLOCK_NEVER,
    };
    for (unsigned i = 0; i < block->words; i++)
        blocks->word[block->first_word + i] = load_le64(code + (size_t)WORD * i);
    blocks->words_used += block->words;
    blocks->ops_used += block->ops;
}

static bool matches(const struct qpu_blocks *blocks, const struct qpu_block *block,
                    uint32_t address, const uint8_t *code, uint32_t size)
{
    const uint64_t *word = &blocks->word[block->first_word];
    if (block->words == 0 || block->address != address || size / WORD < block->words)
        return false;
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        return memcmp(word, code, (size_t)WORD * block->words) == 0;
    uint64_t other = 0; /* no early exit, because the words nearly always match */
    for (unsigned i = 0; i < block->words; i++)
        other |= word[i] ^ load_le64(code + (size_t)WORD * i);
    return other == 0;
}

/* Returns the two entries that can contain the block at an address. */
static struct qpu_block *entries_of(struct qpu_blocks *blocks, uint32_t address)
{
    return &blocks->block[qpu_spread(address) & (QPU_BLOCKS - 2)];
}

const struct qpu_block *qpu_block_find(struct qpu_blocks *blocks, uint32_t address,
                                       const uint8_t *code, uint32_t size)
{
    struct qpu_block *entry = entries_of(blocks, address);
    for (unsigned i = 0; i < 2; i++)
        if (matches(blocks, &entry[i], address, code, size))
            return &entry[i];
    entry[1] = entry[0];
    make_block(blocks, &entry[0], address, code, size);
    return &entry[0];
}
