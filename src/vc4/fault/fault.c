/* SPDX-License-Identifier: MIT */
/* fault.c - see fault.h. */
#include "vc4/fault/fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/state.h"
#include "base/text.h"
#include "finding/rules.h"

static const struct tess_rule *const rules = &rule_table[RULE_VC4_FIRST];

struct fault_entry {
    enum fault_rule rule;
    struct tess_place place;
    uint64_t repeats; /* number of later findings with the same cause, which are only counted */
    char *text;       /* NULL if the host was out of memory */
};

static char *formatted(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

/* Appends a finding to *kept. Takes ownership of text. */
static void keep(struct fault_kept *kept, enum fault_rule rule, const struct tess_place *place,
                 char *text)
{
    if (ARRAY_GROW(kept->entry, kept->count))
        kept->entry[kept->count++] = (struct fault_entry){rule, *place, 0, text};
    else
        free(text);
}

/* --- repeats in control lists: the same error at each vertex or in each tile --- */

/* Number of repeats at one record up to which texts are compared. Later findings at this record are
 * counted as repeats without comparison. */
enum { REPEATS_COMPARED = 4096 };

/* Returns true for rules whose texts contain a number or an address that differs from vertex to
 * vertex or from tile to tile. */
static bool has_varying_numbers(enum fault_rule rule)
{
    return rule == FAULT_CL_INDEX || rule == FAULT_CL_INDEX_WRAP || rule == FAULT_TLB_ORDER ||
           rule == FAULT_PTB_STATE || rule == FAULT_PTB_LISTS || rule == FAULT_BUS_UNMAPPED ||
           rule == FAULT_VERTEX_W;
}

static const char *after_number(const char *text)
{
    return text + strspn(text, "0123456789abcdefx");
}

static bool are_alike(const char *a, const char *b, bool numbers_count)
{
    while (*a == *b || (!numbers_count && ascii_is_digit(*a) && ascii_is_digit(*b))) {
        if (*a == '\0')
            return true;
        bool number = !numbers_count && ascii_is_digit(*a);
        a = number ? after_number(a) : a + 1;
        b = number ? after_number(b) : b + 1;
    }
    return false;
}

static bool know_both(const struct tess_place *a, const struct tess_place *b, uint32_t what)
{
    return a->known & b->known & what;
}

static bool are_of_one_cause(const struct tess_place *a, const struct tess_place *b)
{
    if ((a->known | b->known) & TESS_PLACE_SHADER || !know_both(a, b, TESS_PLACE_LIST))
        return false;
    return know_both(a, b, TESS_PLACE_TILE) || a->list_address == b->list_address ||
           (know_both(a, b, TESS_PLACE_ADDRESS) && a->address == b->address);
}

/* Returns the kept finding that has the same cause as the finding with these arguments, or NULL. */
static struct fault_entry *same_cause(const struct fault_kept *kept, enum fault_rule rule,
                                      const struct tess_place *place, const char *text)
{
    for (size_t i = 0; text && kept && i < kept->count; i++) {
        struct fault_entry *entry = &kept->entry[i];
        if (entry->rule == rule && entry->text && are_of_one_cause(&entry->place, place) &&
            are_alike(entry->text, text, !has_varying_numbers(rule)))
            return entry;
    }
    return NULL;
}

static uint32_t most_shown(const struct fault_log *log, enum fault_rule rule)
{
    if (log->most)
        return log->most;
    return rule == FAULT_QPU_STUCK ? FAULT_WAITS_SHOWN : FAULT_SHOWN;
}

/* Returns true if a second finding of the rule at the same shader instruction is a repeat. Returns
 * false outside of shaders, and for waits of programs, because several QPUs may wait at one
 * instruction for different events. */
static bool has_repeats(enum fault_rule rule, const struct tess_place *place)
{
    return rule != FAULT_QPU_STUCK && place->known & TESS_PLACE_SHADER;
}

static bool was_shown(const struct fault_log *log, enum fault_rule rule,
                      const struct tess_place *place)
{
    uint32_t count = log->shown[rule] < FAULT_SHOWN ? log->shown[rule] : FAULT_SHOWN;
    for (uint32_t i = 0; i < count; i++)
        if (log->shown_pc[rule][i] == place->pc)
            return true;
    return false;
}

static uint64_t qpus_of(const struct tess_place *place)
{
    return place->qpus ? place->qpus : UINT64_C(1) << (place->qpu & 63);
}

/* Adds the QPUs of a repeat to the kept finding. */
static void add_qpus(struct fault_kept *kept, enum fault_rule rule, const struct tess_place *place)
{
    for (size_t i = kept ? kept->count : 0; i-- > 0;) {
        struct tess_place *first = &kept->entry[i].place;
        if (kept->entry[i].rule != rule || first->pc != place->pc)
            continue;
        uint64_t qpus = qpus_of(first) | qpus_of(place);
        first->qpus = qpus & (qpus - 1) ? qpus : 0;
        return;
    }
}

static bool is_repeat(struct fault_log *log, enum fault_rule rule, const struct tess_place *place)
{
    if (!has_repeats(rule, place) || !was_shown(log, rule, place))
        return false;
    add_qpus(log->kept, rule, place);
    return true;
}

static enum tess_level level_of(const struct fault_log *log, enum fault_rule rule)
{
    return diag_level(rules[rule].level, log->strict);
}

static void count_finding(struct fault_log *log, enum fault_rule rule)
{
    if (level_of(log, rule) == TESS_ERROR)
        log->errors++;
    log->count[rule]++;
}

/* Counts a finding. Returns true if the finding is to be shown or kept. Findings of tile jobs and
 * of slices have a higher limit, because some may later turn out to be repeats of earlier
 * findings. */
static bool passes(struct fault_log *log, enum fault_rule rule, const struct tess_place *place)
{
    const uint32_t most = most_shown(log, rule), limit = log->kept && !log->holds ? 2 * most : most;
    if (log->shown[rule] > limit || (log->holds && log->shown[rule] == limit)) {
        log->hidden[rule]++;
        return false;
    }
    log->shown_pc[rule][log->shown[rule]++ % FAULT_SHOWN] = place->pc;
    return true;
}

/* Reports a finding that occurred `count` times. */
static void show_text(const struct fault_log *log, enum fault_rule rule,
                      const struct tess_place *place, uint64_t count, const char *format,
                      va_list arguments)
{
    struct tess_finding finding = {.place = *place};
    rule_describe(RULE_VC4_FIRST + rule, log->strict, &finding);
    finding.count = count;
    diag_vreport(log->sink, &finding, format, arguments);
}

static void show(const struct fault_log *log, enum fault_rule rule, const struct tess_place *place,
                 uint64_t count, const char *format, va_list arguments)
{
    if (log->shown[rule] <= most_shown(log, rule))
        show_text(log, rule, place, count, format, arguments);
    else
        rule_note_more(log->sink, RULE_VC4_FIRST + rule,
                       "further findings of this kind are counted but not shown");
}

/* Keeps a finding, or counts the finding as a repeat of a kept finding. Takes ownership of text.
 * repeats is the number of repeats that have already been counted for the finding. */
static void report_kept(struct fault_log *log, enum fault_rule rule, const struct tess_place *place,
                        char *text, uint64_t repeats)
{
    struct fault_entry *first = same_cause(log->kept, rule, place, text);
    if (first) {
        first->repeats += repeats + 1;
    } else if (passes(log, rule, place)) {
        size_t before = log->kept->count;
        keep(log->kept, rule, place, text);
        if (log->kept->count > before)
            log->kept->entry[before].repeats = repeats;
        return;
    }
    free(text);
}

/* Counts a finding as a repeat if a kept finding at the same record already has REPEATS_COMPARED
 * repeats. The text is not formatted. Returns false if there is no such kept finding. */
static bool is_one_of_many(struct fault_log *log, enum fault_rule rule,
                           const struct tess_place *place)
{
    for (size_t i = 0; log->kept && i < log->kept->count; i++) {
        struct fault_entry *entry = &log->kept->entry[i];
        if (entry->rule != rule || entry->repeats < REPEATS_COMPARED ||
            !are_of_one_cause(&entry->place, place) ||
            entry->place.list_address != place->list_address)
            continue;
        entry->repeats++;
        return true;
    }
    return false;
}

/* Returns a place whose members are 0 where *at says nothing about them. A log's place keeps values
 * of earlier records and programs, and the number of threads and pauses decides which. */
static struct tess_place known_place(const struct tess_place *at)
{
    struct tess_place place = {.known = at->known};
    if (at->known & TESS_PLACE_LIST) {
        place.thread = at->thread;
        place.list_address = at->list_address;
        place.record = at->record;
    }
    if (at->known & TESS_PLACE_TILE) {
        place.tile_column = at->tile_column;
        place.tile_row = at->tile_row;
    }
    if (at->known & TESS_PLACE_SHADER) {
        place.shader = at->shader;
        place.pc = at->pc;
        place.qpu = at->qpu;
        place.qpus = at->qpus;
    }
    if (at->known & TESS_PLACE_INSTRUCTION)
        place.instruction = at->instruction;
    if (at->known & TESS_PLACE_ADDRESS)
        place.address = at->address;
    if (at->known & TESS_PLACE_DRAW)
        place.draw = at->draw;
    return place;
}

static void report(struct fault_log *log, enum fault_rule rule, const struct tess_place *at,
                   const char *format, va_list arguments)
{
    const struct tess_place place = known_place(at);
    log = log->redirect ? log->redirect : log;
    count_finding(log, rule);
    if (is_repeat(log, rule, &place) || is_one_of_many(log, rule, &place) ||
        (log->caused && !log->kept))
        return;
    if (log->kept)
        report_kept(log, rule, &place, formatted(format, arguments), 0);
    else if (passes(log, rule, &place))
        show(log, rule, &place, 1, format, arguments);
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

void fault_from(struct fault_log *log, enum fault_rule rule, uint32_t pc, const uint64_t *word,
                const char *format, ...)
{
    struct tess_place place = log->place;
    place.known &= ~(uint32_t)TESS_PLACE_INSTRUCTION;
    place.known |= word ? TESS_PLACE_INSTRUCTION : 0u;
    place.pc = pc;
    place.instruction = word ? *word : 0;
    va_list arguments;
    va_start(arguments, format);
    report(log, rule, &place, format, arguments);
    va_end(arguments);
}

static void show_replayed(struct fault_log *log, const struct fault_entry *entry,
                          const char *format, ...)
{
    if (!passes(log, entry->rule, &entry->place))
        return;
    va_list arguments;
    va_start(arguments, format);
    show(log, entry->rule, &entry->place, entry->repeats + 1, format, arguments);
    va_end(arguments);
}

static const char *text_of(const struct fault_entry *entry)
{
    return entry->text ? entry->text : "(out of memory)";
}

static int text_length(const struct fault_entry *entry)
{
    return (int)diag_text_length(text_of(entry));
}

/* Returns the part of the finding's text that contains the hint, or "". */
static const char *hint_of(const struct fault_entry *entry)
{
    return text_of(entry) + text_length(entry);
}

enum { REPEATS_SIZE = 64 };

/* Formats the number of repeats, to be appended to the text. */
static const char *repeats_text(const struct fault_entry *entry, char text[REPEATS_SIZE])
{
    text[0] = '\0';
    if (entry->repeats)
        snprintf(text, REPEATS_SIZE, "; the same happens %llu more time%s",
                 (unsigned long long)entry->repeats, entry->repeats == 1 ? "" : "s");
    return text;
}

/* Reports a kept finding to another log. Takes ownership of the entry's text. */
static void replay(struct fault_log *log, struct fault_entry *entry)
{
    char repeats[REPEATS_SIZE], *text = entry->text;
    count_finding(log, entry->rule);
    if (is_repeat(log, entry->rule, &entry->place))
        return;
    if (log->kept) {
        entry->text = NULL;
        report_kept(log, entry->rule, &entry->place, text, entry->repeats);
    } else {
        show_replayed(log, entry, "%.*s%s%s", text_length(entry), text_of(entry),
                      repeats_text(entry, repeats), hint_of(entry));
    }
}

static void forget(struct fault_log *log)
{
    for (size_t i = 0; i < log->kept->count; i++)
        free(log->kept->entry[i].text);
    log->kept->count = 0;
}

void fault_forward(struct fault_log *to, struct fault_log *from)
{
    for (size_t i = 0; i < from->kept->count; i++) {
        struct fault_entry *entry = &from->kept->entry[i];
        replay(to, entry);
        from->count[entry->rule]--;
        from->errors -= level_of(from, entry->rule) == TESS_ERROR;
    }
    for (unsigned rule = 0; rule < FAULT_RULES; rule++) {
        to->count[rule] += from->count[rule];
        to->hidden[rule] += from->hidden[rule];
    }
    to->errors += from->errors;
    fault_drop(from);
}

/* --- findings of a whole run --- */

/* Pairs of rules: in the same program, a finding of `cause` replaces findings of `other`. */
static const struct {
    enum fault_rule cause, other;
} together[] = {
    /* clang-format off */
    {FAULT_TMU_OVERFLOW, FAULT_TMU_LOOKUPS},
    {FAULT_TMU_OVERFLOW, FAULT_TMU_HALF},
    {FAULT_TMU_OVERFLOW, FAULT_TMU_EMPTY},
    {FAULT_TMU_OVERFLOW, FAULT_TMU_LEFT},
    {FAULT_TMU_EMPTY,    FAULT_TMU_LEFT},
    /* clang-format on */
};

static bool has_entry(const struct fault_kept *kept, enum fault_rule rule, uint32_t shader)
{
    for (size_t i = 0; i < kept->count; i++)
        if (kept->entry[i].rule == rule && kept->entry[i].place.known & TESS_PLACE_SHADER &&
            kept->entry[i].place.shader == shader)
            return true;
    return false;
}

static bool is_reported_by_another(const struct fault_kept *kept, const struct fault_entry *entry)
{
    for (size_t i = 0; i < sizeof together / sizeof together[0]; i++)
        if (entry->rule == together[i].other && entry->place.known & TESS_PLACE_SHADER &&
            has_entry(kept, together[i].cause, entry->place.shader))
            return true;
    return false;
}

static void show_entry(const struct fault_log *log, const struct fault_entry *entry,
                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    show_text(log, entry->rule, &entry->place, entry->repeats + 1, format, arguments);
    va_end(arguments);
}

/* Reports the number of hidden findings in a note, at most once for each rule of a log. */
static void show_hidden(struct fault_log *log)
{
    for (unsigned rule = 0; rule < FAULT_RULES; rule++) {
        uint64_t hidden = log->hidden[rule];
        if (hidden == 0 || log->shown[rule] > most_shown(log, (enum fault_rule)rule))
            continue;
        rule_note_more(log->sink, RULE_VC4_FIRST + rule,
                       "%llu further finding%s of this kind in this run %s not shown; findings of "
                       "this kind in later runs are not shown either",
                       (unsigned long long)hidden, hidden == 1 ? "" : "s",
                       hidden == 1 ? "is" : "are");
        log->shown[rule]++;
    }
}

static void show_left_out(const struct fault_log *log, uint64_t count)
{
    if (count)
        rule_note_more(log->sink, RULE_VC4_FIRST + FAULT_CL_OVERLAP,
                       "%llu more finding%s of this run %s left out: overlapping memory may be the "
                       "cause",
                       (unsigned long long)count, text_plural(count), count == 1 ? "is" : "are");
}

void fault_hold(struct fault_log *log, struct fault_kept *kept)
{
    log->kept = kept;
    log->holds = true;
    log->caused = false;
}

/* Shows a kept finding. Returns false if the finding is left out, because it may follow from an
 * overlap of memory ranges (cl-overlap) that was reported before. */
static bool release_entry(struct fault_log *log, const struct fault_entry *entry)
{
    char repeats[REPEATS_SIZE];
    bool overlap = entry->rule == FAULT_CL_OVERLAP || entry->rule == FAULT_CL_OVERLAP_RISK;
    if (log->caused && !overlap)
        return false;
    show_entry(log, entry, "%.*s%s%s", text_length(entry), text_of(entry),
               repeats_text(entry, repeats), hint_of(entry));
    log->caused |= entry->rule == FAULT_CL_OVERLAP;
    return true;
}

void fault_release(struct fault_log *log)
{
    struct fault_kept *kept = log->kept;
    log->kept = NULL;
    log->holds = false;
    uint64_t left_out = 0;
    for (size_t i = 0; i < kept->count; i++)
        if (!is_reported_by_another(kept, &kept->entry[i]))
            left_out += !release_entry(log, &kept->entry[i]);
    show_left_out(log, left_out);
    show_hidden(log);
    for (size_t i = 0; i < kept->count; i++)
        free(kept->entry[i].text);
    kept->count = 0;
}

void fault_drop(struct fault_log *from)
{
    if (from->kept)
        forget(from);
    memset(from->count, 0, sizeof from->count);
    memset(from->shown, 0, sizeof from->shown);
    memset(from->hidden, 0, sizeof from->hidden);
    from->errors = 0;
}

void fault_kept_free(struct fault_kept *kept)
{
    for (size_t i = 0; i < kept->count; i++)
        free(kept->entry[i].text);
    free(kept->entry);
    *kept = (struct fault_kept){0};
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

/* --- saved states --- */

enum {
    TEXT_LIMIT = 1 << 16, /* limit of the length of a finding's text */
    LEAST_ENTRY = 76,     /* least number of bytes of a kept finding in a state */
};

/* Lists a place. */
static void fault_place_fields(struct state_stream *stream, struct tess_place *place)
{
    state_u32(stream, &place->known);
    state_below(stream, &place->thread, 2);
    STATE_FIELDS(stream, &place->list_address, &place->draw);
    state_below(stream, &place->record, 256);
    STATE_FIELDS(stream, &place->tile_column, &place->tile_row, &place->address, &place->shader,
                 &place->pc, &place->instruction, &place->qpu, &place->qpus);
}

static void text_fields(struct state_stream *stream, char **text)
{
    uint32_t length = *text && !state_is_reading(stream) ? (uint32_t)strlen(*text) : 0;
    length = state_count(stream, length, TEXT_LIMIT, 1);
    if (!state_allocate(stream, text, length ? length + 1 : 0, 1) || !length)
        return;
    state_bytes(stream, *text, length);
    state_require(stream, memchr(*text, 0, length) == NULL);
}

static void entry_fields(struct state_stream *stream, struct fault_entry *entry)
{
    state_enum(stream, &entry->rule, FAULT_RULES);
    fault_place_fields(stream, &entry->place);
    state_u64(stream, &entry->repeats);
    text_fields(stream, &entry->text);
}

static void kept_fields(struct state_stream *stream, struct fault_kept *kept)
{
    uint32_t count = state_count(stream, (uint32_t)kept->count, UINT32_MAX, LEAST_ENTRY);
    if (!state_allocate(stream, &kept->entry, array_room(count), sizeof *kept->entry))
        return;
    if (state_is_reading(stream))
        kept->count = count;
    for (uint32_t i = 0; i < count; i++)
        entry_fields(stream, &kept->entry[i]);
}

static void rule_fields(struct state_stream *stream, struct fault_log *log, unsigned rule)
{
    state_u64(stream, &log->count[rule]);
    if (!log->count[rule])
        return;
    state_u32(stream, &log->shown[rule]);
    state_u32s(stream, log->shown_pc[rule], FAULT_SHOWN);
    state_u64(stream, &log->hidden[rule]);
}

void fault_log_fields(struct state_stream *stream, struct fault_log *log, struct fault_kept *kept)
{
    struct state_section section = state_open(stream, STATE_TAG('F', 'A', 'U', 'L'));
    fault_place_fields(stream, &log->place);
    for (unsigned rule = 0; rule < FAULT_RULES; rule++)
        rule_fields(stream, log, rule);
    STATE_FIELDS(stream, &log->errors, &log->caused);
    bool keeps = log->kept != NULL;
    state_bool(stream, &keeps);
    if (keeps)
        kept_fields(stream, kept);
    if (state_is_reading(stream))
        log->kept = keeps ? kept : NULL;
    state_bool(stream, &log->holds);
    state_require(stream, keeps || !log->holds);
    state_close(stream, &section);
}
