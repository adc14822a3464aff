/* SPDX-License-Identifier: MIT */
/* painter.c - a mode-setting program for display.py. Shows pictures that the CPU has painted.
 * The argument selects the pictures and the requests.
 *
 *     painter flips N     N page flips; picture i has the colour 10 * i, 20 * i, 30 * i
 *     painter planes      a picture, an overlay over it, a cursor, and then a reflected overlay,
 *                         shown with SETPLANE and CURSOR
 *     painter draws       one picture that changes after it is shown, without a request
 *     painter changes N   one picture that changes N times; each time, waits until the file of the
 *                         frame exists
 *     painter forks       3 page flips, then a child that shows nothing
 *     painter forever     page flips without end
 *     painter nothing     only reads the display's state */
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <drm_fourcc.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

static int fd;
static uint32_t crtc, connector;
static drmModeModeInfo mode;

struct picture {
    uint32_t width, height, handle, fb;
    uint32_t *pixels;
};

static void check(bool good, const char *what)
{
    if (good)
        return;
    perror(what);
    exit(1);
}

static void make(struct picture *picture, uint32_t width, uint32_t height, uint32_t format)
{
    struct drm_mode_create_dumb create = {.width = width, .height = height, .bpp = 32};
    check(drmIoctl(fd, DRM_IOCTL_MODE_CREATE_DUMB, &create) == 0, "CREATE_DUMB");
    struct drm_mode_map_dumb map = {.handle = create.handle};
    check(drmIoctl(fd, DRM_IOCTL_MODE_MAP_DUMB, &map) == 0, "MAP_DUMB");
    *picture = (struct picture){.width = width, .height = height, .handle = create.handle};
    picture->pixels = mmap(NULL, create.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                           (off_t)map.offset);
    check(picture->pixels != MAP_FAILED, "mmap");
    uint32_t handles[4] = {create.handle}, pitches[4] = {create.pitch}, offsets[4] = {0};
    check(drmModeAddFB2(fd, width, height, format, handles, pitches, offsets, &picture->fb, 0) == 0,
          "ADDFB2");
}

static void fill(struct picture *picture, uint32_t colour)
{
    for (uint32_t i = 0; i < picture->width * picture->height; i++)
        picture->pixels[i] = colour;
}

static void open_display(void)
{
    fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    drmModeRes *resources = fd >= 0 ? drmModeGetResources(fd) : NULL;
    check(resources != NULL, "/dev/dri/card0");
    crtc = resources->crtcs[0];
    connector = resources->connectors[0];
    drmModeFreeResources(resources);
    drmModeConnector *found = drmModeGetConnector(fd, connector);
    mode = found->modes[0];
    drmModeFreeConnector(found);
}

static void turn_on(const struct picture *picture)
{
    check(drmModeSetCrtc(fd, crtc, picture->fb, 0, 0, &connector, 1, &mode) == 0, "SETCRTC");
}

static void flip(const struct picture *picture)
{
    char event[64];
    check(drmModePageFlip(fd, crtc, picture->fb, DRM_MODE_PAGE_FLIP_EVENT, NULL) == 0, "PAGE_FLIP");
    check(read(fd, event, sizeof event) > 0, "read");
}

static void show_flips(unsigned count)
{
    struct picture pictures[2];
    for (unsigned i = 0; i < 2; i++)
        make(&pictures[i], mode.hdisplay, mode.vdisplay, DRM_FORMAT_XRGB8888);
    for (unsigned i = 1; i <= count; i++) {
        fill(&pictures[i & 1], i * 10 << 16 | i * 20 << 8 | i * 30);
        if (i == 1)
            turn_on(&pictures[1]);
        else
            flip(&pictures[i & 1]);
    }
}

static void show_planes(void)
{
    struct picture below, above, cursor;
    drmModePlaneRes *planes = drmModeGetPlaneResources(fd);
    make(&below, mode.hdisplay, mode.vdisplay, DRM_FORMAT_XRGB8888);
    make(&above, 2, 1, DRM_FORMAT_ARGB8888);
    make(&cursor, 64, 64, DRM_FORMAT_ARGB8888);
    fill(&below, 0x0000ff);
    turn_on(&below);
    above.pixels[0] = 0xffff0000;
    above.pixels[1] = 0x80008000; /* half transparent green; colours are premultiplied with alpha */
    check(drmModeSetPlane(fd, planes->planes[0], crtc, above.fb, 0, 10, 20, 2, 1, 0, 0, 2 << 16,
                          1 << 16) == 0,
          "SETPLANE");
    fill(&cursor, 0xffffffff);
    check(drmModeSetCursor(fd, crtc, cursor.handle, 64, 64) == 0, "CURSOR");
    check(drmModeMoveCursor(fd, crtc, -60, -62) == 0, "CURSOR");
    drmVBlank wait = {.request = {.type = DRM_VBLANK_RELATIVE, .sequence = 2}};
    check(drmWaitVBlank(fd, &wait) == 0, "WAIT_VBLANK");
    check(drmModeSetPlane(fd, planes->planes[0], crtc, above.fb, 0, 100, 20, 1, 1, 1 << 16, 0,
                          1 << 16, 1 << 16) == 0,
          "SETPLANE");
    drmModeFreePlaneResources(planes);
}

static void draw(void)
{
    struct picture picture;
    make(&picture, mode.hdisplay, mode.vdisplay, DRM_FORMAT_XRGB8888);
    turn_on(&picture);
    picture.pixels[5] = 0xabcdef;
}

/* Waits until the file of a frame exists. Returns false if that takes more than a minute. */
static bool wait_for_frame(unsigned number)
{
    enum { TRIES = 6000, PAUSE = 10000 };
    char path[4096];
    snprintf(path, sizeof path, "%s/frame-%04u.png", getenv("TESSERA_FRAMES"), number);
    for (unsigned i = 0; i < TRIES; i++, usleep(PAUSE))
        if (access(path, F_OK) == 0)
            return true;
    return false;
}

static void draw_often(unsigned count)
{
    struct picture picture;
    make(&picture, mode.hdisplay, mode.vdisplay, DRM_FORMAT_XRGB8888);
    turn_on(&picture);
    for (unsigned i = 1; i <= count; i++) {
        *(volatile uint32_t *)&picture.pixels[i] = 0xabcdef;
        check(wait_for_frame(1 + i), "no frame");
    }
}

static void show_and_fork(void)
{
    show_flips(3);
    pid_t child = fork();
    if (child == 0)
        exit(0);
    waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "nothing";
    open_display();
    if (strcmp(what, "flips") == 0 && argc > 2)
        show_flips((unsigned)atoi(argv[2]));
    if (strcmp(what, "planes") == 0)
        show_planes();
    if (strcmp(what, "draws") == 0)
        draw();
    if (strcmp(what, "changes") == 0 && argc > 2)
        draw_often((unsigned)atoi(argv[2]));
    if (strcmp(what, "forks") == 0)
        show_and_fork();
    while (strcmp(what, "forever") == 0)
        show_flips(60);
    return 0;
}
