/* SPDX-License-Identifier: MIT */
/* check_list.h - rules about control lists: errata that records can trigger.
 *
 * In:  the records of a scene's lists in order, and the shader records that they name.
 * Out: findings, of each rule at most one per record. */
#ifndef ISA_CHECK_LIST_H
#define ISA_CHECK_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/check_input.h"

enum { CHECK_LIST_KEPT = 64 };

/* Contents of a shader state: the varyings of its record and, for vertices in memory, the addresses
 * of point size and 1/Wc. */
struct check_list_shader {
    uint8_t varyings, stride;
    uint32_t code, uniforms; /* of the fragment shader */
    uint32_t sizes;          /* address of the first vertex's point size; 0 if none */
    uint32_t inverse_w;      /* address of the first vertex's 1/Wc; 0 if the vertices are not in
                         * memory */
};

/* State of the check of a scene's lists. Set the first three fields and zero the others. */
struct check_list {
    void (*found)(void *user, enum check_rule rule, uint32_t address, const char *text);
    const uint8_t *(*memory)(void *user, uint32_t address, size_t *left);
    void *user;

    bool early_z;  /* a record 96 has enabled early Z */
    bool reloaded; /* record 27 loads Z in a multisample frame with early Z, at reload_at */
    uint32_t reload_at;
    bool multisample;       /* record 113 selects multisampling and does not disable early Z */
    bool coverage;          /* record 96 enables the coverage pipe */
    bool has_shader, drawn; /* drawn: the current shader has drawn primitives */
    bool vg;
    struct check_list_shader shader;
    bool varyings_drawn; /* the last primitives without the coverage pipe had varyings */
    bool vg_drawn;       /* a VG shader has drawn primitives */
    bool primitives;     /* primitives were drawn since the last change of state */
    uint32_t points;     /* number of vertices examined */
    uint32_t changes;    /* number of state changes after primitives, as the binner counts them */

    struct {
        enum check_rule rule;
        uint32_t address;
    } kept[CHECK_LIST_KEPT]; /* findings so far, to suppress duplicates */
    uint32_t kept_count;
};

/* Begins a list. */
void check_list_begin(struct check_list *list);

/* Checks a record of a list. shader is the shader state that the record names, if it names one. */
void check_list_record(struct check_list *list, uint32_t address, const uint8_t *record,
                       const struct check_list_shader *shader);

#endif
