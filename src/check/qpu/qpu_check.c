/* SPDX-License-Identifier: MIT */
/* qpu_check.c - runs the rules over every program in a range of words.
 *
 * In:  instruction words, the content of each word (code or data), and the programs' entries.
 * Out: findings, sorted and without duplicates. Instructions that no entry reaches are checked as
 *      further programs. If such a program follows another program's end, it is checked from the
 *      state at a program's start. Otherwise a computed branch may lead to its instructions, so it
 *      is checked from an arbitrary state. */
#include <stdlib.h>

#include "base/bits.h"
#include "check/qpu/qpu_check_private.h"

enum {
    WORDS_MAX = 1 << 22,
    NODES_PER_WORD = 4,
    FAR_NODES = 256,     /* most nodes that found_distance() visits */
    FOUND_MAX = 1 << 16, /* most findings in one run */
    END_SLOTS = 2,
};

const char *check_read_name(unsigned file, unsigned address)
{
    const char *name = qpu_read_name(file ? 'b' : 'a', address);
    return name ? name : "a register";
}

const char *check_write_name(unsigned file, unsigned address)
{
    const char *name = qpu_write_name(file ? 'b' : 'a', address);
    return name ? name : "a register";
}

/* --- findings --- */

static struct check_spot spot_of(const void *user, uint32_t word)
{
    const struct checker *checker = user;
    return (struct check_spot){.address = checker->input->base + word * 8};
}

uint32_t found_distance(const struct flow *flow, uint32_t word, uint32_t node)
{
    uint32_t nodes[FAR_NODES], distances[FAR_NODES], count = 1;
    nodes[0] = node;
    distances[0] = 0;
    for (uint32_t done = 0; done < count; done++) {
        const struct flow_node *at = &flow->nodes[nodes[done]];
        for (uint32_t i = 0; i < at->before_count; i++) {
            uint32_t from = flow->edges[flow->before[at->before + i]].from;
            bool known = false;
            if (flow->nodes[from].at.word == word)
                return distances[done] + 1;
            for (uint32_t k = 0; k < count && !known; k++)
                known = nodes[k] == from;
            if (known || count == FAR_NODES)
                continue;
            nodes[count] = from;
            distances[count++] = distances[done] + 1;
        }
    }
    return 0;
}

/* --- one program --- */

/* Deduces the kind of a program from its accesses, if the kind was not given. */
static enum tess_shader_kind deduce(const struct flow *flow)
{
    uint32_t accesses = 0;
    for (uint32_t i = 0; i < flow->node_count; i++)
        accesses |= flow->facts[flow->nodes[i].at.word].accesses;
    if (accesses & (ACCESS_TILE | ACCESS_VARYING | ACCESS_SCOREBOARD_WAIT))
        return TESS_SHADER_FRAGMENT;
    if (accesses & (ACCESS_DMA | ACCESS_SEMAPHORE | ACCESS_MUTEX_READ | ACCESS_INTERRUPT))
        return TESS_SHADER_USER;
    return TESS_SHADER_UNKNOWN;
}

static void survey(struct checker *checker)
{
    const struct flow *flow = &checker->flow;
    checker->threaded = false;
    checker->value_count = 0;
    checker->reported_busy = false;
    for (uint32_t i = 0; i < flow->node_count; i++)
        checker->threaded |= (flow->facts[flow->nodes[i].at.word].accesses & ACCESS_SWITCH) != 0;
    checker->kind = checker->entry.kind ? checker->entry.kind : deduce(flow);
    checker->out.entry = checker->entry.address;
    checker->out.kind = checker->kind;
}

/* Checks the program that begins at a word, marks the words that the program reaches, and subtracts
 * the number of nodes from *budget. Returns false if the host is out of memory. */
static bool check_one(struct checker *checker, uint32_t word, bool *reached, uint64_t *budget)
{
    const struct check_input *input = checker->input;
    checker->flow = (struct flow){.facts = checker->facts,
                                  .content = input->content,
                                  .base = input->base,
                                  .count = (uint32_t)input->count};
    uint32_t limit = *budget < 16               ? 16
                     : *budget < UINT32_MAX / 2 ? (uint32_t)*budget
                                                : UINT32_MAX / 2;
    bool good = flow_build(&checker->flow, word, limit);
    if (good) {
        survey(checker);
        for (uint32_t i = 0; i < checker->flow.node_count; i++)
            reached[checker->flow.nodes[i].at.word] = true;
        good = check_program(checker);
        first_free(checker);
        *budget -= checker->flow.node_count < *budget ? checker->flow.node_count : *budget;
    }
    flow_free(&checker->flow);
    return good && !checker->out.no_memory;
}

/* --- all programs --- */

static uint64_t word_at(const struct check_input *input, uint32_t word)
{
    return load_le64(input->words + (size_t)word * 8);
}

