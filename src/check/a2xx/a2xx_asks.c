/* SPDX-License-Identifier: MIT */
/* a2xx_asks.c - asks the rules about a program.
 *
 * In:  the words and the control flow of a program.
 * Out: findings of the functions that a2xx_rules.def names. */
#include "check/a2xx/a2xx_check_private.h"

#define ASK_TITLE(NAME) TITLE(walk, CHECK_A2XX_##NAME)

CHECK_ASKS ask(const struct a2c_walk *walk, enum check_when when)
{
#include "check/frame/asks.h"
}

void a2c_ask_path(const struct a2c_walk *walk)
{
    ask(walk, CHECK_WHEN_PATH);
}

void a2c_ask_end(const struct a2c_walk *walk)
{
    ask(walk, CHECK_WHEN_END);
}

/* Asks about an instruction of a clause, unless its words are those of the other kind. */
static void ask_slot(struct a2c_walk *walk, bool fetches)
{
    const uint32_t *words = a2c_words(walk->checker, walk->at);
    const struct a2xx_alu alu = a2xx_decode_alu(words);
    const struct a2xx_fetch fetch = a2xx_decode_fetch(words);
    walk->alu = fetches ? NULL : &alu;
    walk->fetch = fetches ? &fetch : NULL;
    if (fetches && a2c_looks_like_alu(words, walk->checker->variant)) {
        REPORT(walk, CHECK_A2XX_SEQUENCE_KIND, CHECK_ALONE,
               "the sequence bits mark a fetch, but the words are those of an ALU instruction");
        return;
    }
    if (!fetches && a2c_looks_like_fetch(words, walk->checker->variant)) {
        REPORT(walk, CHECK_A2XX_SEQUENCE_KIND, CHECK_ALONE,
               "the sequence bits mark an ALU instruction, but the words are those of a fetch");
        return;
    }
    ask(walk, CHECK_WHEN_WORD);
    if (fetches)
        ask(walk, CHECK_WHEN_FETCH);
    else
        ask(walk, CHECK_WHEN_ALU);
}

/* Asks about the control flow and all clauses. Some pixels may skip the clauses between a predicated
 * jump and its target. */
static void ask_words(struct a2c_checker *checker)
{
    uint32_t target = 0;
    for (uint32_t i = 0; i < checker->cf_count; i++) {
        const struct a2xx_cf *cf = &checker->cfs[i];
        struct a2c_walk walk = {.checker = checker, .cf = i, .at = a2c_cf(i)};
        bool jumps = cf->form == A2XX_FORM_JUMP && cf->jump.predicated && !cf->jump.unconditional;
        if (jumps && cf->jump.address > target)
            target = cf->jump.address;
        ask(&walk, CHECK_WHEN_CONTROL);
        walk.divergent = i < target || a2xx_is_predicated_exec(cf->opcode);
        uint32_t count = cf->form == A2XX_FORM_EXEC ? a2c_count(checker, &cf->exec) : 0;
        for (uint32_t k = 0; k < count; k++) {
            walk.at = cf->exec.address + k;
            if (walk.at >= checker->cf_slots) /* otherwise the clause overlaps control flow */
                ask_slot(&walk, a2xx_is_fetch(&cf->exec, k));
        }
    }
}

bool a2c_ask_all(struct a2c_checker *checker)
{
    ask_words(checker);
    if (!a2c_check_paths(checker))
        return false;
    ask(&(struct a2c_walk){.checker = checker}, CHECK_WHEN_PROGRAM);
    return true;
}
