/* SPDX-License-Identifier: MIT */
/* step_text.h - the operations of a traced step as one text, for comparisons. */
#ifndef TESTS_STEP_TEXT_H
#define TESTS_STEP_TEXT_H

#include <tessera/step.h>

#include "base/text.h"

static inline void step_text_values(struct text *text, const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        text_put(text, "%s%g", i ? "," : "", (double)values[i]);
}

/* Appends one line for each operation, such as "acc0.mov attr.w: attr.w=4 -> 4". */
static inline void step_text(struct text *text, const struct tess_operation *operations,
                             size_t count)
{
    static const char *const outcomes[] = {"", " loaded", " skipped", " taken", " not taken"};
    for (size_t i = 0; i < count; i++) {
        const struct tess_operation *operation = &operations[i];
        text_put(text, "%s:", operation->text);
        for (uint32_t k = 0; k < operation->operand_count; k++) {
            text_put(text, " %s=", operation->operands[k].text);
            step_text_values(text, operation->operands[k].values, operation->operands[k].count);
        }
        text_put(text, "%s", operation->result_count ? " -> " : "");
        step_text_values(text, operation->results, operation->result_count);
        text_put(text, "%s", outcomes[operation->outcome]);
        text_put(text, operation->note[0] ? " (%s)\n" : "%s\n", operation->note);
    }
}

#endif
