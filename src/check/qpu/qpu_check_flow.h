/* SPDX-License-Identifier: MIT */
/* qpu_check_flow.h - graph of the paths through a program, with delay slots.
 *
 * A node is an instruction in a context. The context contains the branch in whose delay slots the
 * instruction is, and the number of instructions since a program end or a thread switch. Therefore
 * each path through the nodes is a sequence of instructions that the hardware can run. */
#ifndef CHECK_QPU_QPU_CHECK_FLOW_H
#define CHECK_QPU_QPU_CHECK_FLOW_H

#include "check/frame/check_found.h"
#include "isa/qpu/facts.h"

struct flow_context {
    uint32_t word;   /* index of the instruction among the checked words */
    uint32_t branch; /* word of the branch in whose delay slots the instruction is, or CHECK_NONE */
    uint8_t slot;    /* 1 to 3 in a delay slot, otherwise 0 */
    uint8_t end;     /* 1 or 2: number of instructions after the program end; otherwise 0 */
    uint8_t turn;    /* 1 or 2: number of instructions after a thread switch; otherwise 0 */
};

enum flow_trouble {
    FLOW_OFF_END = 1 << 0,
    FLOW_INTO_DATA = 1 << 1,
    FLOW_OUTSIDE = 1 << 2,
    FLOW_MISALIGNED = 1 << 3,
    FLOW_UNKNOWN = 1 << 4,     /* leads to an unknown address */
    FLOW_BRANCH_DATA = 1 << 5, /* a branch leads into data */
};

struct flow_node {
    struct flow_context at;
    uint32_t depth;                /* number of instructions from the entry, on the first path
                                    * found */
    uint32_t next, next_count;     /* outgoing edges: next_count items of flow.next from index next
                                    * on */
    uint32_t before, before_count; /* incoming edges: before_count items of flow.before from index
                                    * before on */
    uint8_t trouble;
};

struct flow_edge {
    uint32_t from, to; /* node indices */
    bool unknown;      /* true if an unknown function is called between the two nodes, so any code
                        * may run */
};

struct flow {
    const struct qpu_facts *facts;
    const uint8_t *content;  /* content of each word (code or data); NULL if all words are code */
    uint32_t base, count;    /* base: bus address of word 0; count: number of words */
    struct flow_node *nodes; /* nodes[0] is the entry; the other nodes are roughly in order of
                              * depth */
    uint32_t node_count;
    struct flow_edge *edges;
    uint32_t edge_count;
    uint32_t *next, *before; /* indices of edges, grouped by node */
    bool unknown;            /* some branch leads to an unknown address */
    bool limited;            /* the graph is too large and some paths are missing */
    bool no_memory;
    uint32_t *slots; /* hash table of node index + 1 */
    uint32_t slot_count;
};

/* Returns the target address of a branch that uses no register. */
uint32_t flow_target(const struct flow *flow, uint32_t branch);

/* Builds the graph of the program that begins at word entry. Before the call, set facts, content,
 * base and count, and zero the other fields of *flow. Free the graph with flow_free(). Returns
 * false if the host is out of memory. */
bool flow_build(struct flow *flow, uint32_t entry, uint32_t node_limit);

void flow_free(struct flow *flow);

#endif
