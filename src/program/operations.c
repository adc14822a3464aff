/* SPDX-License-Identifier: MIT */
/* operations.c - see operations.h. */
#include "program/operations.h"

#include <inttypes.h>
#include <stdio.h>

#include "isa/a2xx/view.h"
#include "isa/gp/facts.h"
#include "isa/gp/print.h"
#include "program/a2xx_program.h"
#include "program/gp_program.h"

_Static_assert((int)GP_LINE_MAX <= OPERATIONS_TEXT && (int)A2XX_LINE_MAX <= OPERATIONS_TEXT,
               "room");
_Static_assert((int)OPERATION_LIST_OPERANDS == TESS_OPERANDS, "all operands");

/* --- texts --- */

static void copy_operands(struct tess_operation *to, const struct listed_operation *from,
                          const char *text)
{
    to->operand_count = from->count;
    for (unsigned i = 0; i < from->count; i++) {
        const struct listed_operand *operand = &from->operands[i];
        to->operands[i].count = operand->component_count;
        snprintf(to->operands[i].text, sizeof to->operands[i].text, "%.*s", operand->length,
                 text + operand->at);
    }
}

/* Fills the list from the printer's list, and splits the text into the texts of the operations. */
static void copy_operations(struct operations *operations)
{
    for (unsigned i = 0; i < operations->listed.count; i++) {
        const struct listed_operation *from = &operations->listed.list[i];
        operations->list[i] = (struct tess_operation){.text = operations->text + from->at};
        copy_operands(&operations->list[i], from, operations->text);
    }
    for (unsigned i = 0; i < operations->listed.count; i++)
        operations->text[operations->listed.list[i].at + operations->listed.list[i].length] = 0;
}

void operations_of_gp(struct operations *operations, const struct tess_gp_program *program,
                      size_t instruction)
{
    operations->listed.count = 0;
    gp_program_put(program, instruction, operations->text, sizeof operations->text,
                   &operations->listed);
    copy_operations(operations);
}

void operations_of_a2xx(struct operations *operations, const struct tess_a2xx_program *program,
                        size_t slot)
{
    struct text text = {operations->text, sizeof operations->text, 0};
    operations->listed.count = 0;
    a2xx_view_put(&text, program->view, slot, &operations->listed);
    copy_operations(operations);
}

void operations_of_control(struct operations *operations, const struct tess_a2xx_program *program,
                           size_t number)
{
    struct text text = {operations->text, sizeof operations->text, 0};
    operations->listed.count = 0;
    operation_list_begin(&operations->listed, &text, 0);
    a2xx_program_put_control(&text, program, number);
    operation_list_end(&operations->listed, &text);
    copy_operations(operations);
}

/* --- names --- */

static void note_symbol(struct tess_operation *operation, const struct tess_gp_program *program,
                        enum tess_gp_kind kind, uint32_t number)
{
    const struct tess_gp_symbol *symbol;
    for (size_t i = 0; (symbol = tess_gp_program_symbol(program, i)) != NULL; i++)
        if (symbol->kind == kind && symbol->number == number) {
            snprintf(operation->note, sizeof operation->note, "%.60s", symbol->name);
            return;
        }
}

/* Notes the number and name of a row, such as "row 6, mvp[2]". */
static void note_row(struct tess_operation *operation, const struct tess_gp_program *program,
                     uint32_t row)
{
    struct text note = {operation->note, sizeof operation->note, 0};
    const struct tess_gp_symbol *symbol;
    text_put(&note, "row %" PRIu32, row);
    for (size_t i = 0; (symbol = tess_gp_program_symbol(program, i)) != NULL; i++) {
        bool rows = symbol->kind != TESS_GP_ATTRIBUTE && symbol->kind != TESS_GP_VARYING;
        if (!rows || row < symbol->number || row - symbol->number >= symbol->count)
            continue;
        text_put(&note, ", %.30s", symbol->name);
        if (symbol->count > 1)
            text_put(&note, "[%" PRIu32 "]", row - symbol->number);
        return;
    }
}

void operations_note(struct operations *operations, const struct tess_gp_program *program,
                     size_t instruction, uint32_t row)
{
    struct gp_insn insn = gp_decode(program->file.words + instruction * GP_WORDS);
    for (unsigned i = 0; i < operations->listed.count; i++) {
        struct tess_operation *operation = &operations->list[i];
        switch (operations->listed.list[i].kind) {
        case GP_SLOT_LOAD0:
            if (insn.register0_attribute)
                note_symbol(operation, program, TESS_GP_ATTRIBUTE, insn.register0_addr);
            break;
        case GP_SLOT_ROW: note_row(operation, program, row); break;
        case GP_SLOT_STORE0:
            if (insn.store0_varying && !insn.store0_temporary)
                note_symbol(operation, program, TESS_GP_VARYING, insn.store0_addr);
            break;
        case GP_SLOT_STORE1:
            if (insn.store1_varying && !insn.store1_temporary)
                note_symbol(operation, program, TESS_GP_VARYING, insn.store1_addr);
            break;
        default: break;
        }
    }
}
