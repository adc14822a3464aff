/* SPDX-License-Identifier: MIT */
/* kms.h - the display: its objects and their properties, as mode-setting programs see those of a Raspberry Pi.
 *
 * In:  requests of card nodes. Out: pictures (display.h), events.
 *
 * One connector (HDMI), encoder and CRTC; a primary plane, sixteen overlays, a cursor. All functions are called with the
 * device's lock (gpu.h), but kms_wait(). Sources: Linux, drivers/gpu/drm/vc4/vc4_plane.c, vc4_kms.c, vc4_crtc.c, vc4_hdmi.c
 * (objects, properties); drm_mode_config.c, drm_mode_object.c, drm_property.c (meaning). */
#ifndef SHIM_DRM_KMS_H
#define SHIM_DRM_KMS_H

#include <stdbool.h>
#include <stdint.h>

#include <libdrm/drm.h>
#include <libdrm/drm_mode.h>

#include "file.h"
#include "kms_clock.h"
#include "scanout.h"

enum {
    KMS_OVERLAYS = 16,
    KMS_PRIMARY = 0, /* indices of planes; the overlays are between */
    KMS_CURSOR = KMS_OVERLAYS + 1,
    KMS_PLANES,
    KMS_MOST = 2048,      /* pixels, across and down */
    KMS_CURVE_SIZE = 256, /* entries of a gamma table */
};

enum kms_property {
    KMS_EDID,
    KMS_DPMS,
    KMS_LINK_STATUS,
    KMS_NON_DESKTOP,
    KMS_TILE,
    KMS_MAX_BPC,
    KMS_CRTC_ID,
    KMS_ACTIVE,
    KMS_MODE_ID,
    KMS_OUT_FENCE_PTR,
    KMS_VRR_ENABLED,
    KMS_CTM,
    KMS_GAMMA_LUT,
    KMS_GAMMA_LUT_SIZE,
    KMS_TYPE,
    KMS_FB_ID,
    KMS_IN_FENCE_FD,
    KMS_CRTC_X,
    KMS_CRTC_Y,
    KMS_CRTC_W,
    KMS_CRTC_H,
    KMS_SRC_X,
    KMS_SRC_Y,
    KMS_SRC_W,
    KMS_SRC_H,
    KMS_IN_FORMATS,
    KMS_ALPHA,
    KMS_BLEND_MODE,
    KMS_ROTATION,
    KMS_COLOR_ENCODING,
    KMS_COLOR_RANGE,
    KMS_ZPOS,
    KMS_ZPOS_PRIMARY, /* the primary plane's cannot be changed */
    KMS_PROPERTIES
};

/* Numbers of the objects that are always there. What programs make has numbers from KMS_ID_FREE. */
enum {
    KMS_ID_PROPERTY = 1,
    KMS_ID_PRIMARY = KMS_ID_PROPERTY + KMS_PROPERTIES,
    KMS_ID_CRTC,
    KMS_ID_ENCODER,
    KMS_ID_CONNECTOR,
    KMS_ID_OVERLAY,
    KMS_ID_CURSOR = KMS_ID_OVERLAY + KMS_OVERLAYS,
    KMS_ID_EDID, /* blobs */
    KMS_ID_FORMATS,
    KMS_ID_FREE
};

/* --- what programs make --- */

/* Bytes that properties refer to. */
struct kms_blob {
    uint32_t id, references;
    const struct file *owner; /* NULL: destroyed, or nobody's */
    uint32_t size;
    uint8_t bytes[];
};

/* A picture in buffer objects. */
struct kms_fb {
    uint32_t id, references;  /* id 0: removed */
    const struct file *owner; /* NULL: removed */
    uint32_t width, height, flags;
    const struct scanout_format *format;
    uint64_t modifier;
    struct bo *bos[SCANOUT_PARTS]; /* with references */
    uint32_t pitches[SCANOUT_PARTS], offsets[SCANOUT_PARTS];
};

