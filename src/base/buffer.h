/* SPDX-License-Identifier: MIT */
/* buffer.h - growable array of bytes. The caller sets a buffer to zero first and frees it with
 * buffer_free(). If a function runs out of memory, it appends nothing and sets .failed, so one
 * check of .failed after the last append is enough. */
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
void buffer_le16(struct buffer *buffer, uint32_t value); /* the low 16 bits */
void buffer_le32(struct buffer *buffer, uint32_t value);

/* Appends formatted text without a NUL. */
void buffer_printf(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

void buffer_free(struct buffer *buffer);

#endif
