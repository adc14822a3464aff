/* SPDX-License-Identifier: MIT */
/* attributes.h - finds attributes of a vertex program whose names contradict the program.
 *
 * In:      the words of a vertex program, and the names that @attribute gives to registers.
 * Out: findings of two kinds. Either no fetch reads an attribute, or the program exports a value
 *      such as a colour as the position, although another attribute has the name of a position.
 * Choices: the names that are recognised are those that public shaders use for positions, colours,
 *          normals and texture coordinates. In a program with jumps, only the first kind of finding
 *          is reported. */
#ifndef ISA_A2XX_ATTRIBUTES_H
#define ISA_A2XX_ATTRIBUTES_H

#include "isa/a2xx/facts.h"

struct a2xx_attribute_input {
    const uint32_t *words; /* A2XX_WORDS words per slot */
    uint32_t slots;
    uint32_t cf_slots; /* number of slots with control flow, which are at the start of the
                        * program */
    enum tess_a2xx_variant variant;
    const char *const *names; /* name for each register, or NULL for a register without a name */
};

enum a2xx_attribute_kind { A2XX_ATTRIBUTE_UNREAD, A2XX_ATTRIBUTE_USE };

struct a2xx_attribute_finding {
    enum a2xx_attribute_kind kind;
    /* slot of the fetch that the finding is about, or 0 if the program has no vertex fetch */
    uint32_t slot;
    uint32_t other; /* slot of the fetch of the attribute that has the name of a position; 0 if no
                     * fetch reads it */
    const char *text;
};

/* Calls `report` for each finding. .text is only valid during the call. */
void a2xx_attributes_check(const struct a2xx_attribute_input *input,
                           void (*report)(void *user, const struct a2xx_attribute_finding *found),
                           void *user);

#endif
