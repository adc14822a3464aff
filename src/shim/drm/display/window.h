/* SPDX-License-Identifier: MIT */
/* window.h - sends pictures to the viewer (front/viewer.h). */
#ifndef SHIM_DRM_DISPLAY_WINDOW_H
#define SHIM_DRM_DISPLAY_WINDOW_H

#include <stdint.h>

/* Shows a picture. `pixels` are 0x00RRGGBB values, row by row from the top. If there is no viewer,
 * or the viewer is too slow, the picture is skipped. Called with the device's lock
 * (device_lock.h). */
void window_show(const char *name, const uint32_t *pixels, uint32_t width, uint32_t height,
                 uint32_t number);

#endif
