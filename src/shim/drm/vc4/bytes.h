/* SPDX-License-Identifier: MIT */
/* bytes.h - reads and writes little-endian numbers at any alignment. Control lists and records
 * contain such numbers. */
#ifndef SHIM_DRM_VC4_BYTES_H
#define SHIM_DRM_VC4_BYTES_H

#include <stdint.h>

static inline uint16_t get16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static inline uint32_t get32(const uint8_t *bytes)
{
    return get16(bytes) | (uint32_t)get16(bytes + 2) << 16;
}

static inline void put16(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

static inline void put32(uint8_t *bytes, uint32_t value)
{
    put16(bytes, value);
    put16(bytes + 2, value >> 16);
}

#endif
