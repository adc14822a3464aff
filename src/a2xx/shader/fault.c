/* SPDX-License-Identifier: MIT */
/* fault.c - see fault.h. */
#include "a2xx/shader/fault.h"

#include <inttypes.h>
#include <stdio.h>

#include "finding/rules.h"
#include "program/a2xx_program.h"

/* --- reports --- */

struct teller {
    const struct tess_a2xx_program *program;
    enum tess_a2xx_stage stage;
};

/* Writes the place of a finding to text. Examples: "slot 12, vertex 7"; "control flow 3, pixel 0";
 * "vertex 7, export62" for a finding that belongs to no instruction. */
static void place(const struct teller *teller, const struct item_finding *entry, char *text,
                  size_t size)
{
    const char *item = teller->stage == TESS_A2XX_VERTEX ? "vertex" : "pixel";
    unsigned line = entry->line;
    if (line >= A2XX_FAULT_NO_LINE)
        snprintf(text, size, "%s %" PRIu64 ", export%u", item, entry->item,
                 line - A2XX_FAULT_NO_LINE);
    else if (line / 2 < teller->program->cf_slots)
        snprintf(text, size, "control flow %u, %s %" PRIu64, line, item, entry->item);
    else
        snprintf(text, size, "slot %u, %s %" PRIu64, line / 2, item, entry->item);
}

static void locate(const void *user, const struct item_finding *entry, struct tess_finding *finding,
                   char *where, size_t size)
{
    const struct teller *teller = user;
    bool line = entry->line < A2XX_FAULT_NO_LINE;
    const struct code_line *from = program_file_place(
        &teller->program->file, line ? entry->line / 2u : 0, A2XX_SLOT_BYTES,
        line && entry->line & 1 ? A2XX_SLOT_BYTES / 2 : 0);
    finding->file = from ? from->file : NULL;
    finding->line = line && from ? from->line : 0;
    finding->column = line && from ? from->column : 0;
    place(teller, entry, where, size);
}

void a2xx_fault_report(struct item_log *log, struct item_reported *reported,
                       const struct tess_a2xx_program *program, enum tess_a2xx_stage stage,
                       const struct tess_machine_options *options)
{
    const struct teller place = {program, stage};
    const struct item_teller teller = {
        .first_rule = RULE_A2XX_FIRST, .locate = locate, .user = &place, .options = options};
    item_log_report(log, reported, &teller);
}
