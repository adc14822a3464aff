/* SPDX-License-Identifier: MIT */
/* tlb.h - Tile Buffer (manual section 5): colour, Z, stencil and alpha-mask of one tile.
 *
 * In:  control records 24..29 and 113..115 from the control-list executor; Z, stencil setup, colour
 *      and mask writes of fragment shaders.
 * Out: colour and mask to shaders; stored tiles in memory. */
#ifndef VC4_TILE_TLB_H
#define VC4_TILE_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/tile/tlb_state.h"

/* Returns the geometry for the mode bits that are in both record 112 and record 113 (manual section
 * 5; docs/vc4/tlb.md for the sizes). */
struct tlb_geometry tlb_geometry(bool multisample, bool colour_64bit, bool double_buffer);

struct state_stream;

/* Lists the fields for saved states (base/state.h). */
void tlb_fields(struct state_stream *stream, struct tlb *tlb);

/* Returns the geometry of the frame of a record 113. data points to the bytes after the record's
 * code. */
struct tlb_geometry tlb_frame_geometry(const uint8_t *data);

/* --- control-list side; data points to the bytes after a record's code --- */

void tlb_reset(struct tlb *tlb);       /* sets clear values and contents to 0, although the
                                          hardware's contents are undefined; removes the frame */
void tlb_reset_setup(struct tlb *tlb); /* like tlb_reset(), but keeps the contents */
void tlb_configure(struct tlb *tlb, const struct tlb_ports *ports,
                   const uint8_t *data);                      /* record 113 */
void tlb_clear_colours(struct tlb *tlb, const uint8_t *data); /* record 114 */
void tlb_load_full(struct tlb *tlb, const struct tlb_ports *ports,
                   const uint8_t *data); /* record 27 */
void tlb_load_general(struct tlb *tlb, const struct tlb_ports *ports,
                      const uint8_t *data); /* record 29 */

/* Executes record 115: starts a tile, and carries out a pending load. */
void tlb_tile_coordinates(struct tlb *tlb, const struct tlb_ports *ports, const uint8_t *data);

/* Clears colour, Z, stencil and mask of both halves. `half` is the half that the next tile uses. */
void tlb_clear(struct tlb *tlb, const struct tlb_ports *ports, uint32_t half);

/* True if a store record ends the frame. */
bool tlb_ends_frame(uint8_t record, const uint8_t *data);

/* True if a store record swaps the halves of a double-buffered frame. */
bool tlb_swaps(uint8_t record, const uint8_t *data);

/* Executes record 24, 25, 26 or 28. Stores the tile, then clears the planes for which the record
 * does not disable the clear. data is NULL for records 24 and 25. Returns true if this store ends
 * the frame. */
bool tlb_store(struct tlb *tlb, const struct tlb_ports *ports, uint8_t record, const uint8_t *data);

/* --- shader side; mask has the lanes whose conditions hold --- */

/* Prepares the state of the tile buffer for a run of a fragment shader. Disables the stencil tests
 * of both faces and sets the counters to 0. */
void tlb_fragment_start(struct tlb_fragment *fragment);

/* Runs the FEP's early depth test. Returns the covered lanes of those quads in which at least one
 * pixel can still pass the depth test. */
lane_mask tlb_early_z(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                      const lanes *z);

/* Runs the FEP's early coverage test if record 113 selects coverage mode. Returns the covered lanes
 * of those quads in which at least one pixel has coverage. In other modes, returns all covered
 * lanes. */
lane_mask tlb_early_coverage(const struct tlb *tlb, const struct tlb_ports *ports,
                             const struct tlb_fragment *fragment);

/* Sends a primitive to the coverage pipe. */
void tlb_accumulate(struct tlb *tlb, const struct tlb_ports *ports,
                    const struct pse_primitive *primitive, const struct cl_state *state,
                    const struct fep_window *window);

void tlb_stencil_setup(struct tlb *tlb, struct tlb_fragment *fragment, uint32_t word);

/* Runs the stencil test, then the depth test. Clears the multisample flags of samples that fail. */
void tlb_write_z(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                 const lanes *z, lane_mask mask);

/* Writes colour. If `all` is true, writes all samples of a pixel (TLB_COLOUR_ALL). Otherwise each
 * call writes the next sample (TLB_COLOUR_MS). Without multisampling, both kinds write the pixel's
 * only sample. With 64-bit colour, each sample needs two writes or two reads. */
void tlb_write_colour(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                      const lanes *colour, lane_mask mask, bool all);

/* Write and read the VG mask, and read colour. A mask write changes all samples whose multisample
 * flag is set. A mask read returns sample 0. */
void tlb_write_mask(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                    const lanes *value, lane_mask mask);
void tlb_read_colour(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out);
void tlb_read_mask(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                   lanes *out);

/* Returns the results of a fragment's pixels so far. */
struct tlb_results tlb_results(const struct tlb *tlb, struct tlb_fragment *fragment);

/* Reads the coverage that has accumulated since Z and stencil were cleared, or since the pixel's
 * coverage was last read. */
void tlb_read_coverage(struct tlb *tlb, const struct tlb_ports *ports,
                       struct tlb_fragment *fragment, lanes *out);

#endif
