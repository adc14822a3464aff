# SPDX-License-Identifier: MIT
# Shadows by counting: two boxes on a floor, and the volumes of space in their shadows.
#
# 1. The scene is drawn lit, with its depths.
# 2. The sides of the shadow volumes are drawn to the stencil buffer only: a side in front of the visible surface increments
#    the stencil if the side faces the camera, otherwise it decrements. Pixels inside of a volume keep a count above 0.
# 3. The whole picture is made darker where the stencil is not 0.
#
# Depth and stencil are tested when the shader writes tlbz. The shader itself sets up the stencil.
#
# Source: manual section 5 (table 27: stencil words; the depth test), section 9 (record 96), appendix A.

.set SCREEN_X, 320
.set SCREEN_Y, 240
.set TILES_X, 5                # tiles of 64x64 pixels
.set TILES_Y, 4
.set TILE_ALLOCATION_SIZE, 0x8000

# The camera ---------------------------------------------------------------------------------------------------
# x points to the right, y upwards, z towards the camera, which looks ahead and down.

.set CAMERA_X, 1.5
.set CAMERA_Y, 5.0
.set CAMERA_Z, 8.5
.set PITCH, 0.487               # radians
.set FOCUS, 300.0               # pixels
.set NEAR, 2.0
.set FAR, 20.0

.func distance(y, z)            # distance ahead of the camera
    (CAMERA_Y - y) * sin(PITCH) + (CAMERA_Z - z) * cos(PITCH)
.endf
.func height(y, z)              # height above its line of sight
    (y - CAMERA_Y) * cos(PITCH) + (CAMERA_Z - z) * sin(PITCH)
.endf
.func screen_x(x, y, z)
    SCREEN_X / 2 + FOCUS * (x - CAMERA_X) / distance(y, z)
.endf
.func screen_y(y, z)
    SCREEN_Y / 2 - FOCUS * height(y, z) / distance(y, z)
.endf
.func depth(y, z)               # 0.0 at NEAR, 1.0 at FAR
    FAR / (FAR - NEAR) * (1 - NEAR / distance(y, z))
.endf

# Control lists ----------------------------------------------------------------------------------------------

.org 0x40010000
binning_list:
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=TILE_ALLOCATION_SIZE, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
    cl.increment_semaphore      # takes effect after the flush below
    cl.clip_window left=0, bottom=0, width=SCREEN_X, height=SCREEN_Y
    cl.viewport_offset x=0, y=0 # vertices are in pixels from the corner
    # 1. The floor and 6 faces of each box.
    cl.configuration_bits forward, reverse, depth_test=lt, z_updates
    cl.nv_shader_state lit_record
.rep face, 1 + 6 * 2
    cl.vertex_array_primitives mode=triangle_strip, length=4, first=face * 4
.endr
    # 2. The volumes: depths are tested, but not changed. Front and back faces could each have a stencil word in a single
    # draw, but silicon uses one of them for quads of both faces (erratum HW-2924). So the faces are drawn separately.
    cl.configuration_bits forward, depth_test=lt
    cl.nv_shader_state front_record
    cl.vertex_array_primitives mode=triangle_strip, length=14, first=0
    cl.vertex_array_primitives mode=triangle_strip, length=14, first=14
    cl.configuration_bits reverse, depth_test=lt
    cl.nv_shader_state back_record
    cl.vertex_array_primitives mode=triangle_strip, length=14, first=0
    cl.vertex_array_primitives mode=triangle_strip, length=14, first=14
    # 3. The shadows.
    cl.configuration_bits forward, reverse, depth_test=always
    cl.nv_shader_state dark_record
    cl.vertex_array_primitives mode=triangle_strip, length=4, first=0
    cl.flush
binning_list_end:

.align 16
rendering_list:
    cl.wait_on_semaphore        # waits until the tile lists are complete
    cl.clear_colors color=0xFF503020, z=0xffffff, stencil=0
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

# Shader records, uniforms -----------------------------------------------------------------------------------

.org 0x40000000
lit_record:
    shader.nv single_threaded, stride=3 * 4 + 3 * 4, varyings=3, code=lit, vertices=faces
front_record:
    shader.nv single_threaded, stride=3 * 4, code=volume, uniforms=up, vertices=volumes
back_record:
    shader.nv single_threaded, stride=3 * 4, code=volume, uniforms=down, vertices=volumes
dark_record:
    shader.nv single_threaded, stride=3 * 4, code=dark, uniforms=darkness, vertices=screen

# Stencil words: face, write mask, operations (depth fails, passes, stencil fails), test, reference, mask.
.set BOTH_FACES, 3 << 30
.set ALL_BITS, 3 << 28
.set KEEP, 1
.set COUNT_UP, 6                # wraps from 255 to 0
.set COUNT_DOWN, 7
.set NOT_EQUAL, 5
.set ALWAYS, 7
.func stencil_word(depth_fails, depth_passes, test)
    BOTH_FACES | ALL_BITS | depth_fails << 25 | depth_passes << 22 | KEEP << 19 | test << 16 | 0 << 8 | 0xff
.endf

up:
    .int stencil_word(KEEP, COUNT_UP, ALWAYS)
down:
    .int stencil_word(KEEP, COUNT_DOWN, ALWAYS)
darkness:
    .int stencil_word(KEEP, KEEP, NOT_EQUAL)
    .byte 96, 96, 128, 255      # a colour to multiply with

