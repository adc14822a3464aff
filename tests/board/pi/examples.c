/* SPDX-License-Identifier: MIT */
/* examples.c - makes the accesses that tessera help shows for each finding of the board
 * (src/front/examples/findings_pi.def). The wrong accesses must raise the finding. The right
 * accesses must raise no finding of the board or of the V3D. */
#include "../../register.h"
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "board/pi/pi.h"
#include "finding/rules.h"

#define EXAMPLE(id, kind, wrong, right) {id, #kind, wrong, right},
static const struct example {
    const char *id, *kind, *wrong, *right;
} examples[] = {
#include "front/examples/findings_pi.def"
};

enum { EXAMPLES = sizeof examples / sizeof examples[0] };

/* Returns the length of a line without its trailing comment. */
static size_t code_length(const char *line)
{
    return strcspn(line, "#\n");
}

static void put_memory(struct machine *m, const char *line)
{
    char *at;
    uint32_t address = (uint32_t)strtoul(line, &at, 0), word;
    const char *end = line + code_length(line);
    assert_int_equal(*at, ':');
    for (; at < end && (*at == ':' || *at == ','); address += 4) {
        word = (uint32_t)strtoul(at + 1, &at, 0);
        put_words(m, address, &word, 1);
        at += strspn(at, " ");
    }
    assert_true(at >= end);
}

static void access_line(struct machine *m, const char *line)
{
    static const char send_to[] = "mailbox 1: ", receive[] = "mailbox 0", v3d[] = "V3D ";
    if (strncmp(line, send_to, strlen(send_to)) == 0)
        tess_pi_write(m->pi, TESS_PI_MAIL_WRITE,
                      (uint32_t)strtoul(line + strlen(send_to), NULL, 0));
    else if (strncmp(line, receive, strlen(receive)) == 0)
        tess_pi_read(m->pi, TESS_PI_MAIL_READ);
    else if (strncmp(line, v3d, strlen(v3d)) == 0)
        tess_pi_read(m->pi, TESS_PI_V3D + (uint32_t)strtoul(line + strlen(v3d), NULL, 0));
    else
        put_memory(m, line);
}

static void access_all(struct machine *m, const char *text)
{
    unsigned times = 1;
    if (strstr(text, " times\n")) {
        times = (unsigned)strtoul(text, NULL, 10);
        text = strchr(text, '\n') + 1;
    }
    while (times--)
        for (const char *line = text; *line; line = strchr(line, '\n') + 1)
            access_line(m, line);
}

/* Makes all accesses of the wrong or the right side. Returns the id of the latest finding of the
 * board, or "". */
static const char *rule_of(const char *text, unsigned *findings)
{
    struct machine m;
    const char *rule;
    machine_open(&m, NULL, 1);
    access_all(&m, text);
    rule = m.rule ? m.rule : "";
    *findings = m.findings + m.vc4_findings;
    machine_close(&m);
    return rule;
}

/* Returns whether another test makes the accesses: bcm2835/examples or, of C, cli/pi_memory.py. */
static bool is_of_peripheral(const struct example *example)
{
    return strcmp(example->kind, "TEXT") == 0 || strstr(example->wrong, "write 0x") ||
           strstr(example->wrong, "read 0x");
}

TEST(sides)
{
    unsigned findings;
    for (unsigned i = 0; i < EXAMPLES; i++) {
        if (is_of_peripheral(&examples[i]))
            continue;
        assert_string_equal(rule_of(examples[i].wrong, &findings), examples[i].id);
        rule_of(examples[i].right, &findings);
        if (findings)
            fail_msg("%s: the right side raises %u findings", examples[i].id, findings);
    }
}

TEST(each_finding_has_an_example)
{
    assert_int_equal(EXAMPLES, PI_FINDINGS);
    for (size_t i = 0; i < PI_FINDINGS; i++)
        assert_string_equal(examples[i].id, tess_rule_get(RULE_PI_FIRST + i)->id);
}
