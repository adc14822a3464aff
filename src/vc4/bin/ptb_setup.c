/* SPDX-License-Identifier: MIT */
/* ptb_setup.c - the configuration of the Primitive Tile Binner (record 112) and its start
 * (record 6).
 *
 * In:     the bytes of record 112.
 * Out:    the size of the frame and of its tiles, the pool, the tile state data array; findings.
 * Source: manual sections 8 and 9, table 38 (docs/vc4/ptb.md). */
#include <string.h>

#include "isa/cl/cl.h"
#include "vc4/bin/ptb.h"
#include "vc4/bin/ptb_private.h"
#include "vc4/tile/tlb.h"

enum { POOL_ALIGNMENT = 256 }; /* alignment of the pool, which follows the tiles' initial blocks */

static bool bit(const uint8_t *data, uint32_t position)
{
    return cl_bits(data, position, 1) != 0;
}

static void set_tile_size(struct ptb *ptb, const uint8_t *data)
{
    struct tlb_geometry tile = tlb_geometry(bit(data, CL_TILE_BINNING_MODE_MULTISAMPLE_BIT),
                                            bit(data, CL_TILE_BINNING_MODE_COLOR_64BIT_BIT),
                                            bit(data, CL_TILE_BINNING_MODE_DOUBLE_BUFFER_BIT));
    ptb->tile_width = tile.width;
    ptb->tile_height = tile.height;
}

static void read_configuration(struct ptb *ptb, const uint8_t *data)
{
    ptb->allocation_address = CL_GET(data, TILE_BINNING_MODE, ALLOCATION_ADDRESS);
    ptb->allocation_size = CL_GET(data, TILE_BINNING_MODE, ALLOCATION_SIZE);
    ptb->state_address = CL_GET(data, TILE_BINNING_MODE, STATE_ADDRESS);
    ptb->tiles_x = CL_GET(data, TILE_BINNING_MODE, WIDTH);
    ptb->tiles_y = CL_GET(data, TILE_BINNING_MODE, HEIGHT);
    ptb->initial_block = (uint32_t)PTB_SMALLEST_BLOCK
                         << CL_GET(data, TILE_BINNING_MODE, INITIAL_BLOCK_SIZE);
    ptb->block = (uint32_t)PTB_SMALLEST_BLOCK << CL_GET(data, TILE_BINNING_MODE, BLOCK_SIZE);
    ptb->auto_initialise = CL_GET(data, TILE_BINNING_MODE, AUTO_INITIALISE);
    set_tile_size(ptb, data);
}

/* Checks record 112 and reports its errors. Returns false if binning is impossible. */
static bool configuration_is_usable(struct ptb *ptb, const struct ptb_ports *ports)
{
    uint32_t blocks = ptb_tile_count(ptb) * ptb->initial_block;
    if (blocks == 0) {
        fault(ports->log, FAULT_PTB_CONFIG,
              "invalid binning size of %u by %u tiles" WITH_HINT
              "set the width and the height in Tile Binning Mode Configuration (112) to the "
              "image's size in tiles, each at least 1",
              ptb->tiles_x, ptb->tiles_y);
        return false;
    }
    if (blocks > ptb->allocation_size)
        fault_at(ports->log, FAULT_PTB_CONFIG, ptb->allocation_address,
                 "the tile allocation memory has %u bytes, but the first blocks of %u tiles need "
                 "%u and extend past its end" WITH_HINT
                 "set the tile allocation memory size to %u bytes or more",
                 ptb->allocation_size, ptb_tile_count(ptb), blocks, blocks);
    if (ptb->state_address % 16 != 0)
        fault_at(
            ports->log, FAULT_PTB_CONFIG, ptb->state_address,
            "the tile state data array is not 16-byte aligned; the low bits are ignored" WITH_HINT
            "align the array: .align 16 before its label");
    ptb->state_address &= ~UINT32_C(15);
    return bus_get(ports->bus, BUS_PTB, ptb->allocation_address, blocks,
                   "first tile list blocks") &&
           bus_get(ports->bus, BUS_PTB, ptb->state_address,
                   ptb_tile_count(ptb) * PTB_TILE_STATE_BYTES, "tile state data array");
}

