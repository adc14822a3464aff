/* SPDX-License-Identifier: MIT */
/* dis_private.h - what the disassembler's own files share. */
#ifndef ISA_DIS_PRIVATE_H
#define ISA_DIS_PRIVATE_H

#include <tessera/isa.h>

#include "base/buffer.h"
#include "base/json.h"
#include "isa/dis_isa.h"
#include "isa/dis_map.h"

/* Bytes with the NUL: of an account, and of an instruction's words. */
enum { DIS_TEXT_MAX = 8192, DIS_WORDS_MAX = 64 };

struct dis {
    const struct tess_dis_options *options;
    const struct dis_isa *isa;
    struct dis_map map;
    struct buffer out;
    struct json json;
    const struct code_line *line; /* the last one written */
};

/* One instruction, a run of data, memory that is not stored (no bytes), or the end (no size). */
struct dis_item {
    const uint8_t *bytes;
    uint32_t address;
    size_t size;
    bool code;
    struct dis_insn insn;            /* if it is one */
    size_t first_label, label_count; /* that stand before it */
};

/* The name of the first label at an address, or NULL; user is the map. */
const char *dis_label_at(void *user, uint32_t address);

/* Bytes that are no whole words, 8 at most, as one number. */
const char *dis_number_text(char text[DIS_WORDS_MAX], const uint8_t *bytes, size_t size);

/* Calls the writer of the output for everything in the image, in order. */
void dis_put_all(struct dis *dis);

/* An item of the JSON document; the whole document. */
void dis_json_item(struct dis *dis, const struct dis_item *item);
void dis_json_document(struct dis *dis);

#endif
