/* SPDX-License-Identifier: MIT */
/* gp_dis.c - fuzz target: the disassembler of the GP. Every 128-bit word must have a line of text
 * and an explanation. If the text is truncated, it must be the beginning of the whole text. A file
 * of raw words must disassemble to text that assembles to the same bytes. A file that is recognised
 * as ELF or MBS must disassemble to text that the assembler accepts. */
#include <string.h>

#include <tessera/isa.h>

#include "base/bits.h"
#include "dis_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORD = 16 };

static void check_word(const uint8_t *bytes)
{
    uint32_t words[4];
    char line[4096], account[16384], cut[24];
    for (size_t i = 0; i < 4; i++)
        words[i] = load_le32(bytes + 4 * i);
    size_t length = tess_gp_disassemble(line, sizeof line, words);
    check(length > 0 && length < sizeof line && strlen(line) == length);
    check(tess_gp_disassemble(cut, sizeof cut, words) == length);
    check(strncmp(line, cut, sizeof cut - 1) == 0);
    length = tess_gp_explain(account, sizeof account, words, NULL);
    check(length > 0 && length < sizeof account && strlen(account) == length);
    check(tess_gp_explain(NULL, 0, words, words) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_file(TESS_MACHINE_GP, data, size);
    for (size_t i = 0; i + WORD <= size; i += WORD)
        check_word(data + i);
    return 0;
}