/* A number for an object of type DRM_MODE_OBJECT_FB or _BLOB; 0: no memory. */
uint32_t kms_object_add(uint32_t type, void *object);
void *kms_object_find(uint32_t id, uint32_t type); /* NULL: none */
void kms_object_remove(uint32_t id);

/* The type of any number; 0: none. */
uint32_t kms_object_type(uint32_t id);

/* The objects that programs have made, by index from 0; NULL after the last. *type: DRM_MODE_OBJECT_FB, _BLOB, 0 (a gap). */
void *kms_object_at(uint32_t index, uint32_t *type);
uint32_t kms_object_count(void);

/* NULL: no memory. The reference is the caller's. */
struct kms_blob *kms_blob_make(const struct file *owner, const void *bytes, uint32_t size);
struct kms_blob *kms_blob_take(struct kms_blob *blob); /* NULL is allowed */
void kms_blob_release(struct kms_blob *blob);

struct kms_fb *kms_fb_take(struct kms_fb *fb); /* NULL is allowed */
void kms_fb_release(struct kms_fb *fb);

/* As ADDFB2 does. *out has one reference, the caller's. */
int kms_fb_make(struct kms_fb **out, struct file *file, const struct drm_mode_fb_cmd2 *command);

/* --- what is on the screen --- */

struct kms_plane {
    struct kms_fb *fb; /* with a reference */
    bool on;           /* has a CRTC */
    int32_t crtc_x, crtc_y;
    uint32_t crtc_w, crtc_h;
    uint32_t src_x, src_y, src_w, src_h; /* 16.16 */
    uint32_t alpha, blend, rotation, zpos, encoding, range;
};

struct kms_state {
    struct kms_plane planes[KMS_PLANES];
    struct kms_blob *mode, *gamma, *matrix; /* with references */
    bool active;
    bool connected; /* the connector has the CRTC */
    uint32_t vrr, max_bpc, link_status;
};

/* What the screen shows. At first, and after the last card node is closed, that is the kernel's console: the preferred mode,
 * and a framebuffer that no program draws into. */
const struct kms_state *kms_state(void);

/* Shows the console again. */
void kms_show_console(void);

/* Whether a framebuffer is the console's. Its memory exists from the moment when somebody asks for a handle. */
bool kms_is_console(const struct kms_fb *fb);

/* Makes a framebuffer for the console, of the preferred mode's size; NULL: no memory. */
struct kms_fb *kms_fb_make_console(void);

/* Makes the picture of it: 0x00RRGGBB, of the mode's size. Without memory it is black. */
void kms_picture(uint32_t *pixels);

/* A number for what is in the memory of the framebuffers on the screen: another one says that somebody has drawn. */
uint64_t kms_picture_hash(void);

/* NULL: none. */
const struct drm_mode_modeinfo *kms_state_mode(const struct kms_state *state);

/* --- changing it (kms_atomic.c) --- */

struct kms_update {
    struct kms_state state; /* what is to be */
    uint32_t planes;        /* bit per plane that is concerned */
    bool crtc, connector;   /* are concerned */
    bool may_set_mode;      /* DRM_MODE_ATOMIC_ALLOW_MODESET */
    bool wants_event;
    uint32_t fences;    /* bit per plane that has got an IN_FENCE_FD */
    uint64_t out_fence; /* address; 0: none */
};

void kms_update_begin(struct kms_update *update);
void kms_update_end(struct kms_update *update);

void kms_update_fb(struct kms_update *update, unsigned plane, struct kms_fb *fb);
void kms_update_plane(struct kms_update *update, unsigned plane, bool on);
void kms_update_connect(struct kms_update *update, bool connected);

/* Takes over a mode; NULL: none. Errors: EINVAL, ENOMEM. */
int kms_update_mode(struct kms_update *update, const struct drm_mode_modeinfo *mode);

/* A property of an object; it has it. Errors: EINVAL, EACCES, EFAULT. */
int kms_update_property(struct kms_update *update, struct file *file, uint32_t object,
                        enum kms_property property, uint64_t value);

