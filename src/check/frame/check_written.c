/* SPDX-License-Identifier: MIT */
/* check_written.c - see check_written.h. */
#include "check/frame/check_written.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "isa/dis_isa.h"

enum {
    ENTIRE_WORDS = 3, /* length of the shortest program: the instruction that ends it and two delay
                       * slots */
    LOOKED_AT = 8,
};

/* Words whose control flow has not been followed yet. */
struct pending {
    size_t *words;
    size_t count;
    bool no_memory;
};

static struct dis_insn insn_at(const struct check_written *written, size_t word)
{
    uint32_t size = dis_isa(written->machine)->size;
    return (struct dis_insn){.bytes = written->words + word * size,
                             .address = written->base + (uint32_t)word * size,
                             .size = size};
}

static bool is_zero(const struct check_written *written, size_t word)
{
    static const uint8_t zeros[16];
    uint32_t size = dis_isa(written->machine)->size;
    return memcmp(written->words + word * size, zeros, size) == 0;
}

/* Finds the index of the word at an address. Returns false if there is no word. */
static bool word_at(const struct check_written *written, uint32_t address, size_t *word)
{
    uint32_t size = dis_isa(written->machine)->size, offset = address - written->base;
    *word = offset / size;
    return offset % size == 0 && *word < written->count;
}

static bool is_data(const struct check_written *written, size_t word)
{
    return written->content[word] == CHECK_DATA;
}

static bool is_plausible(const struct check_written *written, size_t word)
{
    const struct check_machine *machine = check_machine(written->machine);
    return machine->is_plausible &&
           machine->is_plausible(written->words + word * machine->word_bytes);
}

static void push(struct pending *pending, size_t word)
{
    if (ARRAY_GROW(pending->words, pending->count))
        pending->words[pending->count++] = word;
    else
        pending->no_memory = true;
}

static void push_target(const struct check_written *written, struct pending *pending, size_t word)
{
    struct dis_insn insn = insn_at(written, word);
    uint32_t target;
    size_t to;
    if (dis_isa(written->machine)->target(&insn, &target) && word_at(written, target, &to) &&
        (!is_data(written, to) || is_plausible(written, to)))
        push(pending, to);
}

/* Returns true if control flow can continue at a word that has not been followed yet. was_data is
 * true if the preceding word was data before it became code. */
static bool can_enter(const struct check_written *written, size_t word, bool was_data)
{
    return word < written->count && !written->seen[word] &&
           (!is_data(written, word) ||
            (!is_zero(written, word) && (was_data || is_plausible(written, word))));
}

/* Follows control flow from a word on. Stops at the end of the program, at a word that was followed
 * before, and at data that cannot be an instruction. */
static void follow_one(const struct check_written *written, struct pending *pending, size_t word)
{
    const struct dis_isa *isa = dis_isa(written->machine);
    bool was_data = true;
    for (size_t left = SIZE_MAX; left > 0 && can_enter(written, word, was_data); word++) {
        struct dis_insn insn = insn_at(written, word);
        size_t more = isa->instructions_left(&insn);
        was_data = is_data(written, word);
        written->seen[word] = 1;
        if (was_data)
            written->content[word] = CHECK_CODE;
        push_target(written, pending, word);
        left = left == SIZE_MAX ? more : left - 1;
    }
}

bool check_written_follow(const struct check_written *written, uint32_t address)
{
    struct pending pending = {0};
    size_t word;
    if (!word_at(written, address, &word))
        return true;
    if (dis_isa(written->machine)->only_code) {
        for (; word < written->count && is_data(written, word) && !is_zero(written, word); word++)
            written->content[word] = CHECK_CODE;
        return true;
    }
    push(&pending, word);
    while (pending.count > 0 && !pending.no_memory)
        follow_one(written, &pending, pending.words[--pending.count]);
    free(pending.words);
    return !pending.no_memory;
}

bool check_written_is_data(const struct check_written *written, uint32_t address)
{
    size_t word;
    return !word_at(written, address, &word) || is_data(written, word);
}

bool check_written_begins(const struct check_written *written, uint32_t address, size_t enough)
{
    const struct dis_isa *isa = dis_isa(written->machine);
    size_t word, left = SIZE_MAX, count = 0;
    if (isa->only_code || !word_at(written, address, &word))
        return false;
    for (; left > 0 && count < enough; word++, count++) {
        if (word >= written->count || !is_data(written, word) || !is_plausible(written, word))
            return false;
        struct dis_insn insn = insn_at(written, word);
        size_t more = isa->instructions_left(&insn);
        left = left == SIZE_MAX ? more : left - 1;
    }
    return left > 0 || count >= ENTIRE_WORDS;
}

bool check_written_joins(const struct check_written *written, uint32_t address, uint32_t *code)
{
    const struct dis_isa *isa = dis_isa(written->machine);
    size_t first, word;
    if (isa->only_code || !word_at(written, address, &first))
        return false;
    for (word = first; word < written->count && is_data(written, word); word++)
        if (!is_plausible(written, word))
            return false;
    *code = written->base + (uint32_t)word * isa->size;
    return word > first && word < written->count && written->content[word] == CHECK_CODE;
}

bool check_written_mostly(const struct check_written *written, uint32_t address)
{
    const struct dis_isa *isa = dis_isa(written->machine);
    size_t word, left = SIZE_MAX, count = 0, good = 0;
    if (isa->only_code || !word_at(written, address, &word))
        return false;
    for (; word < written->count && is_data(written, word) && count < LOOKED_AT && left > 0;
         word++, count++) {
        struct dis_insn insn = insn_at(written, word);
        size_t more = isa->instructions_left(&insn);
        good += is_plausible(written, word);
        left = left == SIZE_MAX ? more : left - 1;
    }
    return count >= ENTIRE_WORDS && 4 * good >= 3 * count;
}
