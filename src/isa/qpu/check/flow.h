/* SPDX-License-Identifier: MIT */
/* flow.h - the ways through a program: which instruction follows which, with delay slots.
 *
 * A node is an instruction in a context: which branch it is a delay slot of, and how far a program end or a thread
 * switch is under way. So a path through nodes is what the hardware does. */
#ifndef ISA_QPU_CHECK_FLOW_H
#define ISA_QPU_CHECK_FLOW_H

#include "isa/qpu/check/facts.h"

#define FLOW_NONE UINT32_MAX

struct flow_context {
    uint32_t word;
    uint32_t branch; /* word of the branch whose delay slot this is; FLOW_NONE */
    uint8_t slot;    /* 1 to 3 then */
    uint8_t end;     /* 1, 2: that many instructions behind the program end; else 0 */
    uint8_t turn;    /* the same behind a thread switch */
};

enum flow_trouble {
    FLOW_OFF_END = 1 << 0,
    FLOW_INTO_DATA = 1 << 1,
    FLOW_OUTSIDE = 1 << 2,
    FLOW_MISALIGNED = 1 << 3,
    FLOW_UNKNOWN = 1 << 4,     /* leads to a place that is not known */
    FLOW_BRANCH_DATA = 1 << 5, /* a branch leads into data */
};

struct flow_node {
    struct flow_context at;
    uint32_t depth;                /* instructions since the entry, at least */
    uint32_t next, next_count;     /* in flow.next */
    uint32_t before, before_count; /* in flow.before */
    uint8_t trouble;
};

struct flow_edge {
    uint32_t from, to; /* nodes */
    bool unknown;      /* any other code may run in between: a call of a place that is not known */
};

struct flow {
    const struct check_facts *facts;
    const uint8_t *content;  /* NULL: all is code */
    uint32_t base, count;    /* of words */
    struct flow_node *nodes; /* nodes[0] is the entry; in the order of their depth, about */
    uint32_t node_count, node_capacity;
    struct flow_edge *edges;
    uint32_t edge_count, edge_capacity;
    uint32_t *next, *before; /* numbers of edges, grouped by node */
    bool unknown;            /* some branch leads to a place that is not known */
    bool limited;            /* too large: some ways are left out */
    bool no_memory;
    uint32_t *slots; /* hash table of node number + 1 */
    uint32_t slot_count;
};

/* Where a branch without a register leads. */
uint32_t flow_target(const struct flow *flow, uint32_t branch);

/* Follows the program that begins at word entry. Zero-initialise *flow apart from facts, content, base and count; free
 * it with flow_free(). False if the host is out of memory. */
bool flow_build(struct flow *flow, uint32_t entry, uint32_t node_limit);

void flow_free(struct flow *flow);

#endif