/* Whether the display can do it. Errors: EINVAL, ERANGE, ENOSPC. */
int kms_update_check(const struct kms_update *update);

/* Does it. */
void kms_update_carry_out(struct kms_update *update);

/* --- properties (kms_properties.c) --- */

/* The property, if the object has it. */
bool kms_property_of(uint32_t object, uint32_t id, enum kms_property *property);

/* Whether programs may set it to that value. */
bool kms_property_may_be(enum kms_property property, uint64_t value);

/* The plane of a number; KMS_PLANES: none. And back. */
unsigned kms_plane_index(uint32_t id);
uint32_t kms_plane_id(unsigned index);

/* The properties of an object, as GETPROPERTIES and GETCONNECTOR give them. Errors: EFAULT. */
int kms_properties_tell(const struct file *file, uint32_t object, uint64_t ids, uint64_t values,
                        uint32_t *count);

/* Bytes of the blobs that are always there; NULL: none. */
const void *kms_fixed_blob(uint32_t id, uint32_t *size);

/* --- modes (kms_modes.c) --- */

/* The modes of the connector, the preferred one first; NULL after the last. */
const struct drm_mode_modeinfo *kms_mode(uint32_t index);

/* Whether the display can be driven so. */
bool kms_mode_is_good(const struct drm_mode_modeinfo *mode);

/* Thousandths of a hertz; 0 for a bad mode. */
uint32_t kms_mode_rate(const struct drm_mode_modeinfo *mode);

enum { KMS_EDID_BYTES = 128 };
void kms_edid(uint8_t edid[KMS_EDID_BYTES]);

/* The screen's size in millimetres. */
void kms_screen_size(uint32_t *width, uint32_t *height);

/* --- for the rest of the shim --- */

/* A file is closed: its framebuffers, blobs and events are gone. */
void kms_close(struct file *file);

/* Sleeps until the vertical blank that this thread's last request waits for. Without the lock. */
void kms_wait(void);

/* --- requests, by file --- */

int kms_get_resources(struct file *file, void *argument);
int kms_get_crtc(struct file *file, void *argument);
int kms_get_encoder(struct file *file, void *argument);
int kms_get_connector(struct file *file, void *argument);
int kms_get_plane_resources(struct file *file, void *argument);
int kms_get_plane(struct file *file, void *argument);

int kms_get_property(struct file *file, void *argument);
int kms_get_properties(struct file *file, void *argument);
int kms_set_property(struct file *file, void *argument);
int kms_set_connector_property(struct file *file, void *argument);

int kms_get_blob(struct file *file, void *argument);
int kms_create_blob(struct file *file, void *argument);
int kms_destroy_blob(struct file *file, void *argument);

int kms_add_fb(struct file *file, void *argument);
int kms_add_fb2(struct file *file, void *argument);
int kms_remove_fb(struct file *file, void *argument);
int kms_get_fb(struct file *file, void *argument);
int kms_get_fb2(struct file *file, void *argument);
int kms_dirty_fb(struct file *file, void *argument);
int kms_create_dumb(struct file *file, void *argument);
int kms_map_dumb(struct file *file, void *argument);
int kms_destroy_dumb(struct file *file, void *argument);

int kms_set_crtc(struct file *file, void *argument);
int kms_set_plane(struct file *file, void *argument);
int kms_page_flip(struct file *file, void *argument);
int kms_cursor(struct file *file, void *argument);
int kms_cursor2(struct file *file, void *argument);
int kms_get_gamma(struct file *file, void *argument);
int kms_set_gamma(struct file *file, void *argument);

int kms_atomic(struct file *file, void *argument);

/* Tells a program that its picture is seen from that blank on. Error: ENOMEM. */
int kms_send_flip(struct file *file, struct clock_blank blank, uint64_t user_data);

int kms_wait_vblank(struct file *file, void *argument);
int kms_get_sequence(struct file *file, void *argument);
int kms_queue_sequence(struct file *file, void *argument);

#endif
