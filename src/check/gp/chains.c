/* SPDX-License-Identifier: MIT */
/* chains.c - rules about complex functions (exp2, log2, rsqrt and rcp), which take several steps:
 * the steps must have the same argument, and only certain operations may read intermediate results.
 *
 * In:     an instruction, and the values of its operands.
 * Out: findings. Unknown values have no findings. A value is unknown if it depends on the path, or
 *      if an address register selects it.
 * Source: Utgard-GP.md of cwabbott0/mali-isa-docs, "Complex functions"; docs/hardware/utgard.md,
 *         section 9; Mesa 22.3.6, src/gallium/drivers/lima/ir/gp/lower.c and scheduler.c. */
#include "check/gp/gp_check_state.h"

/* Step of a complex function that has produced a value. TOKEN is the result of the complex unit,
 * which is not a number and which only complex1 can read. PARTIAL is the result of complex2. */
enum step { NO_STEP, TOKEN, PARTIAL, LOG2_RESULT, RECIPROCAL, PREEXP2_RESULT, CLAMPED };

struct made {
    enum step step;
    gpc_value of; /* argument of the step, or VALUE_UNKNOWN */
};

static gpc_value value_of(const struct gpc_walk *walk, uint32_t at, enum gp_unit by,
                          unsigned number)
{
    const struct gpc_facts *facts = &walk->checker->facts[at];
    const struct gp_operand *operand = gpc_operand(facts, by, number);
    return operand ? walk->checker->operands[at][operand - facts->operands] : VALUE_UNKNOWN;
}

/* Returns the operation that produced the token among the operands of a complex1, or
 * GP_COMPLEX_NONE if it is unknown. */
static unsigned function_of(const struct gpc_walk *walk, uint32_t at)
{
    gpc_value token = value_of(walk, at, GP_UNIT_MUL0, 0);
    bool complex = token >= VALUE_MADE && value_unit(token) == GP_UNIT_COMPLEX;
    return complex ? walk->checker->facts[value_maker(token)].insn.complex_op : GP_COMPLEX_NONE;
}

static struct made made_by_mul0(const struct gpc_walk *walk, uint32_t at)
{
    const struct gp_insn *insn = &walk->checker->facts[at].insn;
    if (insn->mul_op == GP_MUL_COMPLEX2)
        return (struct made){PARTIAL, value_of(walk, at, GP_UNIT_MUL0, 0)};
    unsigned function = insn->mul_op == GP_MUL_COMPLEX1 ? function_of(walk, at) : GP_COMPLEX_NONE;
    if (function == GP_COMPLEX_LOG2)
        return (struct made){LOG2_RESULT, VALUE_UNKNOWN};
    return (struct made){function == GP_COMPLEX_RCP ? RECIPROCAL : NO_STEP, VALUE_UNKNOWN};
}

static struct made made_by_pass(const struct gpc_walk *walk, uint32_t at)
{
    unsigned op = walk->checker->facts[at].insn.pass_op;
    enum step step = op == GP_PASS_PREEXP2 ? PREEXP2_RESULT
                     : op == GP_PASS_CLAMP ? CLAMPED
                                           : NO_STEP;
    return (struct made){step, value_of(walk, at, GP_UNIT_PASS, 0)};
}

/* Returns the step that the complex unit performs, and the argument of the step. Moves need no case
 * of their own, because the result of a move has the number of the value that the move copies. */
static struct made made_by_complex(const struct gpc_walk *walk, uint32_t at)
{
    unsigned op = walk->checker->facts[at].insn.complex_op;
    bool token = op >= GP_COMPLEX_EXP2 && op <= GP_COMPLEX_RCP;
    return (struct made){token ? TOKEN : NO_STEP, value_of(walk, at, GP_UNIT_COMPLEX, 0)};
}

