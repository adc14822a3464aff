/* SPDX-License-Identifier: MIT */
/* qpu_check_flow.c - see qpu_check_flow.h.
 *
 * In:     the facts of all words and an entry.
 * Out:    the graph of instructions and their successors.
 * Source: manual, section 3: a branch has three delay slots, a program end and a thread switch have
 *         two. A branch that writes a return address to a register (the link register) is a call.
 *         "bra -, raN" may return to each call whose link register is raN. */
#include "check/qpu/qpu_check_flow.h"

#include <stdlib.h>

#include "base/array.h"

enum {
    BRANCH_SLOTS = 3,
    END_SLOTS = 2,
    ROUNDS_MAX = 256, /* most passes that join returns with calls */
};

/* An item of a list of calls or of returns. Each link register has one list of each kind. */
struct link {
    uint32_t where; /* in a call, the word to return to; in a return, the node that returns */
    uint32_t next;  /* index of the list's next item + 1; 0 at the end of the list */
};

struct links {
    struct link *items;
    uint32_t count;
    uint32_t calls[32], returns[32]; /* for each link register, index of the newest item + 1; 0 for
                                      * an empty list */
};

/* --- nodes --- */

static uint32_t hash(const struct flow_context *at)
{
    uint32_t value = at->word * 0x9e3779b1u ^ at->branch * 0x85ebca6bu;
    value ^= (uint32_t)(at->slot | at->end << 2 | at->turn << 4) * 0xc2b2ae35u;
    return value ^ value >> 15;
}

static bool same(const struct flow_context *one, const struct flow_context *other)
{
    return one->word == other->word && one->branch == other->branch && one->slot == other->slot &&
           one->end == other->end && one->turn == other->turn;
}

static bool grow_table(struct flow *flow)
{
    uint32_t wanted = flow->slot_count ? flow->slot_count * 2 : 256;
    uint32_t *slots = calloc(wanted, sizeof *slots);
    if (!slots)
        return false;
    for (uint32_t i = 0; i < flow->node_count; i++) {
        uint32_t slot = hash(&flow->nodes[i].at) & (wanted - 1);
        while (slots[slot])
            slot = (slot + 1) & (wanted - 1);
        slots[slot] = i + 1;
    }
    free(flow->slots);
    flow->slots = slots;
    flow->slot_count = wanted;
    return true;
}

/* Returns the node with a context, and adds the node if it does not exist. Returns CHECK_NONE if
 * the graph has limit nodes or the host is out of memory. */
static uint32_t node_at(struct flow *flow, const struct flow_context *at, uint32_t depth,
                        uint32_t limit)
{
    if (flow->node_count * 2 >= flow->slot_count && !grow_table(flow)) {
        flow->no_memory = true;
        return CHECK_NONE;
    }
    uint32_t slot = hash(at) & (flow->slot_count - 1);
    for (; flow->slots[slot]; slot = (slot + 1) & (flow->slot_count - 1))
        if (same(&flow->nodes[flow->slots[slot] - 1].at, at))
            return flow->slots[slot] - 1;
    if (flow->node_count >= limit) {
        flow->limited = true;
        return CHECK_NONE;
    }
    if (!ARRAY_GROW(flow->nodes, flow->node_count)) {
        flow->no_memory = true;
        return CHECK_NONE;
    }
    flow->nodes[flow->node_count] = (struct flow_node){.at = *at, .depth = depth};
    flow->slots[slot] = ++flow->node_count;
    return flow->node_count - 1;
}

static void add_edge(struct flow *flow, uint32_t from, uint32_t to, bool unknown)
{
    if (to == CHECK_NONE)
        return;
    if (flow->edge_count / 16 >= flow->count + 64) {
        flow->limited = true;
        return;
    }
    if (ARRAY_GROW(flow->edges, flow->edge_count))
        flow->edges[flow->edge_count++] = (struct flow_edge){from, to, unknown};
    else
        flow->no_memory = true;
}

/* --- successors --- */

