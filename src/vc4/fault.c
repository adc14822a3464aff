/* SPDX-License-Identifier: MIT */
/* fault.c - see fault.h. */
#include "vc4/fault.h"

#include "base/diag.h"

static const struct {
    const char *id;
    enum tess_severity severity;
    const char *hint;
} rules[FAULT_RULES] = {
#define FAULT(name, id, severity, hint) [FAULT_##name] = {id, TESS_##severity, hint},
#include "vc4/faults.def"
#undef FAULT
};

/* What each of several QPUs waits for is no repeat. */
static bool is_repeat(const struct fault_log *log, enum fault_rule rule,
                      const struct tess_place *place)
{
    return rule != FAULT_QPU_STUCK && place->known & TESS_PLACE_SHADER && log->shown[rule] > 0 &&
           log->last_pc[rule] == place->pc;
}

static enum tess_severity severity_of(const struct fault_log *log, enum fault_rule rule)
{
    bool raised = log->strict && rules[rule].severity == TESS_WARNING;
    return raised ? TESS_ERROR : rules[rule].severity;
}

static void report(struct fault_log *log, enum fault_rule rule, const struct tess_place *place,
                   const char *format, va_list arguments)
{
    enum tess_severity severity = severity_of(log, rule);
    if (severity == TESS_ERROR)
        log->errors++;
    log->count[rule]++;
    if (log->shown[rule] > FAULT_SHOWN || is_repeat(log, rule, place))
        return;
    log->shown[rule]++;
    log->last_pc[rule] = place->pc;

    struct tess_diag diag = {
        .severity = severity,
        .rule = rules[rule].id,
        .hint = rules[rule].hint,
        .place = *place,
    };
    if (log->shown[rule] <= FAULT_SHOWN) {
        diag_vreport(log->sink, &diag, format, arguments);
        return;
    }
    diag.severity = TESS_NOTE;
    diag.hint = NULL;
    diag.place.known = 0;
    diag_report(log->sink, &diag, "further findings of this kind are counted but not shown");
}

void fault(struct fault_log *log, enum fault_rule rule, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(log, rule, &log->place, format, arguments);
    va_end(arguments);
}

void fault_at(struct fault_log *log, enum fault_rule rule, uint32_t address, const char *format,
              ...)
{
    struct tess_place place = log->place;
    place.known |= TESS_PLACE_ADDRESS;
    place.address = address;
    va_list arguments;
    va_start(arguments, format);
    report(log, rule, &place, format, arguments);
    va_end(arguments);
}

void fault_enter_shader(struct fault_log *log, uint32_t start, uint32_t pc, const uint64_t *word,
                        uint32_t qpu)
{
    struct tess_place *place = &log->place;
    fault_leave_shader(log);
    place->known |= TESS_PLACE_SHADER | (word ? TESS_PLACE_INSTRUCTION : 0u);
    place->shader = start;
    place->pc = pc;
    place->instruction = word ? *word : 0;
    place->qpu = qpu;
}

void fault_leave_shader(struct fault_log *log)
{
    log->place.known &= ~(uint32_t)(TESS_PLACE_SHADER | TESS_PLACE_INSTRUCTION);
}

const char *fault_id(enum fault_rule rule)
{
    return rules[rule].id;
}
