/* SPDX-License-Identifier: MIT */
/* recorder.h - the functions that a device calls while it is recorded (record.h). */
#ifndef VC4_DEVICE_RECORDER_H
#define VC4_DEVICE_RECORDER_H

#include <tessera/vc4.h>

/* Functions of a recorder. All function pointers must be set. The functions must not call the
 * device. */
struct vc4_recorder {
    void (*write)(void *user, uint32_t offset, uint32_t value, bool in_run); /* called before the
                                                                                write takes
                                                                                effect */
    void (*begin)(void *user);                                               /* called when a run
                                                                                begins */
    void (*end)(void *user, enum tess_vc4_stop stop);
    void (*interrupt)(void *user); /* called when the interrupt line changes during a run, before
                                      the host's callback */
    void (*mapped)(void *user, uint32_t bus, uint32_t size);
    void *user;
};

#endif
