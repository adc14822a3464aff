/* SPDX-License-Identifier: MIT */
/* gp_dis_steps.c - recovers the directives of a GP program's interface for the disassembler.
 *
 * In:  the interface lines (isa/gp/interface.c), which the disassembler stores as the steps of a
 *      scene.
 * How: assembles each form of a directive, the shortest form first. The result is the first form
 *      whose output equals the interface line. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/text.h"
#include "dis/dis_map.h"
#include "isa/gp/directives.h"
#include "isa/gp/facts.h"
#include "isa/gp/gp_isa.h"

/* Largest number of words in a line, of lines and of characters. No real program reaches the
 * limits. A line of the interface that exceeds a limit produces no directive and no note. */
enum { STEP_WORDS = 7, STEPS_MAX = 2048, DIRECTIVE_MAX = 512 };

/* An interface line split into words. */
struct step {
    char text[DIRECTIVE_MAX], *words[STEP_WORDS];
    size_t count;
};

static bool split(struct step *step, const struct dis_step *line)
{
    if (line->length >= sizeof step->text)
        return false;
    memcpy(step->text, line->text, line->length);
    step->text[line->length] = 0;
    step->count = 0;
    for (char *word = step->text; word; word = strchr(word, ' ')) {
        if (step->count == STEP_WORDS)
            return false;
        if (step->count)
            *word++ = 0;
        step->words[step->count++] = word;
    }
    return step->count > 1;
}

/* Appends a value that the assembler reads back exactly. Infinity and NaN do not read back. */
static void put_value(struct text *out, const char *bits)
{
    float value = bits_float((uint32_t)strtoul(bits, NULL, 0));
    bool minus_zero = value == 0 && float_bits(value) != 0;
    text_put(out, minus_zero ? ", -0.0" : ", %.9g", (double)value);
}

/* Writes the directive in the given form; form 0 is the shortest. Returns false after the last
 * form. */
static bool write_form(const struct step *step, unsigned form, char text[DIRECTIVE_MAX])
{
    struct text out = {text, DIRECTIVE_MAX, 0};
    char *const *words = step->words;
    bool constant = step->count == STEP_WORDS, rows = step->count == 4;
    bool port = rows && (words[0][0] == 'a' || words[0][0] == 'v');
    text_put(&out, ".%s %s", words[0], words[1]);
    if (constant && form < 4) {
        for (unsigned i = 0; i <= form; i++)
            put_value(&out, words[3 + i]);
        return true;
    }
    if (!rows || form > 2)
        return false;
    if (port)
        text_put(&out, form ? ", %s, %s" : ", %s", words[2], words[3]);
    else if (form)
        text_put(&out, form > 1 ? ", %s, %s" : ", %s", words[3], words[2]);
    return true;
}

static void ignore_definition(const struct asm_directive *directive, size_t offset, size_t length,
                              int64_t value)
{
    (void)directive;
    (void)offset;
    (void)length;
    (void)value;
}

/* If the directive in text assembles to the interface line, updates *owners and returns true. */
static bool gives(const char *text, const struct dis_step *line, struct gp_owners *owners)
{
    struct gp_owners after = *owners;
    struct buffer lines = {0};
    struct asm_error error;
    const size_t length = strlen(text), name_length = strcspn(text + 1, " ");
    const struct asm_directive directive = {.text = text,
                                            .length = length,
                                            .name = text + 1,
                                            .name_length = name_length,
                                            .at = 1 + name_length,
                                            .lines = &lines,
                                            .names = &asm_no_names,
                                            .define = ignore_definition};
    bool same = gp_directive(&after, &directive, &error) == ASM_TAKEN && !lines.failed &&
                lines.size == line->length + 1 && memcmp(lines.data, line->text, line->length) == 0;
    buffer_free(&lines);
    if (same)
        *owners = after;
    return same;
}

/* Returns the number that the line assigns to its name: the attribute, the varying or the first
 * row. */
static uint32_t number_of(const struct step *step)
{
    return (uint32_t)strtoul(step->words[2], NULL, 10);
}

/* Marks the constant that the directive of an interface line defines. The file's symbol table also
 * contains the names in the interface, so the directive defines the constant that has the same name
 * and value. Returns false if a label or a different constant has the name. */
static bool take_name(struct dis_map *map, const struct step *step)
{
    const char *name = step->words[1];
    for (size_t i = 0; i < map->label_count; i++)
        if (strcmp(map->labels[i].name, name) == 0)
            return false;
    for (size_t i = 0; i < map->constant_count; i++) {
        struct dis_label *constant = &map->constants[i];
        if (strcmp(constant->name, name) != 0)
            continue;
        if (constant->directive || constant->address != number_of(step))
            return false;
        constant->directive = true;
    }
    return true;
}

