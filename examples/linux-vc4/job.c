/* SPDX-License-Identifier: MIT */
/* job.c - submits a job to the V3D by Linux' vc4 driver: clears a frame of 64x64 pixels and stores
 * it. Prints what it does, and exits with 0 if all pixels have the colour.
 *
 * The interface is that of drm/vc4_drm.h. The driver makes the render list itself; without a binner
 * list, each tile is cleared and stored.
 *
 *     job [DEVICE]        by default /dev/dri/renderD128 */
#include <drm/vc4_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    SIDE = 64, /* pixels, one tile */
    PIXELS = SIDE * SIDE,
    BYTES = 4 * PIXELS,
    RGBA8888 = 1 << 2, /* format of a frame, in its surface's bits */
};

#define NO_BUFFER UINT32_MAX /* index of a surface that is not used */
#define COLOUR    UINT32_C(0xff336699)
#define SECOND    UINT64_C(1000000000)

static int call(int device, unsigned long request, void *arguments, const char *what)
{
    int result;
    do {
        result = ioctl(device, request, arguments);
    } while (result != 0 && errno == EINTR);
    if (result != 0)
        printf("vc4 job: %s: %s\n", what, strerror(errno));
    return result;
}

static int open_device(const char *path)
{
    int device = open(path, O_RDWR | O_CLOEXEC);
    if (device < 0)
        printf("vc4 job: %s: %s\n", path, strerror(errno));
    return device;
}

static int print_identity(int device)
{
    struct drm_vc4_get_param identity[2] = {{.param = DRM_VC4_PARAM_V3D_IDENT0},
                                            {.param = DRM_VC4_PARAM_V3D_IDENT1}};
    for (int i = 0; i < 2; i++)
        if (call(device, DRM_IOCTL_VC4_GET_PARAM, &identity[i], "GET_PARAM") != 0)
            return -1;
    printf("vc4 job: V3D identity 0x%08x 0x%08x\n", (unsigned)identity[0].value,
           (unsigned)identity[1].value);
    return 0;
}

static volatile uint32_t *map(int device, uint32_t handle)
{
    struct drm_vc4_mmap_bo request = {.handle = handle};
    if (call(device, DRM_IOCTL_VC4_MMAP_BO, &request, "MMAP_BO") != 0)
        return NULL;
    void *pixels = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, device,
                        (off_t)request.offset);
    if (pixels == MAP_FAILED) {
        printf("vc4 job: mmap: %s\n", strerror(errno));
        return NULL;
    }
    return pixels;
}

/* Submits a job that clears the frame, and waits for its end. */
static int clear(int device, uint32_t handle)
{
    struct drm_vc4_submit_cl job = {
        .bo_handles = (uintptr_t)&handle,
        .bo_handle_count = 1,
        .width = SIDE,
        .height = SIDE,
        .clear_color = {COLOUR, COLOUR},
        .color_write = {.hindex = 0, .bits = RGBA8888},
        .color_read = {.hindex = NO_BUFFER},
        .zs_read = {.hindex = NO_BUFFER},
        .zs_write = {.hindex = NO_BUFFER},
        .msaa_color_write = {.hindex = NO_BUFFER},
        .msaa_zs_write = {.hindex = NO_BUFFER},
        .flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
    };
    if (call(device, DRM_IOCTL_VC4_SUBMIT_CL, &job, "SUBMIT_CL") != 0)
        return -1;
    printf("vc4 job: sequence number %llu\n", (unsigned long long)job.seqno);
    struct drm_vc4_wait_seqno wait = {.seqno = job.seqno, .timeout_ns = 5 * SECOND};
    return call(device, DRM_IOCTL_VC4_WAIT_SEQNO, &wait, "WAIT_SEQNO");
}

static unsigned count(const volatile uint32_t *pixels)
{
    unsigned good = 0;
    for (int i = 0; i < PIXELS; i++)
        good += pixels[i] == COLOUR;
    return good;
}

static int run(int device)
{
    struct drm_vc4_create_bo frame = {.size = BYTES};
    if (print_identity(device) != 0 ||
        call(device, DRM_IOCTL_VC4_CREATE_BO, &frame, "CREATE_BO") != 0)
        return 1;
    volatile uint32_t *pixels = map(device, frame.handle);
    if (!pixels)
        return 1;
    unsigned before = count(pixels);
    if (clear(device, frame.handle) != 0)
        return 1;
    unsigned after = count(pixels);
    printf("vc4 job: %u pixels of %d have the colour, %u before; the first is 0x%08x\n", after,
           PIXELS, before, (unsigned)pixels[0]);
    return after == PIXELS && before == 0 ? 0 : 1;
}

int main(int count, char **arguments)
{
    int device = open_device(count > 1 ? arguments[1] : "/dev/dri/renderD128");
    int status = device < 0 ? 1 : run(device);
    printf("vc4 job: %s\n", status == 0 ? "good" : "failed");
    return status;
}
