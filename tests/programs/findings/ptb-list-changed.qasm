# SPDX-License-Identifier: MIT
.include "../frame.inc"
.include <vc4.qinc>

.macro part_more                # a program that narrows the clip window in the first tile's list
    .org 0x40030000
    # tessera: kind user
program:
    ldi vw_setup, vpm_setup(0, 1, h32(0))
    ldi vpm, 64 << 16 | 64      # height and width
    ldi vw_setup, vdw_setup_0(1, 1, dma_h32(0, 0))
    ldi vw_addr, :tile_allocation + 16
    mov -, vw_wait
    end_program
.endm

.macro part_steps
    .scene bin binning_list binning_end
    .scene qpu program 0
    .scene render rendering_list rendering_end
.endm

frame
