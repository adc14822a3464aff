/* SPDX-License-Identifier: MIT */
/* instructions.c - public functions that disassemble and explain single instructions.
 *
 * In:  an instruction word and the caller's buffer.
 * Out: text. The assembler's public functions are in assemble.c. */
#include <tessera/isa.h>

#include <string.h>

#include "isa/a2xx/explain.h"
#include "isa/a2xx/print.h"
#include "isa/gp/print.h"
#include "isa/gp/view.h"
#include "isa/qpu/qpu_isa.h"

size_t tess_qpu_disassemble(char *text, size_t size, uint64_t word, uint32_t address)
{
    return qpu_print(text, size, word, address);
}

size_t tess_qpu_mnemonic(char *text, size_t size, uint64_t word, uint32_t address)
{
    return qpu_print_nearest(text, size, word, address);
}

size_t tess_qpu_explain(char *text, size_t size, uint64_t word, uint32_t address)
{
    return qpu_explain(text, size, word, address);
}

size_t tess_gp_disassemble(char *text, size_t size, const uint32_t words[4])
{
    return gp_print_line(text, size, words, NULL);
}

size_t tess_gp_explain(char *text, size_t size, const uint32_t words[4], const uint32_t before[4])
{
    struct text output = {text, size, 0};
    struct gp_insn insn = gp_decode(words), previous = before ? gp_decode(before) : gp_nop();
    gp_each_field(&insn, dis_put_field, &output);
    text_put(&output, "\n");
    gp_put_comment(&output, &insn, before ? &previous : NULL);
    return output.length;
}

static bool is_slot(const uint32_t *words, enum tess_a2xx_slot kind, enum tess_a2xx_variant variant)
{
    return words && (unsigned)kind <= TESS_A2XX_SLOT_FETCH && (unsigned)variant < A2XX_VARIANTS;
}

/* Prints a clause with its address, because the instructions of the clause are not available. */
size_t tess_a2xx_disassemble(char *text, size_t size, const uint32_t words[3],
                             enum tess_a2xx_slot kind, enum tess_a2xx_variant variant)
{
    struct text output = {text, size, 0};
    struct a2xx_surroundings around = {
        .variant = variant, .whole_fetches = true, .in_memory = true};
    if (!is_slot(words, kind, variant))
        return 0;
    if (kind == TESS_A2XX_SLOT_ALU)
        a2xx_put_alu(&output, words, &around);
    else if (kind == TESS_A2XX_SLOT_FETCH)
        a2xx_put_fetch(&output, words, &around);
    for (; kind == TESS_A2XX_SLOT_CONTROL && around.number < A2XX_CF_PER_SLOT; around.number++) {
        text_put(&output, around.number ? "\n" : "");
        a2xx_put_cf(&output, a2xx_cf_half(words, around.number), &around);
    }
    return output.length;
}

static void put_account(struct text *text, const struct a2xx_insn *insn)
{
    text_put(text, text->length ? "\n" : "");
    a2xx_each_field(insn, dis_put_field, text);
    text_put(text, "\n");
    a2xx_put_comment(text, insn);
}

size_t tess_a2xx_explain(char *text, size_t size, const uint32_t words[3], enum tess_a2xx_slot kind,
                         enum tess_a2xx_variant variant)
{
    struct text output = {text, size, 0};
    if (!is_slot(words, kind, variant))
        return 0;
    for (unsigned half = 0; kind == TESS_A2XX_SLOT_CONTROL && half < A2XX_CF_PER_SLOT; half++) {
        struct a2xx_insn insn = a2xx_insn_cf(a2xx_cf_half(words, half), variant);
        put_account(&output, &insn);
    }
    if (kind == TESS_A2XX_SLOT_CONTROL)
        return output.length;
    struct a2xx_insn insn = kind == TESS_A2XX_SLOT_FETCH ? a2xx_insn_fetch(words, variant)
                                                         : a2xx_insn_alu(words, variant);
    put_account(&output, &insn);
    return output.length;
}

bool tess_a2xx_variant_find(const char *name, enum tess_a2xx_variant *variant)
{
    static const char *const names[] = {[TESS_A2XX_ADRENO] = "adreno", [TESS_A2XX_XENOS] = "xenos"};
    for (size_t i = 0; name && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0) {
            if (variant)
                *variant = (enum tess_a2xx_variant)i;
            return true;
        }
    return false;
}
