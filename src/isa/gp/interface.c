/* SPDX-License-Identifier: MIT */
/* interface.c - reads the interface of a GP program from the section ".tessera" of its file.
 *
 * In:  text with one symbol per line (docs/isa/gp.md):
 *          attribute NAME NUMBER COMPONENTS        uniform NAME FIRST_ROW ROWS
 *          varying NAME NUMBER COMPONENTS          temporary NAME FIRST_ROW ROWS
 *          constant NAME ROW 0xBITS 0xBITS 0xBITS 0xBITS
 * Out: symbols; a diagnostic for each line that is malformed or out of range. */
#include <string.h>

#include <tessera/utgard.h>

#include "isa/gp/gp_isa.h"
#include "isa/interface_read.h"

#define NUMBER(what, numbers)       \
    {                               \
        what, 0, (numbers)-1, false \
    }
#define COMPONENTS                          \
    {                                       \
        "number of components", 1, 4, false \
    }
#define ROWS                               \
    {                                      \
        "number of rows", 1, GP_ROWS, true \
    }

/* clang-format off */
static const struct interface_form forms[] = {
    {"attribute", TESS_GP_ATTRIBUTE, true, false, {NUMBER("attribute", GP_ATTRIBUTES), COMPONENTS}},
    {"varying", TESS_GP_VARYING, true, false, {NUMBER("varying", GP_VARYINGS), COMPONENTS}},
    {"uniform", TESS_GP_UNIFORM, true, false, {NUMBER("row", GP_ROWS), ROWS}},
    {"temporary", TESS_GP_TEMPORARY, true, false, {NUMBER("row", GP_ROWS), ROWS}},
    {"constant", TESS_GP_CONSTANT, true, true, {NUMBER("row", GP_ROWS)}},
};
/* clang-format on */

static void make(void *to, const struct interface_entry *entry)
{
    bool components = entry->form->kind == TESS_GP_ATTRIBUTE ||
                      entry->form->kind == TESS_GP_VARYING;
    struct tess_gp_symbol symbol = {
        .kind = (enum tess_gp_kind)entry->form->kind,
        .name = entry->name,
        .number = (uint32_t)entry->numbers[0],
        .count = components || entry->form->values ? 1 : (uint32_t)entry->numbers[1],
        .components = components ? (uint32_t)entry->numbers[1] : 0,
    };
    memcpy(symbol.values, entry->values, sizeof symbol.values);
    *(struct tess_gp_symbol *)to = symbol;
}

const struct interface_kind gp_interface = {
    .rule = "gp-interface",
    .hint = "use a form that the assembler writes: attribute NAME NUMBER COMPONENTS, varying NAME "
            "NUMBER COMPONENTS, uniform NAME FIRST_ROW ROWS, temporary NAME FIRST_ROW ROWS, "
            "constant NAME ROW and four 0x words",
    .forms = forms,
    .form_count = sizeof forms / sizeof forms[0],
    .symbol_size = sizeof(struct tess_gp_symbol),
    .make = make,
};
