/* SPDX-License-Identifier: MIT */
/* record.h - recording of a host's accesses to a device.
 *
 * In:  API calls.
 * Out: calls of the recorder's functions, and of a bus_watch for each page of memory accessed. */
#ifndef VC4_DEVICE_RECORD_H
#define VC4_DEVICE_RECORD_H

#include <tessera/vc4.h>

#include "vc4/device/recorder.h"
#include "vc4/memory/bus.h"

/* Starts recording, or ends recording if both pointers are NULL. Both structs must stay valid until
 * recording ends. */
void vc4_record(struct tess_vc4 *vc4, const struct vc4_recorder *recorder, struct bus_watch *watch);

/* True if a recorder is set. */
bool vc4_is_recorded(const struct tess_vc4 *vc4);

/* Returns the mapped memory, sorted by base address. The array is valid until the next call of
 * tess_vc4_map() or tess_vc4_unmap(). */
const struct bus_region *vc4_regions(const struct tess_vc4 *vc4, size_t *count);

/* Returns the number of QPUs of the device. */
uint32_t vc4_qpus(const struct tess_vc4 *vc4);

#endif
