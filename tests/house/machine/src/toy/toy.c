/* SPDX-License-Identifier: MIT */
/* toy.c - the model of the toy machine: items in vectors, on several host threads. */
#include <tessera/toy.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "exec/item_log.h"
#include "exec/machine_options.h"
#include "exec/pool.h"
#include "exec/waves.h"
#include "finding/rules.h"
#include "isa/toy/toy_isa.h"

enum { LANES = 16, WORDS = 256 };

enum fault_rule {
#define FAULT(name, ...) FAULT_##name,
#include "toy/faults.def"
#undef FAULT
    FAULT_RULES
};

/* The state of a host thread. */
struct worker {
    struct tess_toy_stats stats;
    struct item_log faults;
};

struct tess_toy {
    struct tess_toy_options options;
    struct toy_insn program[WORDS];
    size_t length;
    struct worker *worker[POOL_THREADS_MAX];
    struct tess_toy_stats stats;
    struct item_log faults;
    struct item_reported reported;
};

enum tess_status tess_toy_create(struct tess_toy **out, const struct tess_toy_options *options)
{
    static const struct machine_defaults defaults = {1000, true};
    struct tess_toy_options taken;
    if (!out)
        return TESS_INVALID;
    *out = NULL;
    if (!machine_options_take(&taken, sizeof taken, options, &defaults))
        return TESS_INVALID;
    struct tess_toy *toy = calloc(1, sizeof *toy);
    if (!toy)
        return TESS_NO_MEMORY;
    toy->options = taken;
    toy->faults = (struct item_log){.rules = FAULT_RULES, .lines = WORDS};
    *out = toy;
    return TESS_OK;
}

void tess_toy_destroy(struct tess_toy *toy)
{
    for (unsigned i = 0; toy && i < POOL_THREADS_MAX; i++) {
        if (toy->worker[i])
            item_log_free(&toy->worker[i]->faults);
        free(toy->worker[i]);
    }
    if (toy) {
        item_log_free(&toy->faults);
        item_reported_free(&toy->reported);
    }
    free(toy);
}

enum tess_status tess_toy_load(struct tess_toy *toy, const uint32_t *words, size_t count)
{
    if (!toy || !words || count < 1 || count > WORDS)
        return TESS_INVALID;
    for (size_t i = 0; i < count; i++)
        if (!toy_decode(words[i], &toy->program[i]))
            toy->program[i] = (struct toy_insn){0};
    toy->length = count;
    return TESS_OK;
}

/* --- runs --- */

struct run {
    struct tess_toy *toy;
    uint32_t *results;
};

static void note(struct worker *worker, enum fault_rule rule, size_t line, size_t item, ...)
{
    va_list arguments;
    va_start(arguments, item);
    item_log_note(&worker->faults, rule, (uint32_t)line, item, line, 1,
                  tess_rule_get(RULE_TOY_FIRST + rule)->title, arguments);
    va_end(arguments);
}

/* Executes the program for an item. Returns false if it does not end. */
static bool run_item(const struct run *run, struct worker *worker, size_t item)
{
    const struct tess_toy *toy = run->toy;
    uint32_t value[TOY_REGISTERS] = {(uint32_t)item};
    bool checked = machine_sanitizes(&toy->options.machine);
    unsigned set = 1;
    for (size_t i = 0; i < toy->length; i++) {
        const struct toy_insn *insn = &toy->program[i];
        const uint8_t *operand = insn->operand;
        const char *kind = toy_ops[insn->op].operands;
        worker->stats.instructions++;
        for (unsigned k = 0; kind[k]; k++)
            if (kind[k] == 'r' && !(set >> operand[k] & 1) && checked)
                note(worker, FAULT_UNSET, i, item);
        switch (insn->op) {
        case TOY_SET: value[operand[0]] = operand[1]; break;
        case TOY_ADD: value[operand[0]] = value[operand[1]] + value[operand[2]]; break;
        case TOY_OUT: run->results[item] = value[operand[0]]; break;
        case TOY_END: return true;
        default: break;
        }
        set |= kind[0] == 'w' ? 1u << operand[0] : 0;
    }
    note(worker, FAULT_RUNAWAY, toy->length - 1, item);
    return false;
}

static bool make_ready(void *user, unsigned number)
{
    struct worker **worker = &((const struct run *)user)->toy->worker[number];
    if (!*worker)
        *worker = calloc(1, sizeof **worker);
    if (*worker)
        (*worker)->faults = (struct item_log){.rules = FAULT_RULES, .lines = WORDS};
    return *worker != NULL;
}

static void begin_chunk(void *user, unsigned number)
{
    ((const struct run *)user)->toy->worker[number]->stats = (struct tess_toy_stats){0};
}

static enum waves_end run_vector(void *user, unsigned number, size_t first, unsigned lanes)
{
    const struct run *run = user;
    struct worker *worker = run->toy->worker[number];
    bool good = true;
    for (unsigned i = 0; i < lanes && good; i++)
        good = run_item(run, worker, first + i);
    worker->stats.items += lanes;
    return worker->faults.failed ? WAVES_FAILED : good ? WAVES_DONE : WAVES_RUNAWAY;
}

static void take_chunk(void *user, unsigned number, void *result)
{
    struct worker *worker = ((const struct run *)user)->toy->worker[number], *chunk = result;
    chunk->stats = worker->stats;
    item_log_take(&chunk->faults, &worker->faults);
}

static void combine_chunk(void *user, void *result)
{
    struct tess_toy *toy = ((const struct run *)user)->toy;
    const struct worker *chunk = result;
    toy->stats.items += chunk->stats.items;
    toy->stats.instructions += chunk->stats.instructions;
    item_log_merge(&toy->faults, &chunk->faults);
}

static void drop_chunk(void *result)
{
    item_log_free(&((struct worker *)result)->faults);
}

static void locate(const void *user, const struct item_finding *entry, struct tess_finding *finding,
                   char *where, size_t size)
{
    struct text place = {where, size, 0};
    (void)user;
    (void)finding;
    text_put(&place, "word %u, item %u", entry->line, (unsigned)entry->item);
}

enum tess_status tess_toy_run(struct tess_toy *toy, uint32_t *results, size_t count)
{
    if (!toy || !toy->length || !results)
        return TESS_INVALID;
    struct run run = {toy, results};
    const struct waves waves = {.user = &run,
                                .threads = toy->options.machine.threads,
                                .count = count,
                                .lanes = LANES,
                                .result = sizeof(struct worker),
                                .ready = make_ready,
                                .begin = begin_chunk,
                                .run = run_vector,
                                .take = take_chunk,
                                .combine = combine_chunk,
                                .drop = drop_chunk};
    const struct item_teller teller = {
        .first_rule = RULE_TOY_FIRST, .locate = locate, .options = &toy->options.machine};
    enum waves_end end = waves_run(&waves);
    toy->reported.most = toy->options.machine.shown;
    item_log_report(&toy->faults, &toy->reported, &teller);
    if (end == WAVES_FAILED || toy->faults.failed)
        return TESS_NO_MEMORY;
    return end == WAVES_RUNAWAY ? TESS_WRONG : TESS_OK;
}

void tess_toy_get_stats(const struct tess_toy *toy, struct tess_toy_stats *stats)
{
    *stats = toy ? toy->stats : (struct tess_toy_stats){0};
}