/* Returns the context of the instruction that runs after the one in context at. Sets the counts of
 * instructions since a program end and since a thread switch. The caller sets the word and the
 * branch. */
static struct flow_context after(const struct flow *flow, const struct flow_context *at)
{
    const struct qpu_facts *facts = &flow->facts[at->word];
    struct flow_context next = {.branch = CHECK_NONE};
    next.end = (uint8_t)(facts->accesses & ACCESS_END && !at->end ? 1 : at->end ? at->end + 1 : 0);
    if (facts->accesses & ACCESS_SWITCH)
        next.turn = 1;
    else if (at->turn == 1)
        next.turn = 2;
    return next;
}

static void step(struct flow *flow, uint32_t from, struct flow_context next, uint64_t word,
                 enum flow_trouble trouble, bool unknown, uint32_t limit)
{
    if (word >= flow->count) {
        flow->nodes[from].trouble |= (uint8_t)trouble;
        return;
    }
    if (flow->content && flow->content[word] == CHECK_DATA) {
        bool branch = trouble == FLOW_OUTSIDE;
        flow->nodes[from].trouble |= (uint8_t)(branch ? FLOW_BRANCH_DATA : FLOW_INTO_DATA);
        return;
    }
    next.word = (uint32_t)word;
    uint32_t to = node_at(flow, &next, flow->nodes[from].depth + 1, limit);
    add_edge(flow, from, to, unknown);
}

static void add_link(struct flow *flow, struct links *links, uint32_t *list, uint32_t where)
{
    if (!ARRAY_GROW(links->items, links->count)) {
        flow->no_memory = true;
        return;
    }
    links->items[links->count] = (struct link){where, *list};
    *list = ++links->count;
}

/* Returns the register of file A that a branch writes its return address to, or 32 if it writes
 * none. */
static unsigned link_register(const struct qpu_facts *facts)
{
    for (unsigned unit = 0; unit < 2; unit++)
        if (facts->write[unit].present && facts->write[unit].address < 32 &&
            !facts->write[unit].file_b)
            return facts->write[unit].address;
    return 32;
}

static bool links_any(const struct qpu_facts *facts)
{
    return facts->write[0].present || facts->write[1].present;
}

uint32_t flow_target(const struct flow *flow, uint32_t branch)
{
    const struct qpu_insn *insn = &flow->facts[branch].insn;
    return insn->immediate + (insn->rel ? flow->base + branch * 8 + 32 : 0);
}

/* Adds the edges of a taken branch. from is the node of the branch's last delay slot. */
static void take_branch(struct flow *flow, struct links *links, uint32_t from,
                        struct flow_context next, uint32_t branch, uint32_t limit)
{
    const struct qpu_facts *facts = &flow->facts[branch];
    const struct qpu_insn *insn = &facts->insn;
    uint64_t behind = (uint64_t)branch + 1 + BRANCH_SLOTS;
    unsigned link = link_register(facts);
    if (insn->reg) {
        bool returns = !insn->rel && insn->immediate == 0 && !links_any(facts);
        if (returns)
            add_link(flow, links, &links->returns[insn->raddr_a], from);
        else
            flow->nodes[from].trouble |= FLOW_UNKNOWN;
        if (links_any(facts) && facts->branch_always)
            step(flow, from, next, behind, FLOW_OFF_END, true, limit);
    } else {
        uint32_t target = flow_target(flow, branch);
        if (target % 8)
            flow->nodes[from].trouble |= FLOW_MISALIGNED;
        else
            step(flow, from, next, (uint32_t)(target - flow->base) / 8, FLOW_OUTSIDE, false, limit);
    }
    if (link < 32 && behind < flow->count)
        add_link(flow, links, &links->calls[link], (uint32_t)behind);
}

