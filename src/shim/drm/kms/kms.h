/* SPDX-License-Identifier: MIT */
/* kms.h - the display: the mode-setting objects of a Raspberry Pi and their properties.
 *
 * In:  requests to card nodes.
 * Out: pictures (display.h), events.
 *
 * There is one connector (HDMI), one encoder and one CRTC, with a primary plane, sixteen overlays
 * and a cursor. All functions are called with the device's lock (device_lock.h).
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_plane.c, vc4_kms.c, vc4_crtc.c, vc4_hdmi.c (objects,
 *         properties); drm_mode_config.c, drm_mode_object.c, drm_property.c (meaning). */
#ifndef SHIM_DRM_KMS_KMS_H
#define SHIM_DRM_KMS_KMS_H

#include <stdbool.h>
#include <stdint.h>

#include <libdrm/drm.h>
#include <libdrm/drm_mode.h>

#include "shim/drm/calls/clock.h"
#include "shim/drm/calls/file.h"
#include "shim/drm/display/scanout.h"

enum {
    KMS_OVERLAYS = 16,
    KMS_PRIMARY = 0, /* indices of planes; overlays have the indices from 1 to KMS_OVERLAYS */
    KMS_CURSOR = KMS_OVERLAYS + 1,
    KMS_PLANES,
    KMS_MOST = 2048,      /* largest width and height, in pixels */
    KMS_CURVE_SIZE = 256, /* number of entries of a gamma table */
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
    KMS_ZPOS_PRIMARY, /* zpos of the primary plane, which is read-only */
    KMS_PROPERTIES
};

/* Numbers of the permanent objects. The numbers of objects that programs create start at
 * KMS_ID_FREE. */
enum {
    KMS_ID_PROPERTY = 1,
    KMS_ID_PRIMARY = KMS_ID_PROPERTY + KMS_PROPERTIES,
    KMS_ID_CRTC,
    KMS_ID_ENCODER,
    KMS_ID_CONNECTOR,
    KMS_ID_OVERLAY,
    KMS_ID_CURSOR = KMS_ID_OVERLAY + KMS_OVERLAYS,
    KMS_ID_EDID, /* KMS_ID_EDID and KMS_ID_FORMATS are numbers of blobs */
    KMS_ID_FORMATS,
    KMS_ID_FREE
};

/* --- objects that programs create --- */

/* Data that a property refers to by the blob's number. */
struct kms_blob {
    uint32_t id, references;
    /* file that owns the blob; NULL after DESTROYPROPBLOB, and if no file created the blob */
    const struct file *owner;
    uint32_t size;
    uint8_t bytes[];
};

/* A framebuffer: a picture in buffer objects. */
struct kms_fb {
    uint32_t id, references;  /* id is the framebuffer's number, or 0 after RMFB */
    const struct file *owner; /* file that owns the framebuffer, or NULL after RMFB */
    uint32_t width, height, flags;
    const struct scanout_format *format;
    uint64_t modifier;
    struct bo *bos[SCANOUT_PARTS]; /* buffer objects of the parts, each with a reference */
    uint32_t pitches[SCANOUT_PARTS], offsets[SCANOUT_PARTS];
};

/* Adds an object of type DRM_MODE_OBJECT_FB or _BLOB. Returns its number, or 0 if there is no
 * memory. */
uint32_t kms_object_add(uint32_t type, void *object);
void *kms_object_find(uint32_t id, uint32_t type); /* returns the object, or NULL */
void kms_object_remove(uint32_t id);

/* Returns the type of the object with number `id`, or 0 if none exists. */
uint32_t kms_object_type(uint32_t id);

/* Returns the object at an index from 0 in the table of objects that programs created. Sets *type
 * to DRM_MODE_OBJECT_FB, DRM_MODE_OBJECT_BLOB, or 0 for a free number. Returns NULL for a free
 * number and after the last object. */
void *kms_object_at(uint32_t index, uint32_t *type);
uint32_t kms_object_count(void);

/* Creates a blob with one reference, which the caller owns. Returns NULL if there is no memory. */
struct kms_blob *kms_blob_make(const struct file *owner, const void *bytes, uint32_t size);
/* Adds a reference and returns blob, which may be NULL. */
struct kms_blob *kms_blob_take(struct kms_blob *blob);
void kms_blob_release(struct kms_blob *blob);

/* Adds a reference and returns fb, which may be NULL. */
struct kms_fb *kms_fb_take(struct kms_fb *fb);
void kms_fb_release(struct kms_fb *fb);

/* Creates a framebuffer as ADDFB2 does. *out has one reference, which the caller owns. */
int kms_fb_make(struct kms_fb **out, struct file *file, const struct drm_mode_fb_cmd2 *command);

/* --- state of the screen --- */

struct kms_plane {
    struct kms_fb *fb; /* framebuffer on the plane, with a reference, or NULL */
    bool on;           /* true if the plane is attached to the CRTC */
    int32_t crtc_x, crtc_y;
    uint32_t crtc_w, crtc_h;
    uint32_t src_x, src_y, src_w, src_h; /* 16.16 fixed point */
    uint32_t alpha, blend, rotation, zpos, encoding, range;
};

struct kms_state {
    struct kms_plane planes[KMS_PLANES];
    struct kms_blob *mode, *gamma, *matrix; /* blobs, each with a reference, or NULL */
    bool active;
    bool connected; /* true if the connector is attached to the CRTC */
    uint32_t vrr, max_bpc, link_status;
};

