/* SPDX-License-Identifier: MIT */
/* slot_kinds.c - see slot_kinds.h. */
#include "isa/a2xx/slot_kinds.h"

#include "isa/a2xx/a2xx_isa.h"

static void mark_clause(const struct a2xx_exec *exec, size_t slots, uint8_t *kinds)
{
    for (unsigned i = 0; i < exec->count && exec->address + i < slots; i++)
        kinds[exec->address + i] |= a2xx_is_fetch(exec, i) ? A2XX_SLOT_FETCH : A2XX_SLOT_ALU;
}

void a2xx_slot_kinds(const uint32_t *words, size_t slots, size_t cf_slots, uint8_t *kinds)
{
    for (size_t i = 0; i < slots; i++)
        kinds[i] = i < cf_slots ? A2XX_SLOT_CONTROL : 0;
    for (size_t i = 0; i < cf_slots * A2XX_CF_PER_SLOT; i++) {
        struct a2xx_cf cf = a2xx_decode_cf(
            a2xx_cf_half(words + i / A2XX_CF_PER_SLOT * A2XX_WORDS, i % A2XX_CF_PER_SLOT));
        if (cf.form == A2XX_FORM_EXEC)
            mark_clause(&cf.exec, slots, kinds);
    }
}