static struct made made_of(const struct gpc_walk *walk, gpc_value value)
{
    if (value < VALUE_MADE)
        return (struct made){NO_STEP, VALUE_UNKNOWN};
    uint32_t at = value_maker(value);
    switch (value_unit(value)) {
    case GP_UNIT_COMPLEX: return made_by_complex(walk, at);
    case GP_UNIT_MUL0: return made_by_mul0(walk, at);
    case GP_UNIT_PASS: return made_by_pass(walk, at);
    default: return (struct made){NO_STEP, VALUE_UNKNOWN};
    }
}

bool gpc_is_reciprocal(const struct gpc_walk *walk, gpc_value value)
{
    struct made made = made_of(walk, value);
    if (made.step == CLAMPED)
        made = made_of(walk, made.of);
    return made.step == RECIPROCAL;
}

/* --- permitted readers --- */

static bool is_complex1(const struct gpc_facts *facts, const struct gp_operand *operand)
{
    return operand->by == GP_UNIT_MUL0 && facts->insn.mul_op == GP_MUL_COMPLEX1;
}

static bool may_read_token(const struct gpc_facts *facts, const struct gp_operand *operand)
{
    return is_complex1(facts, operand) && operand->number % 2 == 0;
}

static bool may_read_partial(const struct gpc_facts *facts, const struct gp_operand *operand)
{
    return gpc_is_move(facts, operand->by) || (is_complex1(facts, operand) && operand->number == 1);
}

static bool is_postlog2(const struct gpc_facts *facts, const struct gp_operand *operand)
{
    return operand->by == GP_UNIT_PASS && facts->insn.pass_op == GP_PASS_POSTLOG2;
}

static bool may_move_log2(const struct gpc_facts *facts, const struct gp_operand *operand)
{
    return !gpc_is_move(facts, operand->by) || is_postlog2(facts, operand);
}

static bool may_use_log2(const struct gpc_facts *facts, const struct gp_operand *operand)
{
    return gpc_is_move(facts, operand->by) || is_postlog2(facts, operand);
}

static bool may_read_preexp2(const struct gpc_facts *facts, const struct gp_operand *operand)
{
    return (operand->by == GP_UNIT_COMPLEX && facts->insn.complex_op == GP_COMPLEX_EXP2) ||
           (operand->by == GP_UNIT_MUL0 && facts->insn.mul_op == GP_MUL_COMPLEX2) ||
           (is_complex1(facts, operand) && operand->number == 3) || gpc_is_move(facts, operand->by);
}

/* Rules about the result of a step: the operands that may read it, and the texts about an operand
 * and about a store, which is NULL if all stores are permitted. */
static const struct limit {
    enum check_rule rule;
    enum step step;
    bool registers; /* true if the result may be stored in registers, but not in varyings */
    bool (*may_read)(const struct gpc_facts *facts, const struct gp_operand *operand);
    const char *read, *stored;
} limits[] = {
    {CHECK_GP_PARTIAL_RESULT, TOKEN, false, may_read_token,
     "the first step of a complex function; only complex1 can read it",
     "the first step of a complex function is stored; only complex1 can read it"},
    {CHECK_GP_COMPLEX2_READ, PARTIAL, true, may_read_partial,
     "a result of complex2; only complex1 can read it",
     "a result of complex2 is written to a varying"},
    {CHECK_GP_LOG2_RAW, LOG2_RESULT, true, may_use_log2,
     "a result of log2 that is used before postlog2", NULL},
    {CHECK_GP_LOG2_MOVED, LOG2_RESULT, true, may_move_log2,
     "a result of log2 that is moved before postlog2", NULL},
    {CHECK_GP_PREEXP2_READ, PREEXP2_RESULT, true, may_read_preexp2,
     "a result of preexp2; only the steps of exp2 can read it",
     "a result of preexp2 is written to a varying"},
};

static bool breaks(const struct gpc_walk *walk, const struct limit *limit,
                   const struct gp_store *store)
{
    enum gp_unit unit = gp_store_sources[store->source].unit;
    bool output = store->varying && !store->temporary;
    return limit->stored && (output || !limit->registers) &&
           made_of(walk, gpc_result(walk, unit)).step == limit->step;
}