# Vertices -----------------------------------------------------------------------------------------------------

.macro lit_vertex, x, y, z, red, green, blue
    vertex.nv x=screen_x(x, y, z), y=screen_y(y, z), z=depth(y, z), inverse_w=1 / distance(y, z), varyings=[red, green, blue]
.endm
.macro volume_vertex, x, y, z
    vertex.nv x=screen_x(x, y, z), y=screen_y(y, z), z=depth(y, z), inverse_w=1 / distance(y, z)
.endm

# A box from (x0, y0, z0) to (x1, y1, z1), lit from the back right: the front and the left are
# darker. The front and the top have a gradient.
.macro box, x0, y0, z0, x1, y1, z1, red, green, blue
  .foreach y, y0, y1            # bottom, top
    lit_vertex x0, y, z0, red, green, blue
    lit_vertex x0, y, z1, red * 0.8, green * 0.8, blue * 0.8
    lit_vertex x1, y, z0, red, green, blue
    lit_vertex x1, y, z1, red * 0.8, green * 0.8, blue * 0.8
  .endfor
  .foreach x, x0, x1            # left, right
    lit_vertex x, y0, z0, red * 0.7, green * 0.7, blue * 0.7
    lit_vertex x, y0, z1, red * 0.7, green * 0.7, blue * 0.7
    lit_vertex x, y1, z0, red * 0.7, green * 0.7, blue * 0.7
    lit_vertex x, y1, z1, red * 0.7, green * 0.7, blue * 0.7
  .endfor
  .foreach z, z0, z1            # back, front
    lit_vertex x0, y0, z, red * 0.5, green * 0.5, blue * 0.5
    lit_vertex x1, y0, z, red * 0.5, green * 0.5, blue * 0.5
    lit_vertex x0, y1, z, red * 0.9, green * 0.9, blue * 0.9
    lit_vertex x1, y1, z, red * 0.9, green * 0.9, blue * 0.9
  .endfor
.endm

# The light's direction is (-0.7, -1, 0.35). The sides of a volume extend from each edge between a lit face
# (top, right, back) and a dark face (bottom, left, front) to below the floor: a strip around the box.
.macro volume_edge, x, y, z
    volume_vertex x, y, z
    .lset way, y + 0.25         # down to -0.25
    volume_vertex x - 0.7 * way, y - way, z + 0.35 * way
.endm
.macro volume_of_box, x0, y0, z0, x1, y1, z1
    volume_edge x0, y1, z1
    volume_edge x1, y1, z1
    volume_edge x1, y0, z1
    volume_edge x1, y0, z0
    volume_edge x0, y0, z0
    volume_edge x0, y1, z0
    volume_edge x0, y1, z1
.endm

faces:
    lit_vertex -5.0, 0.0, -5.0, 0.3, 0.4, 0.3      # the floor
    lit_vertex -5.0, 0.0, 5.0, 0.9, 0.8, 0.6
    lit_vertex 5.0, 0.0, -5.0, 0.3, 0.4, 0.6
    lit_vertex 5.0, 0.0, 5.0, 0.9, 0.9, 0.8
    box -0.5, 0.25, -1.0, 1.0, 1.5, 0.5, 1.0, 0.4, 0.2
    box 2.0, 0.0, -1.5, 2.75, 3.0, -0.75, 0.3, 0.6, 1.0
volumes:
    volume_of_box -0.5, 0.25, -1.0, 1.0, 1.5, 0.5
    volume_of_box 2.0, 0.0, -1.5, 2.75, 3.0, -0.75
screen:
    vertex.nv x=0, y=0, z=0.0, inverse_w=1.0
    vertex.nv x=0, y=SCREEN_Y, z=0.0, inverse_w=1.0
    vertex.nv x=SCREEN_X, y=0, z=0.0, inverse_w=1.0
    vertex.nv x=SCREEN_X, y=SCREEN_Y, z=0.0, inverse_w=1.0

# Shaders ----------------------------------------------------------------------------------------------------
# At the start of a fragment shader, rb15 has the pixel's depth, and ra15 its W.

.align 16
lit:
    fmul r0, vary, ra15
    fadd r0, r0, r5;  fmul r1, vary, ra15
    fadd r1, r1, r5;  fmul r2, vary, ra15
    fadd r2, r2, r5
    mov tlbz, rb15              # tests the depth; pixels that fail write no colour below
    ldi r3, 0xff000000
    nop;              fmul r3.8as, r0, 1.0
    nop;              fmul r3.8bs, r1, 1.0
    nop;              fmul r3.8cs, r2, 1.0
    mov tlbc, r3;     nop;      thrend
    nop
    nop;              nop;      sbdone

volume:
    nop                         # the tile buffer must not be used in the first two instructions
    nop
    mov stencil, unif
    mov tlbz, rb15
    nop
    nop;              nop;      thrend
    nop
    nop;              nop;      sbdone

dark:
    mov r1, unif
    mov r0, unif
    mov stencil, r1
    mov tlbz, rb15
    nop
    nop;              nop;      loadc
    nop;              v8muld r0, r0, r4
    mov tlbc, r0;     nop;      thrend
    nop
    nop;              nop;      sbdone

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
.scene image framebuffer 320 240 rgba8888 raster stencil-shadow.png
