/* SPDX-License-Identifier: MIT */
/* check_remarks.c - see check_remarks.h.
 *
 * In:  source files, split into lines by the assembler.
 * Out: rules that are allowed on certain lines, and facts about programs. */
#include "check/frame/check_remarks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/expr.h"
#include "base/array.h"
#include "finding/rules.h"
#include "isa/cl/names.h"

/* Position in a comment after "tessera:". */
struct words {
    const struct source_file *file;
    const struct source_line *line;
    size_t at;
};

/* Makes room for one more item and increments *count. */
static bool add(void **items, size_t *count, size_t size, bool *no_memory)
{
    if (*count >= REMARKS_MAX)
        return false;
    bool room = array_grow(items, *count, size);
    *no_memory |= !room;
    *count += room;
    return room;
}

static bool is_separator(char character)
{
    return asm_is_blank(character) || character == ',';
}

/* Returns the length of the next word, or 0 at the end. */
static size_t next_word(struct words *words, const char **word)
{
    const char *text = words->line->raw;
    while (text[words->at] && is_separator(text[words->at]))
        words->at++;
    *word = text + words->at;
    size_t length = 0;
    while ((*word)[length] && !is_separator((*word)[length]) && (*word)[length] != '\r' &&
           strncmp(*word + length, "*/", 2) != 0)
        length++;
    words->at += length;
    return length;
}

