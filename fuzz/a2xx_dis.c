/* SPDX-License-Identifier: MIT */
/* a2xx_dis.c - fuzz target: every slot of the A2xx has a text and an explanation. A truncated text
 * is the beginning of the whole text. A whole file with any contents disassembles to text that
 * assembles to the same bytes. Input that is recognised as another format than raw words gives text
 * that the assembler accepts. */
#include <string.h>

#include <tessera/isa.h>

#include "base/bits.h"
#include "dis_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SLOT = 12 };

static void check_slot(const uint8_t *bytes)
{
    uint32_t words[3];
    char text[4096], account[32768], cut[24];
    for (size_t i = 0; i < 3; i++)
        words[i] = load_le32(bytes + 4 * i);
    for (unsigned i = 0; i < 6; i++) {
        enum tess_a2xx_slot kind = (enum tess_a2xx_slot)(i % 3);
        enum tess_a2xx_variant variant = (enum tess_a2xx_variant)(i / 3);
        size_t length = tess_a2xx_disassemble(text, sizeof text, words, kind, variant);
        check(length > 0 && length < sizeof text && strlen(text) == length);
        check(tess_a2xx_disassemble(cut, sizeof cut, words, kind, variant) == length);
        check(strncmp(text, cut, sizeof cut - 1) == 0);
        length = tess_a2xx_explain(account, sizeof account, words, kind, variant);
        check(length > 0 && length < sizeof account && strlen(account) == length);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_file(TESS_MACHINE_A2XX, data, size);
    for (size_t i = 0; i + SLOT <= size; i += SLOT)
        check_slot(data + i);
    return 0;
}