static bool is_repeated(const struct dis_map *map, size_t number, const char *name)
{
    for (size_t i = 0; i < number; i++) {
        const char *directive = map->steps[i].directive;
        const char *other = directive ? strchr(directive, ' ') + 1 : "";
        size_t length = strlen(name);
        if (strncmp(other, name, length) == 0 && (other[length] == ',' || !other[length]))
            return true;
    }
    return false;
}

static bool find_directive(struct dis_map *map, size_t number, struct gp_owners *owners)
{
    struct dis_step *line = &map->steps[number];
    struct step step;
    char text[DIRECTIVE_MAX];
    bool found = false;
    if (!split(&step, line) || is_repeated(map, number, step.words[1]))
        return true;
    struct gp_owners after = *owners;
    for (unsigned form = 0; !found && write_form(&step, form, text); form++)
        found = gives(text, line, &after);
    if (!found || !take_name(map, &step))
        return true;
    *owners = after;
    line->directive = malloc(strlen(text) + 1);
    if (line->directive)
        strcpy(line->directive, text);
    return line->directive != NULL;
}

/* --- the index --- */

enum kind { ATTRIBUTE, VARYING, UNIFORM, CONSTANT, TEMPORARY, KINDS };

static const char *const kind_names[KINDS] = {
    [ATTRIBUTE] = "attribute", [VARYING] = "varying",     [UNIFORM] = "uniform",
    [CONSTANT] = "constant",   [TEMPORARY] = "temporary",
};

/* For each attribute, varying and row: number plus 1 of the first line that names it, or 0 if no
 * line does. */
struct index {
    uint16_t lines[KINDS][GP_ROWS];
};

static enum kind kind_of(const struct step *step)
{
    enum kind kind = 0;
    while (kind < KINDS && strcmp(step->words[0], kind_names[kind]) != 0)
        kind++;
    return kind;
}

static void index_line(struct index *index, const struct dis_map *map, size_t number)
{
    struct step step;
    if (!split(&step, &map->steps[number]) || step.count < 4)
        return;
    enum kind kind = kind_of(&step);
    bool rows = kind >= UNIFORM && step.count == 4;
    uint32_t first = number_of(&step);
    uint32_t count = rows ? (uint32_t)strtoul(step.words[3], NULL, 10) : 1;
    for (uint32_t i = first; kind < KINDS && i < GP_ROWS && i - first < count; i++)
        if (!index->lines[kind][i])
            index->lines[kind][i] = (uint16_t)(number + 1);
}

bool gp_find_directives(struct dis_map *map)
{
    struct gp_owners owners = {0};
    struct index *index = map->step_index = calloc(1, sizeof *index);
    if (!index)
        return false;
    for (size_t i = 0; i < map->step_count && i < STEPS_MAX; i++) {
        index_line(index, map, i);
        if (!find_directive(map, i, &owners))
            return false;
    }
    return true;
}

/* --- notes --- */

/* Appends "- row 5 is mvp + 1" if a line of this kind names the number. */
static void put_name(struct text *text, const struct dis_map *map, enum kind kind, unsigned number)
{
    const struct index *index = map->step_index;
    size_t line = index->lines[kind][number];
    struct step step;
    if (!line || !split(&step, &map->steps[line - 1]))
        return;
    uint32_t first = number_of(&step);
    text_put(text, "- %s %u is %s", kind >= UNIFORM ? "row" : kind_names[kind], number,
             step.words[1]);
    if (number > first)
        text_put(text, " + %u", (unsigned)(number - first));
    text_put(text, "\n");
}

void gp_put_names(struct text *text, const struct dis_map *map, const struct gp_insn *insn)
{
    bool low = insn->store0_src_x != GP_STORE_NONE || insn->store0_src_y != GP_STORE_NONE;
    bool high = insn->store1_src_z != GP_STORE_NONE || insn->store1_src_w != GP_STORE_NONE;
    bool low_varying = low && insn->store0_varying && !insn->store0_temporary;
    bool high_varying = high && insn->store1_varying && !insn->store1_temporary;
    bool same = low_varying && insn->store0_addr == insn->store1_addr;
    if (insn->register0_attribute)
        put_name(text, map, ATTRIBUTE, insn->register0_addr);
    if (gp_reads(insn, GP_UNIT_ROW, 0))
        for (enum kind kind = UNIFORM; kind < KINDS; kind++)
            put_name(text, map, kind, insn->load_addr);
    if (low_varying)
        put_name(text, map, VARYING, insn->store0_addr);
    if (high_varying && !same)
        put_name(text, map, VARYING, insn->store1_addr);
}
