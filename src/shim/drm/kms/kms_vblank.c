/* SPDX-License-Identifier: MIT */
/* kms_vblank.c - requests that read or wait for vertical blanks.
 *
 * In:  requests; the screen's clock.
 * Out: numbers and times of blanks, as results of requests or as events.
 *
 * Source: Linux, drivers/gpu/drm/drm_vblank.c. */
#include <errno.h>

#include "shim/drm/calls/clock.h"
#include "shim/drm/kms/kms.h"

enum {
    MOST_WAIT = 3, /* longest wait, in seconds */
    /* a requested number at most this far below the current blank's number is in the past; one
     * that is further below is in the future */
    PASSED = 1 << 23
};

static bool has_passed(uint64_t now, uint64_t number)
{
    return now - number <= PASSED;
}

static struct drm_event_vblank make_event(uint32_t type, struct clock_blank blank,
                                          uint64_t user_data)
{
    return (struct drm_event_vblank){
        .base = {.type = type, .length = sizeof(struct drm_event_vblank)},
        .user_data = user_data,
        .tv_sec = (uint32_t)(blank.time / CLOCK_SECOND),
        .tv_usec = (uint32_t)(blank.time % CLOCK_SECOND / 1000),
        .sequence = (uint32_t)blank.number,
        .crtc_id = KMS_ID_CRTC};
}

int kms_send_flip(struct file *file, struct clock_blank blank, uint64_t user_data)
{
    struct drm_event_vblank event = make_event(DRM_EVENT_FLIP_COMPLETE, blank, user_data);
    return clock_send(file, &event, sizeof event, blank.time);
}

/* --- WAIT_VBLANK --- */

static void reply(union drm_wait_vblank *wait, struct clock_blank blank)
{
    wait->reply.sequence = (unsigned)blank.number;
    wait->reply.tval_sec = (long)(blank.time / CLOCK_SECOND);
    wait->reply.tval_usec = (long)(blank.time % CLOCK_SECOND / 1000);
}

/* Computes the full number of the requested blank. For an absolute number, which has 32 bits, the
 * result is the number nearest to `now` that has those 32 bits as its lower bits. */
static int find_number(union drm_wait_vblank *wait, uint64_t now, uint64_t *number)
{
    unsigned sequence = wait->request.sequence, type = wait->request.type;
    if ((type & _DRM_VBLANK_TYPES_MASK) == _DRM_VBLANK_RELATIVE)
        *number = now + sequence;
    else if ((type & _DRM_VBLANK_TYPES_MASK) == _DRM_VBLANK_ABSOLUTE)
        *number = now + (uint64_t)(int64_t)(int32_t)(sequence - (uint32_t)now);
    else
        return EINVAL;
    if ((type & _DRM_VBLANK_NEXTONMISS) && has_passed(now, *number))
        *number = now + 1;
    return 0;
}

static int queue(struct file *file, union drm_wait_vblank *wait, struct clock_blank last,
                 uint64_t number)
{
    struct clock_blank blank = has_passed(last.number, number) ? last : clock_blank(number);
    struct drm_event_vblank event = make_event(DRM_EVENT_VBLANK, blank, wait->request.signal);
    wait->reply.sequence = (unsigned)blank.number;
    return clock_send(file, &event, sizeof event, blank.time);
}

int kms_wait_vblank(struct file *file, void *argument)
{
    union drm_wait_vblank *wait = argument;
    unsigned type = wait->request.type,
             pipe = (type & _DRM_VBLANK_HIGH_CRTC_MASK) >> _DRM_VBLANK_HIGH_CRTC_SHIFT;
    uint64_t number;
    if ((type & _DRM_VBLANK_SIGNAL) ||
        (type &
         ~(unsigned)(_DRM_VBLANK_TYPES_MASK | _DRM_VBLANK_FLAGS_MASK | _DRM_VBLANK_HIGH_CRTC_MASK)))
        return EINVAL;
    if (pipe || (type & _DRM_VBLANK_SECONDARY) || !kms_state()->active)
        return EINVAL;
    struct clock_blank last = clock_last();
    int error = find_number(wait, last.number, &number);
    if (error)
        return error;
    if (type & _DRM_VBLANK_EVENT)
        return queue(file, wait, last, number);
    bool passed = has_passed(last.number, number);
    struct clock_blank blank = passed ? last : clock_blank(number);
    uint64_t most = clock_now() + MOST_WAIT * CLOCK_SECOND;
    bool too_late = !passed && (number - last.number > UINT32_MAX || blank.time > most);
    if (!passed)
        clock_delay(too_late ? most : blank.time);
    reply(wait, too_late ? last : blank);
    return too_late ? EBUSY : 0;
}

/* --- 64-bit sequence numbers --- */

int kms_get_sequence(struct file *file, void *argument)
{
    struct drm_crtc_get_sequence *get = argument;
    struct clock_blank last = clock_last();
    (void)file;
    if (get->crtc_id != KMS_ID_CRTC)
        return ENOENT;
    get->active = kms_state()->active;
    get->sequence = last.number;
    get->sequence_ns = (int64_t)last.time;
    return 0;
}

int kms_queue_sequence(struct file *file, void *argument)
{
    struct drm_crtc_queue_sequence *wanted = argument;
    struct clock_blank last = clock_last();
    uint64_t number = wanted->sequence;
    if (wanted->crtc_id != KMS_ID_CRTC)
        return ENOENT;
    if (wanted->flags & ~(uint32_t)(DRM_CRTC_SEQUENCE_RELATIVE | DRM_CRTC_SEQUENCE_NEXT_ON_MISS))
        return EINVAL;
    if (!kms_state()->active)
        return EINVAL;
    if (wanted->flags & DRM_CRTC_SEQUENCE_RELATIVE)
        number += last.number;
    if ((wanted->flags & DRM_CRTC_SEQUENCE_NEXT_ON_MISS) && has_passed(last.number, number))
        number = last.number + 1;
    bool passed = has_passed(last.number, number);
    struct clock_blank blank = passed ? last : clock_blank(number);
    struct drm_event_crtc_sequence event = {
        .base = {.type = DRM_EVENT_CRTC_SEQUENCE, .length = sizeof event},
        .user_data = wanted->user_data,
        .time_ns = (int64_t)blank.time,
        .sequence = blank.number};
    wanted->sequence = blank.number;
    return clock_send(file, &event, sizeof event,
                      number - last.number > UINT32_MAX && !passed ? UINT64_MAX : blank.time);
}