/* Returns the current state. At first, and after the last card node is closed, the screen shows the
 * kernel's console. The console uses the preferred mode and a framebuffer into which no program
 * draws. */
const struct kms_state *kms_state(void);

/* Shows the console on the screen again. */
void kms_show_console(void);

/* True if a framebuffer is the console's. The console's memory is allocated when a program first
 * requests a handle for it. */
bool kms_is_console(const struct kms_fb *fb);

/* Creates a framebuffer for the console, of the preferred mode's size. Returns NULL if there is no
 * memory. */
struct kms_fb *kms_fb_make_console(void);

/* Computes the picture on the screen. `pixels` has the mode's size and receives 0x00RRGGBB values.
 * The picture is black if there is no memory. */
void kms_picture(uint32_t *pixels);

/* Returns a hash of the memory of the framebuffers on the screen. If the hash changes, a program
 * has drawn. */
uint64_t kms_picture_hash(void);

/* True if no plane shows a framebuffer of a program. */
bool kms_is_blank(void);

/* Returns the mode of a state, or NULL if the state has no mode. */
const struct drm_mode_modeinfo *kms_state_mode(const struct kms_state *state);

/* --- changing the state (kms_state.c, kms_atomic.c) --- */

struct kms_update {
    struct kms_state state; /* the new state */
    uint32_t planes;        /* bit i is set if plane i changes */
    bool crtc, connector;   /* true if the CRTC or the connector changes */
    bool may_set_mode;      /* true if DRM_MODE_ATOMIC_ALLOW_MODESET is set */
    bool wants_event;
    uint32_t fences;    /* bit i is set if plane i has an IN_FENCE_FD */
    uint64_t out_fence; /* address at which to store the descriptor of the fence, or 0 */
};

void kms_update_begin(struct kms_update *update);
void kms_update_end(struct kms_update *update);

/* Marks a plane as changed. If the plane is on, also marks the CRTC as changed. Returns the
 * plane. */
struct kms_plane *kms_update_concern(struct kms_update *update, unsigned plane);

/* Replaces a blob of an update. The update holds a reference to each of its blobs. */
void kms_update_blob(struct kms_blob **place, struct kms_blob *blob);

void kms_update_fb(struct kms_update *update, unsigned plane, struct kms_fb *fb);
void kms_update_plane(struct kms_update *update, unsigned plane, bool on);
void kms_update_connect(struct kms_update *update, bool connected);

/* Sets the mode to a copy of *mode, or to no mode if mode is NULL. Errors: EINVAL, ENOMEM. */
int kms_update_mode(struct kms_update *update, const struct drm_mode_modeinfo *mode);

/* Sets a property of an object. The object must have that property. Errors: EINVAL, EACCES,
 * EFAULT. */
int kms_update_property(struct kms_update *update, struct file *file, uint32_t object,
                        enum kms_property property, uint64_t value);

/* True if the change from one state to the other sets a mode. */
bool kms_sets_mode(const struct kms_state *before, const struct kms_state *after);

/* Checks that the display supports the new state. Errors: EINVAL, ERANGE, ENOSPC. */
int kms_update_check(const struct kms_update *update);

/* Makes the update's state the current state. */
void kms_update_carry_out(struct kms_update *update);

/* --- properties (kms_properties.c) --- */

/* Finds the property with number `id` of an object. Returns true and sets *property, or returns
 * false if the object does not have that property. */
bool kms_property_of(uint32_t object, uint32_t id, enum kms_property *property);

/* True if programs may set the property to value. */
bool kms_property_may_be(enum kms_property property, uint64_t value);

/* kms_plane_index() returns the index of the plane with number `id`, or KMS_PLANES if none exists.
 * kms_plane_id() returns the number of the plane with an index. */
unsigned kms_plane_index(uint32_t id);
uint32_t kms_plane_id(unsigned index);

/* Writes the properties of an object, as GETPROPERTIES and GETCONNECTOR return them. Error:
 * EFAULT. */
int kms_properties_report(const struct file *file, uint32_t object, uint64_t ids, uint64_t values,
                          uint32_t *count);

/* --- modes (kms_modes.c) --- */

/* Returns the connector's mode at an index. Index 0 is the preferred mode. Returns NULL after the
 * last one. */
const struct drm_mode_modeinfo *kms_mode(uint32_t index);

/* True if the display supports the mode. */
bool kms_mode_is_good(const struct drm_mode_modeinfo *mode);

/* Returns the refresh rate in thousandths of a hertz, or 0 for an invalid mode. */
uint32_t kms_mode_rate(const struct drm_mode_modeinfo *mode);

enum { KMS_EDID_BYTES = 128 };
void kms_edid(uint8_t edid[KMS_EDID_BYTES]);

/* Returns the screen's size in millimetres. */
void kms_screen_size(uint32_t *width, uint32_t *height);

/* --- for other parts of the shim --- */

/* Registers the display's requests. If has_display is false, these requests fail as those of a
 * kernel driver without mode setting. `end` is as in display.h. */
void kms_begin(bool has_display, void (*end)(void));

/* Sends the event of a page flip: from the vertical blank `blank` on, the program's picture is
 * visible. Error: ENOMEM. */
int kms_send_flip(struct file *file, struct clock_blank blank, uint64_t user_data);

/* --- requests --- */

#define REQUEST(request, carry_out, permissions) int carry_out(struct file *file, void *argument);
#include "requests.def"
#undef REQUEST

#endif
