/* SPDX-License-Identifier: MIT */
/* draws.c - a program that draws with the vc4 driver's requests, and has its own malloc().
 * allocator.py runs the program.
 *
 *     draws COUNT [fork]
 *
 * Draws 1, 2, 4 ... COUNT triangles, in one job each, and checks the picture. Every triangle has
 * its own shader record. Then shows two pictures. With `fork`, a child does this work before its
 * parent does. The exit status is 1 if a picture is wrong.
 *
 * Source: linux/drivers/gpu/drm/vc4 (uapi/drm/vc4_drm.h; the rules of the validators); VideoCore IV
 *         3D Architecture Reference Guide, tables 34 to 43 (control records) and 46 (shader
 *         records). */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libdrm/drm.h>
#include <libdrm/drm_fourcc.h>
#include <libdrm/vc4_drm.h>

#include "allocator.h"

static const uint32_t fill[] =
#include "fill.h"
    ;
static const uint32_t place[] =
#include "place.h"
    ;
static const uint32_t clip[] =
#include "clip.h"
    ;

enum {
    SIDE = 64,
    PICTURE_BYTES = SIDE * SIDE * 4,
    MOST = 4096,
    /* room for modes; more than the display has, because the kernel returns all modes or none */
    MODES = 64,
    PAGE = 4096,
    HANDLES = 4 * 4,
    RECORD = HANDLES + 44,
    /* bytes per triangle in the control list: a shader record and an array of vertices */
    DRAW = 5 + 10,
    RED = (int)0xff0000ff,
    BLUE = (int)0xffff0000,
};

enum { PICTURE, FRAGMENT, VERTEX, COORDINATE, VERTICES, BOS };

static int fd;
static uint32_t handles[BOS];
static uint8_t list[128 + MOST * DRAW], records[MOST * RECORD];
static uint32_t uniforms[MOST];

static void check(bool good, const char *what)
{
    if (good)
        return;
    const ssize_t size = write(STDERR_FILENO, what, strlen(what));
    _exit(size < 0 ? 2 : 1);
}

/* --- buffers --- */

static void *map_bo(uint32_t handle, size_t size)
{
    struct drm_vc4_mmap_bo map = {.handle = handle};
    check(ioctl(fd, DRM_IOCTL_VC4_MMAP_BO, &map) == 0, "MMAP_BO\n");
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)map.offset);
    check(bytes != MAP_FAILED, "mmap\n");
    return bytes;
}

static uint32_t make_bo(uint32_t size)
{
    struct drm_vc4_create_bo create = {.size = size};
    check(ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &create) == 0, "CREATE_BO\n");
    return create.handle;
}

static uint32_t make_shader(const uint32_t *words, size_t size)
{
    uint8_t code[PAGE] = {0};
    memcpy(code, words, size);
    struct drm_vc4_create_shader_bo create = {.size = sizeof code, .data = (uintptr_t)code};
    check(ioctl(fd, DRM_IOCTL_VC4_CREATE_SHADER_BO, &create) == 0, "CREATE_SHADER_BO\n");
    return create.handle;
}

/* The triangle 0,0 - 128,0 - 0,128 covers the picture. Coordinates are in 1/16 pixel. */
static void make_vertices(void)
{
    static const int16_t corners[6] = {0, 0, 16 * 2 * SIDE, 0, 0, 16 * 2 * SIDE};
    handles[VERTICES] = make_bo(PAGE);
    void *vertices = map_bo(handles[VERTICES], PAGE);
    memcpy(vertices, corners, sizeof corners);
    munmap(vertices, PAGE);
}

/* --- lists --- */

static uint32_t list_bytes;

static void append(const uint8_t *bytes, uint32_t size)
{
    memcpy(list + list_bytes, bytes, size);
    list_bytes += size;
}

#define APPEND(...) append((const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})

static void put_list(uint32_t draws)
{
    list_bytes = 0;
    APPEND(112, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0); /* one tile */
    APPEND(6, 56, 0x12, 96, 3, 0, 0);                         /* triangles, front and back faces */
    APPEND(102, 0, 0, 0, 0, SIDE, 0, SIDE, 0, 103, 0, 0, 0, 0);
    APPEND(105, 0, 0, 0, 0x44, 0, 0, 0, 0x44, 106, 0, 0, 0, 0x3f, 0, 0, 0, 0x3f);
    for (uint32_t i = 0; i < draws; i++)
        APPEND(64, 1, 0, 0, 0, 33, 4, 3, 0, 0, 0, 0, 0, 0, 0);
    APPEND(7, 4);
}

/* Writes the shader records and the uniforms. The last triangle is blue. The only attribute has
 * four bytes, the vertex's position. It is the first word of both shaders' input. */
static void put_records(uint32_t draws)
{
    static const uint8_t indices[] = {FRAGMENT, VERTEX, COORDINATE, VERTICES};
    memset(records, 0, draws * RECORD);
    for (uint32_t i = 0; i < draws; i++) {
        uint8_t *of_handles = records + i * RECORD, *record = of_handles + HANDLES;
        for (unsigned j = 0; j < sizeof indices; j++)
            of_handles[4 * j] = indices[j];
        record[0] = 1;                            /* single-threaded */
        record[14] = record[26] = 1;              /* attribute 0 */
        record[15] = record[27] = record[41] = 4; /* bytes in total, bytes per vertex */
        record[40] = 4 - 1;
        uniforms[i] = (uint32_t)(i + 1 == draws ? BLUE : RED);
    }
}

