/* SPDX-License-Identifier: MIT */
/* fault.c - see fault.h. */
#include "mali/gp/fault.h"

#include <inttypes.h>
#include <stdio.h>

#include "finding/rules.h"
#include "program/gp_program.h"

/* --- reports --- */

/* Returns ", NAME" for a varying with a name, or "" for a varying without a name. */
static const char *varying_name(const struct tess_gp_program *program, uint32_t number,
                                char text[64])
{
    const struct tess_gp_symbol *symbol;
    for (size_t i = 0; (symbol = tess_gp_program_symbol(program, i)) != NULL; i++)
        if (symbol->kind == TESS_GP_VARYING && symbol->number == number) {
            snprintf(text, 64, ", %s", symbol->name);
            return text;
        }
    return "";
}

/* Writes the place of a finding to text. Examples: "instruction 12 (loop), vertex 7"; "vertex 7,
 * v_colour" for a finding that belongs to no instruction. */
static void place(const struct item_finding *entry, const struct tess_gp_program *program,
                  char *text, size_t size)
{
    if (entry->line >= FAULT_NO_LINE) {
        uint32_t varying = (entry->line - FAULT_NO_LINE) / 4u;
        char name[64];
        snprintf(text, size, "vertex %" PRIu64 "%s", entry->item,
                 varying_name(program, varying, name));
        return;
    }
    const char *label = tess_gp_program_label(program, entry->line);
    snprintf(text, size, "instruction %u%s%s%s, vertex %" PRIu64, entry->line, label ? " (" : "",
             label ? label : "", label ? ")" : "", entry->item);
}

static void locate(const void *user, const struct item_finding *entry, struct tess_finding *finding,
                   char *where, size_t size)
{
    const struct tess_gp_program *program = user;
    bool line = entry->line < FAULT_NO_LINE;
    const struct code_line *from = program_file_place(&program->file, line ? entry->line : 0,
                                                      GP_INSN_BYTES, 0);
    finding->file = from ? from->file : NULL;
    finding->line = line && from ? from->line : 0;
    finding->column = line && from ? from->column : 0;
    place(entry, program, where, size);
}

void fault_report(struct item_log *log, struct item_reported *reported,
                  const struct tess_gp_program *program, const struct tess_machine_options *options)
{
    const struct item_teller teller = {
        .first_rule = RULE_GP_FIRST, .locate = locate, .user = program, .options = options};
    item_log_report(log, reported, &teller);
}