static void expand(struct flow *flow, struct links *links, uint32_t from, uint32_t limit)
{
    const struct flow_context at = flow->nodes[from].at;
    const struct qpu_facts *facts = &flow->facts[at.word];
    bool branch = facts->insn.form == QPU_FORM_BRANCH;
    struct flow_context next = after(flow, &at);
    if (at.end >= END_SLOTS)
        return;
    if (branch) {
        next.branch = at.word;
        next.slot = 1;
    }
    if (at.slot == BRANCH_SLOTS) {
        take_branch(flow, links, from, next, at.branch, limit);
        if (flow->facts[at.branch].branch_always)
            return;
    } else if (at.slot > 0 && !branch) {
        next.branch = at.branch;
        next.slot = (uint8_t)(at.slot + 1);
    }
    step(flow, from, next, (uint64_t)at.word + 1, FLOW_OFF_END, false, limit);
}

/* Adds an edge from each return to each call with the same link register. Skips pairs in which both
 * item numbers are at most `seen`, because an earlier pass has already added the edges of these
 * pairs. */
static void join_returns(struct flow *flow, struct links *links, uint32_t seen, uint32_t limit)
{
    for (unsigned link = 0; link < 32; link++) {
        for (uint32_t r = links->returns[link]; r; r = links->items[r - 1].next) {
            uint32_t from = links->items[r - 1].where;
            struct flow_context next = after(flow, &flow->nodes[from].at);
            if (flow->facts[flow->nodes[from].at.word].insn.form == QPU_FORM_BRANCH) {
                next.branch = flow->nodes[from].at.word;
                next.slot = 1;
            }
            for (uint32_t c = links->calls[link]; c && !flow->limited;
                 c = links->items[c - 1].next) {
                if (c <= seen && r <= seen)
                    break;
                step(flow, from, next, links->items[c - 1].where, FLOW_OFF_END, false, limit);
            }
        }
    }
}

static void find_unknown(struct flow *flow, const struct links *links)
{
    for (unsigned link = 0; link < 32; link++)
        for (uint32_t r = links->returns[link]; r && !links->calls[link];
             r = links->items[r - 1].next)
            flow->nodes[links->items[r - 1].where].trouble |= FLOW_UNKNOWN;
    for (uint32_t i = 0; i < flow->node_count; i++)
        flow->unknown |= (flow->nodes[i].trouble & FLOW_UNKNOWN) != 0;
}

/* Groups the edges by their source nodes and by their target nodes. */
static bool group_edges(struct flow *flow)
{
    flow->next = malloc((flow->edge_count + 1) * sizeof *flow->next);
    flow->before = malloc((flow->edge_count + 1) * sizeof *flow->before);
    if (!flow->next || !flow->before)
        return false;
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        flow->nodes[flow->edges[i].from].next_count++;
        flow->nodes[flow->edges[i].to].before_count++;
    }
    uint32_t next = 0, before = 0;
    for (uint32_t i = 0; i < flow->node_count; i++) {
        struct flow_node *node = &flow->nodes[i];
        node->next = next;
        node->before = before;
        next += node->next_count;
        before += node->before_count;
        node->next_count = node->before_count = 0;
    }
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        struct flow_node *from = &flow->nodes[flow->edges[i].from],
                         *to = &flow->nodes[flow->edges[i].to];
        flow->next[from->next + from->next_count++] = i;
        flow->before[to->before + to->before_count++] = i;
    }
    return true;
}

bool flow_build(struct flow *flow, uint32_t entry, uint32_t node_limit)
{
    struct links links = {0};
    const struct flow_context first = {.word = entry, .branch = CHECK_NONE};
    node_at(flow, &first, 0, node_limit);
    uint32_t done = 0, seen = 0;
    for (unsigned round = 0; done < flow->node_count && !flow->no_memory; round++) {
        if (round == ROUNDS_MAX) {
            flow->limited = true;
            break;
        }
        for (; done < flow->node_count && !flow->no_memory; done++)
            expand(flow, &links, done, node_limit);
        join_returns(flow, &links, seen, node_limit);
        seen = links.count;
    }
    find_unknown(flow, &links);
    free(links.items);
    return !flow->no_memory && group_edges(flow);
}

void flow_free(struct flow *flow)
{
    free(flow->nodes);
    free(flow->edges);
    free(flow->next);
    free(flow->before);
    free(flow->slots);
}
