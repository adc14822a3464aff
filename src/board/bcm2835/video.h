/* SPDX-License-Identifier: MIT */
/* video.h - the display: hardware video scaler (HVS), pixel valves, and encoders. */
#ifndef BOARD_BCM2835_VIDEO_H
#define BOARD_BCM2835_VIDEO_H

#include "board/bcm2835/device.h"

enum {
    VIDEO_PAGE = 0x1000 / 4,  /* registers of a block in a page */
    VIDEO_VALVE = 0x100 / 4,  /* registers of a pixel valve */
    VIDEO_SCALER = 0x6000 / 4 /* registers and display lists of the HVS */
};

/* A block whose registers keep what is written. */
struct video_block {
    uint32_t registers[VIDEO_PAGE];
};

struct video_scaler {
    uint32_t registers[VIDEO_SCALER];
};

struct video_valve {
    uint32_t registers[VIDEO_VALVE];
    uint32_t number;   /* 0 to 2 */
    uint32_t reported; /* 1 after the report that the picture is not modelled */
    uint64_t frame;    /* start of the current frame, in nanoseconds */
};

extern const struct device hvs, hdmi, hdmi_clocks, vec, txp;
extern const struct device pixel_valve0, pixel_valve1, pixel_valve2;

#endif
