/* SPDX-License-Identifier: MIT */
/* interface.c - reads the interface of an A2xx program from the section ".tessera" of its file:
 * inputs, outputs and constants.
 *
 * In:  text with one symbol per line (docs/isa/a2xx.md):
 *          attribute NAME REGISTER COUNT      uniform NAME FIRST COUNT
 *          varying NAME NUMBER COUNT          sampler NAME NUMBER
 *          bool NUMBER 0|1                    constant NUMBER 0xBITS 0xBITS 0xBITS 0xBITS
 *          loop NUMBER COUNT START STEP
 * Out: symbols; a diagnostic for each line that is malformed or out of range. */
#include <string.h>

#include <tessera/a2xx.h>

#include "isa/a2xx/a2xx_isa.h"
#include "isa/interface_read.h"

#define NUMBER(what, numbers)       \
    {                               \
        what, 0, (numbers)-1, false \
    }
#define COUNT(what, most)   \
    {                       \
        what, 1, most, true \
    }

/* clang-format off */
static const struct interface_form forms[] = {
    {"attribute", TESS_A2XX_ATTRIBUTE, true, false,
     {NUMBER("register", A2XX_REGISTERS), COUNT("number of registers", A2XX_REGISTERS)}},
    {"varying", TESS_A2XX_VARYING, true, false,
     {NUMBER("varying", A2XX_REGISTERS), COUNT("number of varyings", A2XX_REGISTERS)}},
    {"uniform", TESS_A2XX_UNIFORM, true, false,
     {NUMBER("constant", A2XX_CONSTANTS), COUNT("number of constants", A2XX_CONSTANTS)}},
    {"sampler", TESS_A2XX_SAMPLER, true, false, {NUMBER("texture constant", A2XX_FETCH_CONSTANTS)}},
    {"constant", TESS_A2XX_CONST, false, true, {NUMBER("constant", A2XX_CONSTANTS)}},
    {"bool", TESS_A2XX_BOOL, false, false,
     {NUMBER("boolean constant", A2XX_BOOLS), {"boolean", 0, 1, false}}},
    {"loop", TESS_A2XX_LOOP, false, false,
     {NUMBER("loop constant", A2XX_LOOPS), {"loop count", 0, 255, false},
      {"loop start", 0, 255, false}, {"loop step", -128, 127, false}}},
};
/* clang-format on */

/* Converts an entry to a symbol. If the entry is a range, its second number is the count. If the
 * entry is a boolean or loop constant, the numbers after the first number are the values. */
static void make(void *to, const struct interface_entry *entry)
{
    struct tess_a2xx_symbol symbol = {
        .kind = (enum tess_a2xx_kind)entry->form->kind,
        .name = entry->name,
        .number = (uint32_t)entry->numbers[0],
        .count = entry->form->numbers[1].within ? (uint32_t)entry->numbers[1] : 1,
    };
    memcpy(symbol.values, entry->values, sizeof symbol.values);
    for (unsigned i = 1; !entry->form->named && !entry->form->values && i < INTERFACE_NUMBERS; i++)
        symbol.values[i - 1] = (float)entry->numbers[i];
    *(struct tess_a2xx_symbol *)to = symbol;
}

const struct interface_kind a2xx_interface = {
    .rule = "a2xx-interface",
    .hint = "use a form that the assembler writes: attribute NAME REGISTER COUNT, varying NAME "
            "NUMBER COUNT, uniform NAME FIRST COUNT, sampler NAME NUMBER, constant NUMBER and four "
            "0x words, bool NUMBER 0|1, loop NUMBER COUNT START STEP",
    .forms = forms,
    .form_count = sizeof forms / sizeof forms[0],
    .symbol_size = sizeof(struct tess_a2xx_symbol),
    .make = make,
};