static bool is_code(const struct check_input *input, uint32_t word)
{
    return !input->content || input->content[word] == CHECK_CODE;
}

static bool is_data(const struct check_input *input, uint32_t word)
{
    return input->content && input->content[word] == CHECK_DATA;
}

/* Returns true if the word is padding between programs: zero or the canonical nop. */
static bool is_filler(const struct check_input *input, uint32_t word)
{
    return word_at(input, word) == 0 || word_at(input, word) == QPU_WORD_NOP;
}

/* Returns true if a program begins at this word because the previous program has ended. */
static bool begins_program(const struct checker *checker, uint32_t word)
{
    uint32_t before = word;
    while (before > 0 && is_code(checker->input, before - 1) &&
           word_at(checker->input, before - 1) == 0)
        before--;
    if (before == 0 || !is_code(checker->input, before - 1))
        return true;
    for (uint32_t i = 1; i <= END_SLOTS + 1 && i <= before; i++)
        if (checker->facts[before - i].accesses & ACCESS_END)
            return i == END_SLOTS + 1 || is_filler(checker->input, before - 1);
    return is_filler(checker->input, before - 1) && before >= END_SLOTS + 2;
}

static bool check_entries(struct checker *checker, bool *reached, uint64_t *budget)
{
    const struct check_input *input = checker->input;
    for (size_t i = 0; i < input->entry_count; i++) {
        uint32_t word = (input->entries[i].address - input->base) / 8;
        bool here = input->entries[i].address >= input->base &&
                    input->entries[i].address % 8 == 0 && word < input->count;
        if (!here || is_data(input, word) || (reached[word] && !input->entries[i].sure) ||
            *budget == 0)
            continue;
        checker->entry = input->entries[i];
        checker->fresh = input->entries[i].sure || word == 0 || !checker->computed;
        if (!check_one(checker, word, reached, budget))
            return false;
    }
    return true;
}

static bool check_rest(struct checker *checker, bool *reached, uint64_t *budget)
{
    const struct check_input *input = checker->input;
    for (uint32_t word = 0; word < input->count && *budget != 0; word++) {
        if (reached[word] || !is_code(input, word) || is_filler(input, word))
            continue;
        uint32_t first = word;
        while (first > 0 && is_code(input, first - 1) && !reached[first - 1] &&
               word_at(input, first - 1) == QPU_WORD_NOP)
            first--;
        checker->entry = (struct check_entry){
            .address = input->base + first * 8, .varyings = -1, .rows = -1};
        checker->fresh = begins_program(checker, first) && !checker->computed;
        if (!check_one(checker, first, reached, budget))
            return false;
    }
    if (*budget == 0)
        check_report_title(&checker->out, CHECK_LIMIT, 0, CHECK_ALONE);
    return true;
}

static bool check_all(struct checker *checker, struct qpu_facts *facts, bool *reached)
{
    const struct check_input *input = checker->input;
    for (size_t i = 0; i < input->count; i++) {
        facts[i] = qpu_facts(word_at(input, (uint32_t)i));
        if (!is_code(input, (uint32_t)i))
            continue;
        checker->ends |= (facts[i].accesses & ACCESS_END) != 0;
        checker->computed |= facts[i].insn.form == QPU_FORM_BRANCH && facts[i].insn.reg;
    }
    uint64_t budget = (uint64_t)input->count * NODES_PER_WORD * 4 + 1024;
    return check_entries(checker, reached, &budget) && check_rest(checker, reached, &budget);
}

/* Returns true if word first or a later word may be an instruction. */
static bool has_code_from(const struct check_input *input, size_t first)
{
    while (first < input->count && is_data(input, (uint32_t)first))
        first++;
    return first < input->count;
}

static bool check_words(const struct check_input *input, struct check_sink sink)
{
    struct check_input part = *input;
    part.count = part.count < WORDS_MAX ? part.count : WORDS_MAX;
    struct qpu_facts *facts = calloc(part.count + 1, sizeof *facts);
    bool *reached = calloc(part.count + 1, sizeof *reached);
    struct checker checker = {.input = &part, .facts = facts};
    checker.out = (struct check_findings){.spot = spot_of, .user = &checker, .limit = FOUND_MAX};
    bool good = facts && reached && check_all(&checker, facts, reached);
    if (has_code_from(input, part.count) || checker.out.too_many)
        check_report_title(&checker.out, CHECK_LIMIT, 0, CHECK_ALONE);
    if (good)
        check_findings_hand_over(&checker.out, sink);
    free(facts);
    free(reached);
    good &= !checker.out.no_memory;
    check_findings_free(&checker.out);
    return good;
}

const struct check_machine qpu_check_machine = {.word_bytes = 8,
                                                .alignment = 8,
                                                .scenes = true,
                                                .check = check_words,
                                                .is_plausible = qpu_is_plausible};
