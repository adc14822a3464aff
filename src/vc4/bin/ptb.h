/* SPDX-License-Identifier: MIT */
/* ptb.h - Primitive Tile Binner: writes one control list per tile, in memory.
 *
 * In:  record 112, state records and assembled primitives of the binning thread; memory from the
 *      tile allocation pool, then from the overspill block (V3D_BPOA, V3D_BPOS).
 * Out: tile lists, which contain state records, record 56 and compressed primitive lists (48, 49).
 *      A list consists of blocks; a branch leads from each block to the next. A flush ends each
 *      list with a return record. The tile state data array (48 bytes per tile) contains the
 *      binner's complete state of each tile's list.
 *
 * Every operation that needs memory can stall. The operation then returns PTB_STALLED and keeps its
 * position. The caller repeats the call with the same arguments after the host has supplied
 * memory. */
#ifndef VC4_BIN_PTB_H
#define VC4_BIN_PTB_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bin/ptb_state.h"

void ptb_reset(struct ptb *ptb);

struct state_stream;

/* Lists the fields for saved states (base/state.h). */
void ptb_fields(struct state_stream *stream, struct ptb *ptb);

/* Executes record 112. data points to the bytes after the record's code. */
enum ptb_result ptb_configure(struct ptb *ptb, const struct ptb_ports *ports, const uint8_t *data);

/* Executes record 6: initialises the tile state data array if record 112 requests it, and starts
 * the lists. Without an earlier record 112, the start takes place when that record comes. */
enum ptb_result ptb_start(struct ptb *ptb, const struct ptb_ports *ports);

/* Marks the item of a state record (64..104) as changed. Call it after the record has changed the
 * binning thread's state. */
void ptb_state_changed(struct ptb *ptb, const struct ptb_ports *ports, uint8_t code);

/* Bins one primitive. Culls the primitive, clips it if the shader record enables clipping, and
 * appends the remaining parts to the lists of the tiles that they touch. index[k] is the number of
 * vertex k in the vertex arrays, for the list. vertex[k] is the shaded vertex. */
enum ptb_result ptb_primitive(struct ptb *ptb, const struct ptb_ports *ports,
                              const struct cl_state *state, const struct shader_record *record,
                              enum primitive_type type, const uint32_t index[3],
                              const struct vertex *const vertex[3]);

/* Bins one primitive of VG mode, a triangle or an RHT. xy contains the coordinates in the format of
 * lists. */
enum ptb_result ptb_coordinates(struct ptb *ptb, const struct ptb_ports *ports,
                                const struct cl_state *state, enum primitive_type type,
                                const uint32_t xy[3]);

/* Executes records 4 and 5: ends every tile list. If all_state is true, first writes changed state
 * to all lists. */
enum ptb_result ptb_flush(struct ptb *ptb, const struct ptb_ports *ports,
                          const struct cl_state *state, bool all_state);

/* Drops a stalled operation and the unfinished lists, because the binning thread was reset. */
void ptb_abandon(struct ptb *ptb);

/* Handles a write of V3D_BPOS. A stalled operation may then continue. */
void ptb_overspill(struct ptb *ptb, uint32_t size);

#endif