void gpc_check_intermediate(const struct gpc_walk *walk, enum check_rule rule)
{
    const struct gpc_facts *facts = walk->facts;
    const struct limit *limit = limits;
    char name[GP_OPERAND_TEXT];
    while (limit->rule != rule)
        limit++;
    for (unsigned i = 0; i < facts->operand_count; i++) {
        const struct gp_operand *operand = &facts->operands[i];
        if (made_of(walk, walk->checker->operands[walk->at][i]).step == limit->step &&
            !limit->may_read(facts, operand))
            REPORT(walk, rule, CHECK_SUBJECT(operand->by * 4u + operand->number), "%s is %s",
                   gpc_source_name(name, &facts->insn, operand->source), limit->read);
    }
    for (unsigned i = 0; i < facts->store_count; i++)
        if (breaks(walk, limit, &facts->stores[i]))
            REPORT(walk, rule, CHECK_SUBJECT(GP_UNITS * 4u + facts->stores[i].component), "%s",
                   limit->stored);
}

/* --- required operands --- */

static void report_chain(const struct gpc_walk *walk, unsigned number, const char *text)
{
    static const char *const names[] = {"first", "second", "third", "fourth"};
    REPORT(walk, CHECK_GP_COMPLEX1_OPERANDS, CHECK_SUBJECT(number),
           "the %s operand of complex1 is %s", names[number], text);
}

void gpc_check_complex1(const struct gpc_walk *walk)
{
    gpc_value values[4];
    if (walk->facts->insn.mul_op != GP_MUL_COMPLEX1)
        return;
    for (unsigned i = 0; i < 4; i++)
        values[i] = value_of(walk, walk->at, GP_UNIT_MUL0, i);
    const struct made token = made_of(walk, values[0]), again = made_of(walk, values[2]),
                      square = made_of(walk, values[1]);
    if (values[0] && token.step != TOKEN)
        report_chain(walk, 0, "not a result of exp2, log2, rsqrt or rcp");
    if (values[2] && (again.step != TOKEN || (values[0] && values[2] != values[0])))
        report_chain(walk, 2, "not the same as the first operand");
    const struct gp_operand *second = gpc_operand(walk->facts, GP_UNIT_MUL0, 1),
                            *fourth = gpc_operand(walk->facts, GP_UNIT_MUL0, 3);
    if ((second && second->identity) || (values[1] && square.step != PARTIAL))
        report_chain(walk, 1, "not a result of complex2");
    else if (square.of && token.step == TOKEN && token.of && square.of != token.of)
        report_chain(walk, 1, "complex2 of a value other than the function's argument");
    bool other = values[3] && token.step == TOKEN && token.of && values[3] != token.of;
    if ((fourth && fourth->identity) || other)
        report_chain(walk, 3, "not the function's argument");
}

bool gpc_complex2_operands_differ(const struct gpc_walk *walk)
{
    const struct gp_operand *a = gpc_operand(walk->facts, GP_UNIT_MUL0, 0),
                            *b = gpc_operand(walk->facts, GP_UNIT_MUL0, 1);
    gpc_value one = value_of(walk, walk->at, GP_UNIT_MUL0, 0),
              other = value_of(walk, walk->at, GP_UNIT_MUL0, 1);
    return walk->facts->insn.mul_op == GP_MUL_COMPLEX2 && a && b &&
           (b->identity || (a->source != b->source && one && other && one != other));
}

bool gpc_exp2_lacks_preexp2(const struct gpc_walk *walk)
{
    gpc_value value = value_of(walk, walk->at, GP_UNIT_COMPLEX, 0);
    return walk->facts->insn.complex_op == GP_COMPLEX_EXP2 && value &&
           made_of(walk, value).step != PREEXP2_RESULT;
}

bool gpc_postlog2_lacks_log2(const struct gpc_walk *walk)
{
    gpc_value value = value_of(walk, walk->at, GP_UNIT_PASS, 0);
    return walk->facts->insn.pass_op == GP_PASS_POSTLOG2 && value &&
           made_of(walk, value).step != LOG2_RESULT;
}