static void submit(uint32_t draws)
{
    const struct drm_vc4_submit_rcl_surface none = {.hindex = ~0u};
    put_list(draws);
    put_records(draws);
    struct drm_vc4_submit_cl submit = {
        .bin_cl = (uintptr_t)list,
        .bin_cl_size = list_bytes,
        .shader_rec = (uintptr_t)records,
        .shader_rec_size = draws * RECORD,
        .shader_rec_count = draws,
        .uniforms = (uintptr_t)uniforms,
        .uniforms_size = draws * 4,
        .bo_handles = (uintptr_t)handles,
        .bo_handle_count = BOS,
        .width = SIDE,
        .height = SIDE,
        .color_read = none,
        .color_write = {.hindex = PICTURE, .bits = 1 << 2},
        .zs_read = none,
        .zs_write = none,
        .msaa_color_write = none,
        .msaa_zs_write = none,
        .clear_color = {(uint32_t)RED, (uint32_t)RED},
        .flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
    };
    check(ioctl(fd, DRM_IOCTL_VC4_SUBMIT_CL, &submit) == 0, "SUBMIT_CL\n");
    struct drm_vc4_wait_seqno wait = {.seqno = submit.seqno, .timeout_ns = ~0ull};
    check(ioctl(fd, DRM_IOCTL_VC4_WAIT_SEQNO, &wait) == 0, "WAIT_SEQNO\n");
}

/* --- jobs --- */

static void draw_all(uint32_t count)
{
    handles[PICTURE] = make_bo(PICTURE_BYTES);
    handles[FRAGMENT] = make_shader(fill, sizeof fill);
    handles[VERTEX] = make_shader(place, sizeof place);
    handles[COORDINATE] = make_shader(clip, sizeof clip);
    make_vertices();
    uint32_t *pixels = map_bo(handles[PICTURE], PICTURE_BYTES);
    for (uint32_t draws = 1; draws <= count; draws *= 2) {
        memset(pixels, 0, PICTURE_BYTES);
        submit(draws);
        check(pixels[0] == (uint32_t)BLUE && pixels[SIDE * SIDE - 1] == (uint32_t)BLUE, "pixels\n");
    }
    munmap(pixels, PICTURE_BYTES);
}

/* --- the display --- */

static uint32_t ids[8];

static void find_display(struct drm_mode_modeinfo *mode)
{
    struct drm_mode_card_res found = {.crtc_id_ptr = (uintptr_t)ids,
                                      .connector_id_ptr = (uintptr_t)(ids + 1),
                                      .count_crtcs = 1,
                                      .count_connectors = 1};
    check(ioctl(fd, DRM_IOCTL_MODE_GETRESOURCES, &found) == 0, "GETRESOURCES\n");
    struct drm_mode_get_connector connector = {
        .connector_id = ids[1], .modes_ptr = (uintptr_t)mode, .count_modes = MODES};
    check(ioctl(fd, DRM_IOCTL_MODE_GETCONNECTOR, &connector) == 0, "GETCONNECTOR\n");
}

static void show(struct drm_mode_modeinfo *mode)
{
    struct drm_mode_create_dumb dumb = {
        .width = mode->hdisplay, .height = mode->vdisplay, .bpp = 32};
    check(ioctl(fd, DRM_IOCTL_MODE_CREATE_DUMB, &dumb) == 0, "CREATE_DUMB\n");
    struct drm_mode_fb_cmd2 buffer = {.width = dumb.width,
                                      .height = dumb.height,
                                      .pixel_format = DRM_FORMAT_XRGB8888,
                                      .handles = {dumb.handle},
                                      .pitches = {dumb.pitch}};
    check(ioctl(fd, DRM_IOCTL_MODE_ADDFB2, &buffer) == 0, "ADDFB2\n");
    struct drm_mode_crtc crtc = {.set_connectors_ptr = (uintptr_t)(ids + 1),
                                 .count_connectors = 1,
                                 .crtc_id = ids[0],
                                 .fb_id = buffer.fb_id,
                                 .mode_valid = 1,
                                 .mode = *mode};
    check(ioctl(fd, DRM_IOCTL_MODE_SETCRTC, &crtc) == 0, "SETCRTC\n");
}

static void show_two(void)
{
    static struct drm_mode_modeinfo modes[MODES];
    find_display(modes);
    show(modes);
    show(modes);
}

/* --- the program --- */

static void work(uint32_t count)
{
    fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    check(fd >= 0, "/dev/dri/card0\n");
    draw_all(count);
    show_two();
    close(fd);
}

static void work_in_child(uint32_t count)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        work(count);
        exit(0);
    }
    check(waitpid(child, &status, 0) == child && status == 0, "child\n");
}

/* Allocates and frees a block, because the program itself may use its allocator. */
static void allocate(void)
{
    allocator_open = true;
    free(strdup("text"));
    allocator_open = false;
}

int main(int argc, char **argv)
{
    const uint32_t count = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
    check(count >= 1 && count <= MOST, "draws COUNT [fork]\n");
    allocate();
    if (argc > 2)
        work_in_child(count);
    work(count);
    allocate();
    return 0;
}
