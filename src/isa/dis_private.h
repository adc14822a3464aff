/* SPDX-License-Identifier: MIT */
/* dis_private.h - types and functions that the files of the disassembler share. */
#ifndef ISA_DIS_PRIVATE_H
#define ISA_DIS_PRIVATE_H

#include <tessera/isa.h>

#include "base/buffer.h"
#include "base/json.h"
#include "isa/dis_isa.h"
#include "isa/dis_map.h"

/* Sizes, including the NUL, of buffers for an explanation and for an instruction's words as
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

/* One instruction, a run of data, memory that is not stored (bytes is NULL), or the
 * end (size is 0). */
struct dis_item {
    const uint8_t *bytes;
    uint32_t address;
    size_t size;
    bool code;
    struct dis_insn insn;            /* if the item is an instruction */
    size_t first_label, label_count; /* labels before the item */
};

/* Returns the name of the first label at an address, or NULL. user is the map. */
const char *dis_label_at(void *user, uint32_t address);

/* Writes up to 8 bytes that are not whole words as one number. Returns text. */
const char *dis_number_text(char text[DIS_WORDS_MAX], const uint8_t *bytes, size_t size);

/* Writes everything in the image, in order, in the output format. */
void dis_put_all(struct dis *dis);

/* Write an item of the JSON document, and the whole document. */
void dis_json_item(struct dis *dis, const struct dis_item *item);
void dis_json_document(struct dis *dis);

#endif
