/* SPDX-License-Identifier: MIT */
/* qpu.h - Quad Processor (manual section 3): one hardware thread executing one program.
 *
 * In:  a start address, a uniform stream and, for fragment shaders, the FEP's quads.
 * Out: accesses to the units to which the QPU is connected (struct qpu_ports).
 *
 * isa/qpu decodes instruction words. alu.c, pack.c and sfu.c do the arithmetic. This block fetches
 * instructions, sequences them, moves operands and accesses the closely coupled units. */
#ifndef VC4_QPU_QPU_H
#define VC4_QPU_QPU_H

#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/memory/bus.h"
#include "vc4/qpu/qpu_cache.h"
#include "vc4/qpu/qpu_cycles.h"
#include "vc4/qpu/qpu_ports.h"
#include "vc4/qpu/qpu_state.h"
#include "vc4/raster/vri.h"
#include "vc4/tile/tlb.h"
#include "vc4/time/pctr.h"
#include "vc4/tmu/tmu.h"
#include "vc4/vpm/vpm.h"
#include "vc4/watch/instruction_profile.h"

/* Prepares a program. All registers and flags become zero. uniforms is the stream's bus address; 0
 * disables uniforms. */
void qpu_start(struct qpu *qpu, enum qpu_kind kind, uint32_t number, uint32_t pc,
               uint32_t uniforms);

struct state_stream;

/* List the fields for saved states (base/state.h). The program has ended, or is between two of its
 * turns. */
void qpu_fields(struct state_stream *stream, struct qpu *qpu);
void qpu_shared_fields(struct state_stream *stream, struct qpu_shared *shared);

/* Sets register 15 of both files for a fragment shader that starts: ra15 to W, rb15 to Z. */
void qpu_give_fragment(struct qpu *qpu, const lanes *w, const lanes *z);

/* qpu_run_turn() runs until the program ends, waits or breaks. Also stops at the end of the next
 * branch after `turn` instructions, or `more` instructions after these. If ports->alone is true,
 * also stops before an effect that other QPUs can see. Keeps the log's place up to date. Returns
 * qpu->state. qpu_run() stops after max_instructions. */
enum qpu_state qpu_run_turn(struct qpu *qpu, const struct qpu_ports *ports, uint64_t turn,
                            uint64_t more);
enum qpu_state qpu_run(struct qpu *qpu, const struct qpu_ports *ports, uint64_t max_instructions);

/* Writes the event for which a QPU waits, with the current state of the semaphore or mutex, to
 * text. Returns text. Example: "semaphore 3 to be released by another QPU". */
const char *qpu_wait_text(const struct qpu *qpu, const struct qpu_shared *shared, char *text,
                          uint32_t size);

/* Writes to text how to change the programs so that the wait ends. Returns text. */
const char *qpu_wait_hint(const struct qpu *qpu, const struct qpu_shared *shared, char *text,
                          uint32_t size);

#endif
