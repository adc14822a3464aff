/* SPDX-License-Identifier: MIT */
/* dis_private.h - types and functions that the files of the disassembler share. */
#ifndef DIS_DIS_PRIVATE_H
#define DIS_DIS_PRIVATE_H

#include <tessera/isa.h>

#include "base/buffer.h"
#include "base/json.h"
#include "dis/dis_map.h"
#include "isa/dis_isa.h"

/* Buffer sizes, including the NUL: for an explanation, and for the words of an instruction as
 * text. */
enum { DIS_TEXT_MAX = 8192, DIS_WORDS_MAX = 64 };

struct dis {
    const struct tess_dis_options *options;
    const struct dis_isa *isa;
    struct dis_map map;
    struct buffer out;
    struct json json;
    const struct code_line *line; /* the last line written */
};

/* An item of the output: an instruction, a run of data, reserved memory (bytes is NULL), or the end
 * of a segment (size is 0). */
struct dis_item {
    const uint8_t *bytes;
    uint32_t address;
    size_t size;
    bool code;
    struct dis_insn insn;            /* valid if the item is an instruction */
    size_t first_label, label_count; /* labels before the item */
};

/* Returns the name of the first label at an address, or NULL. user is the map. */
const char *dis_label_at(void *user, uint32_t address);

/* Writes up to 8 little-endian bytes as one hexadecimal number. Returns text. */
const char *dis_number_text(char text[DIS_WORDS_MAX], const uint8_t *bytes, size_t size);

/* Writes all items of the image, in order of address, in the output format. */
void dis_put_all(struct dis *dis);

/* dis_json_item() writes an item of the JSON document. dis_json_document() writes the whole
 * document. */
void dis_json_item(struct dis *dis, const struct dis_item *item);
void dis_json_document(struct dis *dis);

#endif
