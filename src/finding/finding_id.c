/* SPDX-License-Identifier: MIT */
/* finding_id.c - see finding_id.h. The ids are those in the models' tables, and three ids that runs
 * of a scene report. */
#include "finding/finding_id.h"

#include <string.h>

#include "base/alias.h"

#define FAULT(name, id, ...) id,
static const char *const qpu[] = {
#include "vc4/fault/faults.def"
    "list-halted", "list-not-flushed", "frame-not-ended"};
static const char *const gp[] = {
#include "mali/gp/faults.def"
};
static const char *const a2xx[] = {
#include "a2xx/shader/faults.def"
};
#undef FAULT

static const struct {
    const char *const *ids;
    size_t count;
} machines[] = {
    [TESS_MACHINE_QPU] = {qpu, sizeof qpu / sizeof qpu[0]},
    [TESS_MACHINE_GP] = {gp, sizeof gp / sizeof gp[0]},
    [TESS_MACHINE_A2XX] = {a2xx, sizeof a2xx / sizeof a2xx[0]},
};

static const char *find(enum tess_machine machine, const char *word, size_t length)
{
    for (size_t i = 0; i < machines[machine].count; i++) {
        const char *id = machines[machine].ids[i];
        if (strlen(id) == length && memcmp(id, word, length) == 0)
            return id;
    }
    return NULL;
}

const char *finding_id(enum tess_machine machine, const char *word, size_t length)
{
    const char *id = find(machine, word, length), *today = alias_find(word, length);
    return id || !today ? id : find(machine, today, strlen(today));
}
