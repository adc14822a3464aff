/* SPDX-License-Identifier: MIT */
/* check_list.h - rules about control lists: errata that records can trigger.
 *
 * In:  the records of a scene's lists in order, and the shader records that they name.
 * Out: findings. Each rule has at most one finding per record. */
#ifndef CHECK_FRAME_CHECK_LIST_H
#define CHECK_FRAME_CHECK_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "check/frame/check_input.h"

enum { CHECK_LIST_KEPT = 64 };

/* The shader record that a shader-state control record names. If the shaded vertices are in memory,
 * also the addresses of their point size and 1/Wc. */
struct check_list_shader {
    uint8_t varyings, stride;
    uint32_t code, uniforms; /* addresses of the fragment shader's code and uniforms */
    uint32_t sizes;          /* address of the first vertex's point size; 0 if the vertices in
                              * memory have no point size */
    uint32_t inverse_w;      /* address of the first vertex's 1/Wc; 0 if the vertices are not in
                              * memory */
};

/* State of the check of a scene's lists. Set found, memory and user, and zero-initialise the other
 * fields. */
struct check_list {
    void (*found)(void *user, enum check_rule rule, uint32_t address, const char *text);
    const uint8_t *(*memory)(void *user, uint32_t address, size_t *left);
    void *user;

    bool early_z;  /* true if a configuration record (96) has enabled early Z */
    bool reloaded; /* true if a load record (27) at address reload_at loads Z in a frame with
                    * multisampling */
    uint32_t reload_at;
    bool multisample;       /* true if the frame's record (113) selects multisampling and does not
                             * disable early Z */
    bool coverage;          /* true if the last configuration record (96) enables the coverage
                             * pipe */
    bool has_shader, drawn; /* drawn: true if the current shader has drawn primitives */
    bool vg;
    struct check_list_shader shader;
    bool varyings_drawn; /* true if the last primitives that did not use the coverage pipe have
                          * varyings */
    bool vg_drawn;       /* true if a VG shader has drawn primitives */
    bool primitives;     /* true if primitives have been drawn since the last change of state */
    uint32_t points;     /* number of vertices examined */
    uint32_t changes;    /* number of state changes after primitives, as the binner counts them */

    struct {
        enum check_rule rule;
        uint32_t address;
    } kept[CHECK_LIST_KEPT]; /* findings reported so far, used to suppress duplicates */
    uint32_t kept_count;
};

/* Resets the state that does not carry over from one control list to the next. */
void check_list_begin(struct check_list *list);

/* Checks a record of a list. If the record is a shader state, *shader is the shader record that it
 * names. */
void check_list_record(struct check_list *list, uint32_t address, const uint8_t *record,
                       const struct check_list_shader *shader);

#endif
