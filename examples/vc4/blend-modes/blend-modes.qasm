# SPDX-License-Identifier: MIT
# On this hardware the shader blends: it reads the colour in the tile buffer (signal loadc), computes, and writes
# the result. Twelve blend modes, one in each cell of 64x64 pixels: a diamond over a background of gradients.
#
#   replace     source over  add       subtract
#   multiply    screen       darken    lighten
#   difference  average      xor       invert
#
# The mul ALU's v8 operations process four bytes at once: v8muld multiplies with 255 as 1.0, v8adds and v8subs
# saturate, v8min and v8max compare.
#
# Source: manual section 3 (table 7, v8 operations; table 12, signals) and section 5.

.set SCREEN_X, 256
.set SCREEN_Y, 192
.set TILES_X, 4                 # tiles of 64x64 pixels: one per cell
.set TILES_Y, 3
.set TILE_ALLOCATION_SIZE, 0x4000
.set MODES, 12

# Control lists ----------------------------------------------------------------------------------------------

.org 0x40010000
binning_list:
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=TILE_ALLOCATION_SIZE, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
    cl.increment_semaphore      # takes effect after the flush below
    cl.clip_window left=0, bottom=0, width=SCREEN_X, height=SCREEN_Y
    cl.configuration_bits forward, reverse
    cl.viewport_offset x=0, y=0 # vertices are in pixels from the corner
    cl.nv_shader_state background_record
    cl.vertex_array_primitives mode=triangle_strip, length=4, first=0
.rep mode, MODES
    cl.nv_shader_state records + mode * 16
    cl.vertex_array_primitives mode=triangle_strip, length=4, first=mode * 4
.endr
    cl.flush
binning_list_end:

.align 16
rendering_list:
    cl.wait_on_semaphore        # waits until the tile lists are complete
    cl.clear_colors color=0xFF000000
    cl.tile_rendering_mode address=framebuffer, width=SCREEN_X, height=SCREEN_Y, color_format=rgba8888
    # The tile buffer is cleared by a store, so store nothing once.
    cl.tile_coordinates column=0, row=0
    cl.store_tile_buffer_general buffer=none
    # Each tile runs the list that the binner wrote for it, whose first block has 32 bytes, and is stored.
.rep tile, TILES_X * TILES_Y
    cl.tile_coordinates column=tile % TILES_X, row=tile / TILES_X
    cl.branch_to_sub_list tile_allocation + tile * 32
  .if tile < TILES_X * TILES_Y - 1
    cl.store_ms_tile_buffer
  .else
    cl.store_ms_tile_buffer_and_eof
  .endif
.endr
rendering_list_end:

# Shader records, uniforms, vertices -------------------------------------------------------------------------

.org 0x40000000
background_record:
    shader.nv single_threaded, stride=3 * 4, code=background, vertices=screen
records:
.foreach blend, replace, source_over, add_up, subtract, multiply, screen_blend, darken, lighten, difference, average, exclusive_or, invert
    shader.nv single_threaded, stride=3 * 4, code=blend, uniforms=source, vertices=diamonds
.endfor

source:
    .byte 255, 128, 64, 160     # red, green, blue, alpha

screen:
    vertex.nv x=0, y=0, z=1.0, inverse_w=1.0
    vertex.nv x=0, y=SCREEN_Y, z=1.0, inverse_w=1.0
    vertex.nv x=SCREEN_X, y=0, z=1.0, inverse_w=1.0
    vertex.nv x=SCREEN_X, y=SCREEN_Y, z=1.0, inverse_w=1.0

diamonds:
.rep mode, MODES
    .set left, mode % TILES_X * 64
    .set top, mode / TILES_X * 64
    vertex.nv x=left + 32, y=top + 4, z=1.0, inverse_w=1.0
    vertex.nv x=left + 4, y=top + 32, z=1.0, inverse_w=1.0
    vertex.nv x=left + 60, y=top + 32, z=1.0, inverse_w=1.0
    vertex.nv x=left + 32, y=top + 60, z=1.0, inverse_w=1.0
.endr

# Shaders ----------------------------------------------------------------------------------------------------

.align 16
# Red increases to the right and green downwards, four steps per pixel in each cell; blue is 96.
background:
    ldi r3, 0xff600000
    ldi r2, 63
    and r0, x_coord, r2
    and r1, y_coord, r2
    shl r0, r0, 2
    shl r1, r1, 10
    or r0, r0, r1
    or tlbc, r0, r3; nop; thrend
    nop
    nop; nop; sbdone

# All blends have the same beginning and end. The tile buffer must not be read in the first two instructions.
.macro begin                    # r0: source; r1: its alpha, in all four bytes; r4: destination
    mov ra0, unif
    nop
    mov r0, ra0
    mov r1, ra0.8dr; nop; loadc
.endm
.macro end                      # stores r1
    mov tlbc, r1; nop; thrend
    nop
    nop; nop; sbdone
.endm

replace:                        # source
    begin
    mov r1, r0
    end

source_over:                    # source * alpha + destination * (1 - alpha)
    begin
    not r2, r1;       v8muld r1, r0, r1
    nop;              v8muld r2, r4, r2
    v8adds r1, r1, r2
    end

add_up:                         # destination + source
    begin
    v8adds r1, r4, r0
    end

subtract:                       # destination - source
    begin
    v8subs r1, r4, r0
    end

multiply:                       # source * destination
    begin
    nop;              v8muld r1, r0, r4
    end

screen_blend:                   # 1 - (1 - source) * (1 - destination)
    begin
    not r0, r0
    not r1, r4
    nop;              v8muld r1, r0, r1
    not r1, r1
    end

darken:                         # the smaller of both, channel by channel
    begin
    nop;              v8min r1, r0, r4
    end

lighten:                        # the greater of both
    begin
    nop;              v8max r1, r0, r4
    end

difference:                     # one of these is 0
    begin
    v8subs r1, r4, r0
    v8subs r2, r0, r4
    v8adds r1, r1, r2
    end

average:                        # halves, without the bits that come from the byte above
    begin
    ldi r2, 0x7f7f7f7f
    shr r0, r0, 1
    shr r1, r4, 1
    and r0, r0, r2
    and r1, r1, r2
    add r1, r0, r1
    end

exclusive_or:                   # a logic operation
    begin
    xor r1, r0, r4
    end

invert:                         # independent of the source
    begin
    not r1, r4
    end

# Memory that the hardware writes ----------------------------------------------------------------------------

.org 0x40020000
tile_allocation:
    .space TILE_ALLOCATION_SIZE
tile_state:
    .space 48 * TILES_X * TILES_Y

.org 0x40100000
framebuffer:
    .space SCREEN_X * SCREEN_Y * 4

.scene bin binning_list binning_list_end
.scene render rendering_list rendering_list_end
.scene image framebuffer 256 192 rgba8888 raster blend-modes.png
