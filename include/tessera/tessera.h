/* SPDX-License-Identifier: MIT */
/* tessera.h - what every part of the public API shares: version, status codes and diagnostics.
 *
 * Three kinds of trouble are never mixed:
 *   - the caller misuses the API or a resource is missing: a function returns a tess_status;
 *   - the program under test misbehaves: a tess_diag goes to the sink, and the model goes on as the
 *     hardware would;
 *   - a bug of ours: an assertion fails.
 */
#ifndef TESSERA_TESSERA_H
#define TESSERA_TESSERA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) || !defined(__GNUC__)
#define TESS_API
#else
#define TESS_API __attribute__((visibility("default")))
#endif

enum tess_status {
    TESS_OK = 0,
    TESS_INVALID,   /* the caller passed something the function's comment rules out */
    TESS_NO_MEMORY, /* the host is out of memory */
    TESS_IO,        /* a file could not be opened, read or written */
    TESS_BAD_INPUT, /* a file or text is not of the expected form; a diagnostic says why */
    TESS_WRONG,     /* the program under test is wrong; diagnostics say how */
};

/* A short English phrase for a status; never NULL. */
TESS_API const char *tess_status_text(enum tess_status status);

/* The library's version, "major.minor.patch". */
TESS_API const char *tess_version(void);

enum tess_severity { TESS_NOTE, TESS_WARNING, TESS_ERROR };

/* Which parts of a tess_place mean something. */
enum {
    TESS_PLACE_LIST = 1 << 0,        /* thread, list_address, record */
    TESS_PLACE_TILE = 1 << 1,        /* tile_column, tile_row */
    TESS_PLACE_SHADER = 1 << 2,      /* shader, pc, qpu */
    TESS_PLACE_ADDRESS = 1 << 3,     /* address */
    TESS_PLACE_INSTRUCTION = 1 << 4, /* instruction: what memory holds at pc, if it is mapped */
    TESS_PLACE_DRAW = 1 << 5,        /* draw */
};

/* Where in a modelled machine something happened. */
struct tess_place {
    uint32_t known;        /* TESS_PLACE_ bits */
    uint32_t thread;       /* control-list thread: 0 binning, 1 rendering */
    uint32_t list_address; /* bus address of the control record */
    uint32_t record;       /* its id byte */
    uint32_t tile_column, tile_row;
    uint32_t draw;        /* of a tile's list: bus address of the binning list's record that put the primitives there */
    uint32_t shader;      /* bus address of the program's first instruction */
    uint32_t pc;          /* bus address of the instruction */
    uint64_t instruction; /* the instruction word */
    uint32_t qpu;         /* number of the QPU, 0..15 */
    uint32_t address;     /* the memory address or register offset concerned */
    uint64_t qpus;        /* bit per QPU, if the same happened on several, qpu among them; else 0 */
};

/* One finding. Strings belong to the reporter and live only during the call. */
struct tess_diag {
    enum tess_severity severity;
    const char *rule;        /* stable id, for example "bus-unmapped" */
    const char *text;        /* one sentence, no final newline */
    const char *hint;        /* what to do instead, or NULL */
    const char *file;        /* source or scene file, or NULL */
    uint32_t line, column;   /* 1-based; 0 if unknown */
    const char *source_line; /* the text of that line, or NULL */
    struct tess_place place;
    bool more; /* a note: further findings of this rule are not reported */
};

/* Where diagnostics go. A sink with a NULL function drops them. */
struct tess_sink {
    void (*report)(void *user, const struct tess_diag *diag);
    void *user;
};

#ifdef __cplusplus
}
#endif

#endif
