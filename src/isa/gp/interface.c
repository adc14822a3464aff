/* SPDX-License-Identifier: MIT */
/* interface.c - see interface.h. */
#include "isa/gp/interface.h"

#include <string.h>

#include "isa/gp/gp_isa.h"

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

static const struct interface_kind kind = {
    .rule = "gp-interface",
    .hint = "use a form that the assembler writes: attribute NAME NUMBER COMPONENTS, varying NAME "
            "NUMBER COMPONENTS, uniform NAME FIRST_ROW ROWS, temporary NAME FIRST_ROW ROWS, "
            "constant NAME ROW and four 0x words",
    .forms = forms,
    .form_count = sizeof forms / sizeof forms[0],
    .symbol_size = sizeof(struct tess_gp_symbol),
    .make = make,
};

enum tess_status gp_interface_read(const char *text, size_t size, const char *name,
                                   struct tess_sink sink, struct gp_interface *interface)
{
    *interface = (struct gp_interface){0};
    enum tess_status status = interface_read(&interface->lines, &kind, text, size, name, sink);
    interface->symbols = interface->lines.symbols;
    interface->count = interface->symbols ? interface->lines.count : 0;
    return status;
}

void gp_interface_free(struct gp_interface *interface)
{
    interface_free(&interface->lines);
    *interface = (struct gp_interface){0};
}
