/* SPDX-License-Identifier: MIT */
/* v3d.h - registers of the 3D block, by the names of the "VideoCore IV 3D Architecture Reference
 * Guide". */
#ifndef V3D_H
#define V3D_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

#define V3D_REGISTER(offset) PERIPHERAL(0xc00000 + (offset))

#define V3D_IDENT0           V3D_REGISTER(0x000)
#define V3D_L2CACTL          V3D_REGISTER(0x020)
#define V3D_SLCACTL          V3D_REGISTER(0x024)
#define V3D_INTCTL           V3D_REGISTER(0x030)
#define V3D_INTENA           V3D_REGISTER(0x034)
#define V3D_INTDIS           V3D_REGISTER(0x038)
#define V3D_CT0CS            V3D_REGISTER(0x100)
#define V3D_CT1CS            V3D_REGISTER(0x104)
#define V3D_CT0EA            V3D_REGISTER(0x108)
#define V3D_CT1EA            V3D_REGISTER(0x10c)
#define V3D_CT0CA            V3D_REGISTER(0x110)
#define V3D_CT1CA            V3D_REGISTER(0x114)
#define V3D_BFC              V3D_REGISTER(0x134)
#define V3D_RFC              V3D_REGISTER(0x138)
#define V3D_SRQPC            V3D_REGISTER(0x430)
#define V3D_SRQUA            V3D_REGISTER(0x434)
#define V3D_SRQUL            V3D_REGISTER(0x438)
#define V3D_SRQCS            V3D_REGISTER(0x43c)
#define V3D_VPMBASE          V3D_REGISTER(0x504)

/* Bits of V3D_INTCTL, V3D_INTENA and V3D_INTDIS. */
enum {
    V3D_INT_FRDONE = 1 << 0,   /* rendering is done */
    V3D_INT_FLDONE = 1 << 1,   /* binning is done */
    V3D_INT_OUTOMEM = 1 << 2,  /* the binner needs more memory */
    V3D_INT_SPILLUSE = 1 << 3, /* the binner uses that memory */
};

/* Turns the 3D block on. Returns false if it does not answer. */
bool v3d_start(void);

/* Clears the caches that may hold old instructions, uniforms and textures. */
void v3d_clear_caches(void);

/* Starts a binning list and a rendering list, which waits for the semaphore of the binning list.
 * Addresses are the ARM's. */
void v3d_draw(const void *binning, const void *binning_end, const void *rendering,
              const void *rendering_end);

/* Waits for the end of the rendering list. Returns false after a second. */
bool v3d_wait(void);

#endif
