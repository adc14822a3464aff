# SPDX-License-Identifier: MIT
# A teapot that rotates once: 240 pictures, teapot-000.png to teapot-239.png. An option sets another number of pictures:
#
#     tessera asm -D FRAMES=12 -o teapot.elf spinning-teapot.qasm
#
# The vertex shader rotates and projects each vertex, with a matrix from its uniforms, and computes its light. The
# coordinate shader does the same without the light. Triangles are indexed, so that a vertex is shaded once for many
# triangles. Triangles that face away are culled, and the depth test hides others.
#
# All frames share the shaders, the vertices and the rendering list. Each frame has its own uniforms, its own shader
# record, which points to them, and a binning list, which points to the record.
#
# The script make-teapot writes teapot.qinc.
#
# Source: manual section 7 (vertex and coordinate shading) and section 9 (GL shader state record).

.include <vc4.qinc>

.ifset FRAMES
.else
.set FRAMES, 240
.endif

.set SCREEN_X, 320
.set SCREEN_Y, 240
.set TILES_X, 5                # tiles of 64x64 pixels
.set TILES_Y, 4
.set TILE_ALLOCATION_SIZE, 0x40000

# The camera looks at the origin from a distance, and down.
.set DISTANCE, 6.0
.set PITCH, 0.4                 # radians
.set FOCUS, 3.2                 # half of the picture's height is 1.0 at this distance
.set NEAR, 3.0
.set FAR, 9.0

# Direction to the light in the camera's coordinates: x to the right, y upwards, z to the camera;
# and the direction halfway between the light and the camera, for reflections.
.set LIGHT_X, -0.48
.set LIGHT_Y, 0.64
.set LIGHT_Z, 0.6
.set HALFWAY_X, -0.26833
.set HALFWAY_Y, 0.35777
.set HALFWAY_Z, 0.89443

# Rendering list ---------------------------------------------------------------------------------------------

.org 0x40010000
rendering_list:
    cl.wait_on_semaphore        # waits until the tile lists are complete
    cl.clear_colors color=0xFF302018, z=0xffffff
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

# Vertices ---------------------------------------------------------------------------------------------------

.org 0x40400000
.include "teapot.qinc"

# Shaders ----------------------------------------------------------------------------------------------------

.align 16
.include "shaders.qinc"

# Memory that the hardware writes ----------------------------------------------------------------------------

.org 0x40100000
tile_allocation:
    .space TILE_ALLOCATION_SIZE
tile_state:
    .space 48 * TILES_X * TILES_Y

.org 0x40200000
framebuffer:
    .space SCREEN_X * SCREEN_Y * 4

# Frames -----------------------------------------------------------------------------------------------------

.org 0x40500000

# Emits a direction in the camera's coordinates, rotated back into the teapot's axes, as three floats.
.macro direction, x, y, z
    .lset ahead, z * cos(PITCH) - y * sin(PITCH)
    .float x * cos(angle) - ahead * sin(angle), y * cos(PITCH) + z * sin(PITCH), x * sin(angle) + ahead * cos(angle)
.endm

# The arguments are the digits of the frame's number, as labels and file names contain them.
.macro frame, hundreds, tens, ones
  .if hundreds * 100 + tens * 10 + ones < FRAMES
    .set angle, (hundreds * 100 + tens * 10 + ones) * M_2PI / FRAMES
uniforms_\hundreds\tens\ones:
    # The camera's axes are x to the right, y upwards, z to the camera. Rows grow downwards, hence -FOCUS.
    direction FOCUS * SCREEN_Y / SCREEN_X, 0.0, 0.0
    direction 0.0, -FOCUS, 0.0
    direction 0.0, 0.0, -1.0
    .float DISTANCE
    .float (FAR + NEAR) / (FAR - NEAR), -2 * FAR * NEAR / (FAR - NEAR)      # Zc is between -Wc and Wc
    .float SCREEN_X / 2 * 16, SCREEN_Y / 2 * 16                             # conversion to sixteenths of pixels
    direction LIGHT_X, LIGHT_Y, LIGHT_Z
    direction HALFWAY_X, HALFWAY_Y, HALFWAY_Z
.align 16
record_\hundreds\tens\ones:
    shader.gl single_threaded, clipping, varyings=2, code=fragment_shader, uniforms=fragment_uniforms, vertex_attributes=0b11, vertex_attribute_bytes=24, vertex_code=vertex_shader, vertex_uniforms=uniforms_\hundreds\tens\ones, coordinate_attributes=0b01, coordinate_attribute_bytes=12, coordinate_code=coordinate_shader, coordinate_uniforms=uniforms_\hundreds\tens\ones
    shader.attribute address=vertices, bytes=12, stride=24
    shader.attribute address=vertices + 12, bytes=12, stride=24, vertex_offset=12
binning_list_\hundreds\tens\ones:
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=TILE_ALLOCATION_SIZE, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
    cl.increment_semaphore
    cl.clip_window left=0, bottom=0, width=SCREEN_X, height=SCREEN_Y
    cl.configuration_bits forward, clockwise, depth_test=lt, z_updates
    cl.viewport_offset x=SCREEN_X / 2, y=SCREEN_Y / 2
    cl.clipper_xy_scaling half_width=SCREEN_X / 2 * 16, half_height=SCREEN_Y / 2 * 16
    cl.clipper_z_scale_offset scale=0.5, offset=0.5
    cl.gl_shader_state record_\hundreds\tens\ones, attribute_arrays=2
    cl.indexed_primitive_list mode=triangles, index_type=uint16, length=TRIANGLES * 3, address=indices, maximum_index=VERTICES - 1
    cl.flush
binning_list_end_\hundreds\tens\ones:
.align 16
.scene bin binning_list_\hundreds\tens\ones binning_list_end_\hundreds\tens\ones
.scene render rendering_list rendering_list_end
.scene image framebuffer 320 240 rgba8888 raster teapot-\hundreds\tens\ones.png
  .endif
.endm

.macro ten_frames, hundreds, tens
    frame \hundreds, \tens, 0
    frame \hundreds, \tens, 1
    frame \hundreds, \tens, 2
    frame \hundreds, \tens, 3
    frame \hundreds, \tens, 4
    frame \hundreds, \tens, 5
    frame \hundreds, \tens, 6
    frame \hundreds, \tens, 7
    frame \hundreds, \tens, 8
    frame \hundreds, \tens, 9
.endm

.macro hundred_frames, hundreds
    ten_frames \hundreds, 0
    ten_frames \hundreds, 1
    ten_frames \hundreds, 2
    ten_frames \hundreds, 3
    ten_frames \hundreds, 4
    ten_frames \hundreds, 5
    ten_frames \hundreds, 6
    ten_frames \hundreds, 7
    ten_frames \hundreds, 8
    ten_frames \hundreds, 9
.endm

    hundred_frames 0
    hundred_frames 1
    hundred_frames 2
