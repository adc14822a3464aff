/* SPDX-License-Identifier: MIT */
/* record.h - listening to what a host does with a device.
 *
 * In:  API calls. Out: calls of the recorder, and of a bus_watch for each page of memory reached. */
#ifndef VC4_RECORD_H
#define VC4_RECORD_H

#include <tessera/vc4.h>

#include "vc4/bus.h"

/* All functions must be set. They must not call the device. */
struct vc4_recorder {
    void (*write)(void *user, uint32_t offset, uint32_t value, bool in_run); /* before it acts */
    void (*begin)(void *user);                                               /* of a run */
    void (*end)(void *user, enum tess_vc4_stop stop);
    void (*interrupt)(void *user); /* the line changes, during a run; before the host's callback */
    void (*mapped)(void *user, uint32_t bus, uint32_t size);
    void *user;
};

/* Starts listening; both NULL: ends it. They must stay valid until then. */
void vc4_record(struct tess_vc4 *vc4, const struct vc4_recorder *recorder, struct bus_watch *watch);

/* Whether somebody listens already. */
bool vc4_is_recorded(const struct tess_vc4 *vc4);

/* The mapped memory, sorted by base. Valid until the next tess_vc4_map() or _unmap(). */
const struct bus_region *vc4_regions(const struct tess_vc4 *vc4, size_t *count);

/* How many QPUs the device has. */
uint32_t vc4_qpus(const struct tess_vc4 *vc4);

#endif
