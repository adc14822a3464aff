/* SPDX-License-Identifier: MIT */
/* attributes.h - attributes of a vertex program whose names contradict what the program reads and exports.
 *
 * In:      the words of a vertex program, its control flow, and the names that @attribute gives to registers.
 * Out:     attributes that no fetch reads; colours and the like that go to the position in place of the position.
 * Choices: the names of a position, and of what cannot be one, are those that public shaders use. A program with jumps is not
 *          followed. */
#ifndef ISA_A2XX_ATTRIBUTES_H
#define ISA_A2XX_ATTRIBUTES_H

#include "isa/a2xx/facts.h"

struct a2xx_attribute_input {
    const uint32_t *words; /* A2XX_WORDS for each slot */
    uint32_t slots;
    uint32_t cf_slots; /* slots of control flow, at the start */
    enum tess_a2xx_variant variant;
    const char *const *names; /* one for each register; NULL for a register without a name */
};

enum a2xx_attribute_kind { A2XX_ATTRIBUTE_UNREAD, A2XX_ATTRIBUTE_USE };

struct a2xx_attribute_finding {
    enum a2xx_attribute_kind kind;
    uint32_t slot;  /* of a fetch; 0 if the program has no vertex fetch */
    uint32_t other; /* slot of the position's fetch; 0 if there is none */
    const char *text;
};

/* Calls report for each finding. .text is valid during the call. */
void a2xx_attributes_check(const struct a2xx_attribute_input *input,
                           void (*report)(void *user, const struct a2xx_attribute_finding *found),
                           void *user);

#endif
