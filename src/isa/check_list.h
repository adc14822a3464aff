/* SPDX-License-Identifier: MIT */
/* check_list.h - rules about control lists: the errata that records can trip.
 *
 * In:  the records of a scene's lists in their order, and the shader records that they name.
 * Out: findings, each once for a record. */
#ifndef ISA_CHECK_LIST_H
#define ISA_CHECK_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/check_input.h"

enum { CHECK_LIST_KEPT = 64 };

/* What is known of a shader state: the varyings of its record, and, if vertices in memory have point sizes, where. */
struct check_list_shader {
    uint8_t varyings, stride;
    uint32_t code, uniforms; /* of the fragment shader */
    uint32_t sizes; /* address of the first one; 0: none */
    uint32_t inverse_w; /* likewise, of vertices in memory */
};

/* What the lists of a scene have done so far. Zero-initialise it, apart from the first three. */
struct check_list {
    void (*found)(void *user, enum check_rule rule, uint32_t address, const char *text);
    const uint8_t *(*memory)(void *user, uint32_t address, size_t *left);
    void *user;

    bool early_z;  /* a record 96 enables it */
    bool reloaded; /* record 27 in a multisample frame with early Z, at reload_at */
    uint32_t reload_at;
    bool multisample;       /* what record 113 says; early Z is not disabled there */
    bool coverage;          /* what record 96 says */
    bool has_shader, drawn; /* drawn: by it */
    bool vg;
    struct check_list_shader shader;
    bool varyings_drawn; /* primitives with varyings, and none without since */
    bool vg_drawn;       /* primitives of a VG shader */
    bool primitives;     /* since state changed */
    uint32_t points;     /* whose sizes have been looked at */
    uint32_t changes;    /* of state behind primitives, as the binner counts them */

    struct {
        enum check_rule rule;
        uint32_t address;
    } kept[CHECK_LIST_KEPT]; /* findings, so that none comes twice */
    uint32_t kept_count;
};

/* A list begins. */
void check_list_begin(struct check_list *list);

/* A record of a list; shader: what it names, if it names one. */
void check_list_record(struct check_list *list, uint32_t address, const uint8_t *record,
                       const struct check_list_shader *shader);

#endif
