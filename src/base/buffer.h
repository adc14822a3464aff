/* SPDX-License-Identifier: MIT */
/* buffer.h - a growable run of bytes. Zero-initialise it, free it with buffer_free(). An append that
 * fails for lack of memory sets .failed and drops the bytes; check once at the end. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer {
    uint8_t *data;
    size_t size, capacity;
    bool failed;
};

void buffer_append(struct buffer *buffer, const void *bytes, size_t size);
void buffer_byte(struct buffer *buffer, uint8_t byte);
void buffer_le32(struct buffer *buffer, uint32_t value);

/* Appends formatted text without its NUL. */
void buffer_printf(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

void buffer_free(struct buffer *buffer);

#endif
