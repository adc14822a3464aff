/* SPDX-License-Identifier: MIT */
/* public.c - the public door to the instruction sets: disassembly and explanation.
 *
 * In:  the caller's instruction word and buffer.
 * Out: text. Assembly has a door of its own. */
#include <tessera/isa.h>

#include <string.h>

#include "isa/gp/explain.h"
#include "isa/gp/print.h"
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
    gp_put_fields(&output, &insn);
    text_put(&output, "\n");
    gp_put_comment(&output, &insn, before ? &previous : NULL);
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
