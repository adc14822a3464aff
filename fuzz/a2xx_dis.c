/* SPDX-License-Identifier: MIT */
/* a2xx_dis.c - fuzz target: the disassembler of the A2xx, with any bytes as slots and as a file.
 * Every slot must have a text and an explanation. If the text is truncated, it must be the
 * beginning of the whole text. A file of raw words must disassemble to text that assembles to the
 * same bytes. A file that is recognised as another format must disassemble to text that the
 * assembler accepts. */
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
