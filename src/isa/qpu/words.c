/* SPDX-License-Identifier: MIT */
/* words.c - text for the fields of an instruction, shared by printer and explainer.
 *
 * In:  opcodes and immediates.
 * Out: the words of ops.def (manual tables 12 and 13) and numbers (table 5). */
#include "isa/qpu/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"

static void put_text(struct qpu_output *output, const char *text)
{
    size_t length = strlen(text);
    if (output->length < output->size) {
        size_t room = output->size - output->length - 1, part = length < room ? length : room;
        memcpy(output->text + output->length, text, part);
        output->text[output->length + part] = '\0';
    }
    output->length += length;
}

/* Most calls write a plain text; that goes without printf, which took half of a disassembly's time. */
void qpu_put(struct qpu_output *output, const char *format, ...)
{
    va_list arguments;
    if (!strchr(format, '%')) {
        put_text(output, format);
        return;
    }
    va_start(arguments, format);
    if (strcmp(format, "%s") == 0) {
        put_text(output, va_arg(arguments, const char *));
        va_end(arguments);
        return;
    }
    bool room = output->length < output->size;
    int length = vsnprintf(room ? output->text + output->length : NULL,
                           room ? output->size - output->length : 0, format, arguments);
    va_end(arguments);
    output->length += length > 0 ? (size_t)length : 0;
}

#define ADD_OP(code, NAME, mnemonic, sources, is_float, words) [code] = {mnemonic, words, sources},
static const struct qpu_op_words add_words[32] = {
#include "isa/qpu/ops.def"
};
#define MUL_OP(code, NAME, mnemonic, sources, is_float, words) [code] = {mnemonic, words, sources},
static const struct qpu_op_words mul_words[8] = {
#include "isa/qpu/ops.def"
};

const struct qpu_op_words *qpu_add_words(unsigned op)
{
    return add_words[op & 31].mnemonic ? &add_words[op & 31] : NULL;
}

const struct qpu_op_words *qpu_mul_words(unsigned op)
{
    return &mul_words[op & 7];
}

void qpu_put_small(struct qpu_output *output, unsigned field)
{
    uint32_t value = qpu_small_immediate(field);
    if (field < 32 || field > 47)
        qpu_put(output, "%d", (int)(int32_t)value);
    else
        qpu_put(output, field < 40 ? "%.1f" : "%.9g", (double)bits_float(value));
}

int qpu_rotation(const struct qpu_insn *insn)
{
    return insn->form == QPU_FORM_ALU_IMMEDIATE && insn->raddr_b >= 48 ? insn->raddr_b - 48 : -1;
}
