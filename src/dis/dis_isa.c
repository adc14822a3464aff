/* SPDX-License-Identifier: MIT */
/* dis_isa.c - table of the instruction sets with a disassembler, and the default form
 * of an explanation. */
#include "isa/dis_isa.h"

#include <stdio.h>

#include "base/text.h"

static const struct dis_isa *const machines[] = {
#define MACHINE(NAME, name, extension, prefix, MODEL) [TESS_MACHINE_##NAME] = &prefix##_dis,
#include "isa/machines.def"
};

const struct dis_isa *dis_isa(enum tess_machine machine)
{
    return (size_t)machine < sizeof machines / sizeof machines[0] ? machines[machine] : NULL;
}

void dis_put_field(void *text, const struct dis_field *field)
{
    char bits[16];
    if (field->high == field->low)
        snprintf(bits, sizeof bits, "%u", field->low);
    else
        snprintf(bits, sizeof bits, "%u-%u", field->low, field->high);
    text_put(text, "%-8s%-20s%-3u (%s)\n", bits, field->name, (unsigned)field->value,
             field->meaning);
}

void dis_explain(const struct dis_isa *isa, char *text, size_t size, const struct dis_insn *insn)
{
    struct text output = {text, size, 0};
    if (isa->explain) {
        isa->explain(text, size, insn);
        return;
    }
    isa->each_field(insn, dis_put_field, &output);
    text_put(&output, "\n");
    if (output.length < size)
        isa->comment(text + output.length, size - output.length, insn);
}