static bool is_word(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

/* Kinds of words that a comment can contain. */
enum vocabulary { VERBS, IDS, KINDS, COUNTS };

/* Verbs of each machine. The verbs from index FIRST_FACT on introduce a fact about the program
 * whose first instruction follows. */
enum { FIRST_FACT = 3, VERBS_MAX = 6 };

#define ALLOW "allow", "off", "on"
static const char *const verbs[][VERBS_MAX] = {
    [TESS_MACHINE_QPU] = {ALLOW, "kind", "varyings", "rows"},
    [TESS_MACHINE_GP] = {ALLOW},
    [TESS_MACHINE_A2XX] = {ALLOW, "kind", "registers"},
};

/* Returns the word with the index `number` in a vocabulary, or NULL after the last word. Returns ""
 * for rules of other machines. */
static const char *vocabulary_word(const struct remarks *remarks, enum vocabulary vocabulary,
                                   unsigned number)
{
    if (vocabulary == VERBS)
        return number < VERBS_MAX ? verbs[remarks->machine][number] : NULL;
    if (vocabulary == KINDS)
        return number < TESS_SHADER_USER ? tess_shader_kind_name(TESS_SHADER_UNKNOWN + 1 + number)
                                         : NULL;
    if (vocabulary != IDS || number >= CHECK_RULES)
        return NULL;
    enum check_rule rule = (enum check_rule)number;
    return check_rule_is_for(rule, remarks->machine) ? check_rule(rule)->id : "";
}

static const char *nearest(const struct remarks *remarks, enum vocabulary vocabulary,
                           const char *word, size_t length)
{
    struct name_search search = name_search(word, length);
    const char *known;
    for (unsigned i = 0; (known = vocabulary_word(remarks, vocabulary, i)); i++) {
        char name[64]; /* copy with "_" for "-", as name_near() expects */
        if (!*known)
            continue;
        snprintf(name, sizeof name, "%s", known);
        for (char *at = name; *at; at++)
            *at = *at == '-' ? '_' : *at;
        name_near(&search, name, known);
    }
    return search.hint;
}

/* Records a word that is not in its vocabulary. */
static void wrong(struct remarks *remarks, const struct words *words, enum vocabulary vocabulary,
                  const char *word, size_t length)
{
    static const char *const what[] = {[VERBS] = "checker comment",
                                       [IDS] = "rule",
                                       [KINDS] = "kind of program",
                                       [COUNTS] = "count"};
    if (!add((void **)&remarks->wrongs, &remarks->wrong_count, sizeof *remarks->wrongs,
             &remarks->no_memory))
        return;
    struct remark_wrong *item = &remarks->wrongs[remarks->wrong_count - 1];
    const char *near = nearest(remarks, vocabulary, word, length);
    item->file = words->file;
    item->line = words->line->number;
    item->column = (uint32_t)(word - words->line->raw) + 1;
    if (length == 0)
        snprintf(item->text, sizeof item->text, "the %s is missing", what[vocabulary]);
    else
        snprintf(item->text, sizeof item->text, "invalid %s '%.*s'%s%s%s", what[vocabulary],
                 (int)(length < 40 ? length : 40), word, near ? "; did you mean '" : "",
                 near ? near : "", near ? "'?" : "");
}

/* --- allow, off, on --- */

static bool is_alone(const struct source_line *line)
{
    for (size_t i = 0; i < line->length; i++)
        if (!asm_is_blank(line->clean[i]) && line->clean[i] != '\r')
            return false;
    return true;
}

/* Returns the number of the line that a comment applies to. This is the comment's own line if the
 * line has code, and otherwise the next line with code. */
static uint32_t line_meant(const struct words *words)
{
    const struct source_line *line = words->line,
                             *end = words->file->lines + words->file->line_count;
    while (line + 1 < end && is_alone(line))
        line++;
    return line->number;
}

/* The rule or finding that a comment names. */
struct named {
    bool every;
    enum check_rule rule;
    const char *finding;
};

static void allow(struct remarks *remarks, const struct words *words, const struct named *named,
                  bool open)
{
    if (!add((void **)&remarks->allows, &remarks->allow_count, sizeof *remarks->allows,
             &remarks->no_memory))
        return;
    struct remark_allow *item = &remarks->allows[remarks->allow_count - 1];
    *item = (struct remark_allow){.file = words->file,
                                  .rule = named->rule,
                                  .finding = named->finding,
                                  .every = named->every,
                                  .line = words->line->number,
                                  .open = open};
    item->first = open ? words->line->number : line_meant(words);
    item->last = open ? UINT32_MAX : item->first;
}

/* "on" ends the range that "off" began in the same file. */
static void close_allow(struct remarks *remarks, const struct words *words,
                        const struct named *named)
{
    for (size_t i = 0; i < remarks->allow_count; i++) {
        struct remark_allow *item = &remarks->allows[i];
        if (item->open && item->file == words->file &&
            (named->every ||
             (!item->every && item->rule == named->rule && item->finding == named->finding))) {
            item->open = false;
            item->last = words->line->number;
        }
    }
}

static bool find_named(const struct remarks *remarks, const char *word, size_t length,
                       struct named *named)
{
    *named = (struct named){.every = is_word(word, length, "all"), .rule = CHECK_RULES};
    if (named->every || (check_rule_find(word, length, &named->rule) &&
                         check_rule_is_for(named->rule, remarks->machine)))
        return true;
    named->rule = CHECK_RULES;
    named->finding = finding_id(remarks->machine, word, length);
    return named->finding != NULL;
}

static void take_rules(struct remarks *remarks, struct words *words, const char *verb,
                       size_t verb_length)
{
    const char *word;
    size_t length;
    bool on = is_word(verb, verb_length, "on"), off = is_word(verb, verb_length, "off"),
         any = false;
    while ((length = next_word(words, &word)) > 0) {
        struct named named;
        any = true;
        if (!find_named(remarks, word, length, &named))
            wrong(remarks, words, IDS, word, length);
        else if (on)
            close_allow(remarks, words, &named);
        else
            allow(remarks, words, &named, off);
    }
    if (!any && on)
        close_allow(remarks, words, &(struct named){.every = true});
    else if (!any)
        wrong(remarks, words, IDS, words->line->raw + words->at, 0);
}

/* --- kind, varyings, rows, registers --- */

static bool take_value(enum remark_fact fact, const char *word, size_t length, int *value)
{
    char text[32], *end;
    snprintf(text, sizeof text, "%.*s", (int)length, word);
    enum tess_shader_kind kind;
    if (fact == REMARK_KIND) {
        bool known = length < sizeof text && tess_shader_kind_find(text, &kind);
        *value = known ? (int)kind : 0;
        return known;
    }
    long number = strtol(text, &end, 10);
    *value = (int)number;
    return length > 0 && length < sizeof text && *end == 0 && number >= 0 && number <= 64;
}

static void take_fact(struct remarks *remarks, struct words *words, enum remark_fact fact)
{
    const char *word;
    int value;
    size_t length = next_word(words, &word);
    if (!take_value(fact, word, length, &value)) {
        wrong(remarks, words, fact == REMARK_KIND ? KINDS : COUNTS, word, length);
        return;
    }
    if (add((void **)&remarks->abouts, &remarks->about_count, sizeof *remarks->abouts,
            &remarks->no_memory))
        remarks->abouts[remarks->about_count - 1] = (struct remark_about){
            words->file, words->line->number, fact, value};
}

/* --- lines --- */

/* Returns the offset after "tessera:" if a comment on the line begins with that word. Returns 0
 * otherwise. */
static size_t find_remark(const struct source_line *line)
{
    static const char mark[] = "tessera:";
    const char *found = strstr(line->raw, mark);
    if (!found)
        return 0;
    size_t at = (size_t)(found - line->raw), before = at;
    while (before > 0 && asm_is_blank(line->raw[before - 1]))
        before--;
    bool begins = before > 0 && (line->raw[before - 1] == '#' || line->raw[before - 1] == ';' ||
                                 (before > 1 && memcmp(line->raw + before - 2, "//", 2) == 0) ||
                                 (before > 1 && memcmp(line->raw + before - 2, "/*", 2) == 0));
    bool comment = at < line->length && asm_is_blank(line->clean[at]);
    return begins && comment ? at + strlen(mark) : 0;
}

/* Finds the fact that a verb introduces. Returns false if the machine does not have the verb. */
static bool find_fact(const struct remarks *remarks, const char *verb, size_t length,
                      enum remark_fact *fact)
{
    static const struct {
        const char *verb;
        enum remark_fact fact;
    } facts[] = {
        {"kind", REMARK_KIND},
        {"varyings", REMARK_VARYINGS},
        {"rows", REMARK_ROWS},
        {"registers", REMARK_REGISTERS},
    };
    for (unsigned i = FIRST_FACT; i < VERBS_MAX; i++) {
        const char *known = verbs[remarks->machine][i];
        for (unsigned k = 0; known && k < sizeof facts / sizeof facts[0]; k++) {
            *fact = facts[k].fact;
            if (strcmp(known, facts[k].verb) == 0 && is_word(verb, length, known))
                return true;
        }
    }
    return false;
}

/* Reads the annotation '@ "mul_used", 0', which sources for qasm.py contain. The annotation shows
 * that a rotation within groups of four elements is intended, so the rule CHECK_ROTATE_FULL is
 * allowed on the line. */
static void read_annotation(struct remarks *remarks, const struct source_file *file,
                            const struct source_line *line)
{
    if (remarks->machine != TESS_MACHINE_QPU || !strstr(line->clean, "@ \"mul_") ||
        !add((void **)&remarks->allows, &remarks->allow_count, sizeof *remarks->allows,
             &remarks->no_memory))
        return;
    remarks->allows[remarks->allow_count - 1] = (struct remark_allow){.file = file,
                                                                      .rule = CHECK_ROTATE_FULL,
                                                                      .first = line->number,
                                                                      .last = line->number,
                                                                      .line = line->number,
                                                                      .used = true};
}

static void read_line(struct remarks *remarks, const struct source_file *file,
                      const struct source_line *line)
{
    enum remark_fact fact;
    struct words words = {file, line, find_remark(line)};
    const char *verb;
    if (words.at == 0)
        return;
    size_t length = next_word(&words, &verb);
    if (is_word(verb, length, "allow") || is_word(verb, length, "off") ||
        is_word(verb, length, "on"))
        take_rules(remarks, &words, verb, length);
    else if (find_fact(remarks, verb, length, &fact))
        take_fact(remarks, &words, fact);
    else
        wrong(remarks, &words, VERBS, verb, length);
}

void remarks_read(struct remarks *remarks, const struct source_file *files)
{
    for (const struct source_file *file = files; file; file = file->next)
        for (size_t i = 0; i < file->line_count && !remarks->no_memory; i++) {
            read_annotation(remarks, file, &file->lines[i]);
            read_line(remarks, file, &file->lines[i]);
        }
}

/* Returns the id of the rule or finding that a comment allows, or "" if the comment allows all
 * rules. */
static const char *id_of(const struct remark_allow *allow)
{
    if (allow->every)
        return "";
    return allow->finding ? allow->finding : check_rule(allow->rule)->id;
}

bool remarks_allow_id(const struct remarks *remarks, const char *id, const struct source_file *file,
                      uint32_t line)
{
    for (size_t i = 0; i < remarks->allow_count; i++) {
        const struct remark_allow *item = &remarks->allows[i];
        if (item->file == file && line >= item->first && line <= item->last &&
            (item->every || strcmp(id_of(item), id) == 0))
            return true;
    }
    return false;
}

bool remarks_allow(struct remarks *remarks, enum check_rule rule, const struct source_line *line)
{
    bool allowed = false;
    for (size_t i = 0; line && i < remarks->allow_count; i++) {
        struct remark_allow *item = &remarks->allows[i];
        bool here = item->file == line->file && line->number >= item->first &&
                    line->number <= item->last;
        if (!here || (!item->every && item->rule != rule))
            continue;
        item->used = true;
        allowed = true;
    }
    return allowed;
}

void remarks_free(struct remarks *remarks)
{
    free(remarks->allows);
    free(remarks->abouts);
    free(remarks->wrongs);
}