/* Sets the pool to the memory after the initial blocks. If the initial blocks are larger than the
 * allocation, the subtraction wraps and the pool becomes very large. This matches the silicon,
 * which continues and draws: asurati/x03 demo/d53.c allocates only 4096 bytes for 300 tiles. */
static void set_pool(struct ptb *ptb)
{
    uint32_t blocks = ptb_tile_count(ptb) * ptb->initial_block;
    uint32_t skip = ptb_padding(ptb->allocation_address + blocks, POOL_ALIGNMENT);
    uint32_t behind = ptb->allocation_size - blocks;
    ptb->pool_address = ptb->allocation_address + blocks + skip;
    ptb->pool_left = behind > skip ? behind - skip : 0;
    ptb->block_left = ptb->clip_left = 0;
}

static void report_early_start(const struct ptb_ports *ports, const char *what)
{
    fault(ports->log, FAULT_CL_ORDER,
          "Start Tile Binning (6) %s Tile Binning Mode Configuration (112)" WITH_HINT
          "send Tile Binning Mode Configuration (112) before Start Tile Binning (6)",
          what);
}

/* Carries out a record 6 that came before this record 112. On silicon, such a list draws: those of
 * kumaashi/RaspberryPI, Sample_V3D_TEX_TFORMAT_08, have no other record 6. */
static enum ptb_result start_late(struct ptb *ptb, const struct ptb_ports *ports)
{
    enum ptb_result result = ptb_start(ptb, ports);
    ptb->early = false;
    return result;
}

enum ptb_result ptb_configure(struct ptb *ptb, const struct ptb_ports *ports, const uint8_t *data)
{
    bool early = ptb->early;
    if (early && ptb->configured)
        report_early_start(ports, "comes before the list's");
    ptb->configured = ptb->started = ptb->early = false;
    ptb->out_of_memory = false;
    read_configuration(ptb, data);
    if (!configuration_is_usable(ptb, ports))
        return ptb_finish(ptb, PTB_FAILED);
    set_pool(ptb);
    ptb_guard_begin(&ptb->guard);
    ptb_guard_take(&ptb->guard, ptb->allocation_address, ptb_tile_count(ptb) * ptb->initial_block);
    ptb->configured = true;
    if (ports->draws)
        draws_begin_binning(ports->draws, ptb->allocation_address, ptb->initial_block, ptb->tiles_x,
                            ptb->tiles_y);
    return early ? start_late(ptb, ports) : ptb_finish(ptb, PTB_DONE);
}

enum ptb_result ptb_start(struct ptb *ptb, const struct ptb_ports *ports)
{
    ptb->early = true;
    if (!ptb->configured) {
        report_early_start(ports, "without an earlier");
        return ptb_finish(ptb, PTB_DONE);
    }
    memset(ptb->version, 0, sizeof ptb->version);
    ptb->started = true;
    ptb->changes = 0;
    ptb->drawn = false;
    if (!ptb->auto_initialise)
        return ptb_finish(ptb, PTB_DONE);
    uint8_t *bytes = bus_get(ports->bus, BUS_PTB, ptb->state_address,
                             ptb_tile_count(ptb) * PTB_TILE_STATE_BYTES, "tile state data array");
    if (!bytes)
        return ptb_finish(ptb, PTB_FAILED);
    bus_observe(ports->bus, BUS_PTB, ptb->state_address, ptb_tile_count(ptb) * PTB_TILE_STATE_BYTES,
                true);
    ptb_initialise_tiles(ptb, bytes);
    return ptb_finish(ptb, PTB_DONE);
}
