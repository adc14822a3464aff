/* SPDX-License-Identifier: MIT */
/* tessera.h - definitions that all parts of the public API share: version, status codes and
 * diagnostics.
 *
 * Three kinds of problems are kept separate:
 *   - The caller misuses the API, or a resource is missing: a function returns a tess_status.
 *   - The program under test makes a mistake: a tess_finding is reported to the sink, and the model
 *     continues as the hardware would.
 *   - The library has a bug: an assertion fails.
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
    TESS_INVALID,   /* an argument violates the function's documentation */
    TESS_NO_MEMORY, /* the host is out of memory */
    TESS_IO,        /* a file could not be opened, read or written */
    TESS_BAD_INPUT, /* a file or text does not have the expected form; the reason is reported */
    TESS_WRONG,     /* the program under test is wrong; diagnostics have been reported */
    TESS_MISMATCH,  /* a saved state belongs to another machine, version, program or setup */
    TESS_STOPPED,   /* the caller has stopped the run, which can be continued */
};

/* Returns a short English phrase for a status, never NULL. The string is static. */
TESS_API const char *tess_status_text(enum tess_status status);

/* The version of this header. */
#define TESSERA_VERSION_MAJOR 0
#define TESSERA_VERSION_MINOR 1
#define TESSERA_VERSION_PATCH 0

/* Returns the library's version, "major.minor.patch". The string is static. */
TESS_API const char *tess_version(void);

/* Frees memory that a tess_ function returned to the caller. NULL is allowed. */
TESS_API void tess_free(void *memory);

/* The level of a finding or of a rule. The findings of a rule whose level is TESS_OFF are not
 * reported. */
enum tess_level { TESS_OFF = -1, TESS_NOTE, TESS_WARNING, TESS_ERROR };

enum tess_machine {
    TESS_MACHINE_QPU,  /* VideoCore IV; its programs run on quad processors */
    TESS_MACHINE_GP,   /* Mali Utgard vertex processor */
    TESS_MACHINE_A2XX, /* Qualcomm Adreno A2xx or Xenos shader core */
};

/* Bits for the members of a tess_place that are valid. The other members are 0. */
enum {
    TESS_PLACE_LIST = 1 << 0,        /* thread, list_address, record */
    TESS_PLACE_TILE = 1 << 1,        /* tile_column, tile_row */
    TESS_PLACE_SHADER = 1 << 2,      /* shader, pc, qpu, qpus */
    TESS_PLACE_ADDRESS = 1 << 3,     /* address */
    TESS_PLACE_INSTRUCTION = 1 << 4, /* instruction; set if memory is mapped at pc */
    TESS_PLACE_DRAW = 1 << 5,        /* draw */
};

/* Position in a modelled machine. */
struct tess_place {
    uint32_t known;        /* valid members, TESS_PLACE_ bits */
    uint32_t thread;       /* control-list thread: 0 binning, 1 rendering */
    uint32_t list_address; /* bus address of the control record */
    uint32_t record;       /* code of the record, its first byte */
    uint32_t tile_column, tile_row;
    /* In a tile's list: bus address of the record in the binning list that drew the primitives. */
    uint32_t draw;
    uint32_t shader;      /* bus address of the program's first instruction */
    uint32_t pc;          /* bus address of the instruction */
    uint64_t instruction; /* the word at pc */
    uint32_t qpu;         /* number of the QPU, 0..15 */
    uint32_t address;     /* memory address or register offset that the diagnostic is about */
    uint64_t qpus;        /* if several QPUs have the same finding, a bit for each of these QPUs,
                           * including qpu; otherwise 0 */
};

/* A setting of the library's caller that a hint asks to change. A front end names its own option
 * for the setting. */
enum tess_setting {
    TESS_SETTING_NONE,
    TESS_SETTING_LIMIT,    /* the limit of instructions or records of a run */
    TESS_SETTING_MESSAGES, /* the number of errors after which an assembler stops */
    TESS_SETTING_VARIANT,  /* the variant of the Adreno A2xx */
    TESS_SETTING_GP,       /* the machine: GP */
    TESS_SETTING_A2XX,     /* the machine: Adreno A2xx */
    TESS_SETTING_XENOS,    /* the machine: Adreno A2xx, variant Xenos */
    TESS_SETTING_SCENE,    /* the output format: a scene */
    TESS_SETTING_INCLUDE,  /* the files that are read before the source */
    TESS_SETTINGS
};

struct tess_check_details;

/* A finding about a program that breaks a rule, or a message about a file or an option. The
 * reporter owns the strings, which are valid only during the call. */
struct tess_finding {
    enum tess_level level;
    const char *id;          /* stable, for example "bus-unmapped": of a rule (finding.h) or of a
                              * message */
    const char *text;        /* one sentence, no final newline */
    const char *hint;        /* instruction on how to correct the mistake, or NULL */
    const char *file;        /* source or scene file, or NULL */
    uint32_t line, column;   /* 1-based; 0 if unknown */
    const char *source_line; /* text of that line, or NULL */
    struct tess_place place;
    bool more; /* true for a note that further findings of the rule are not reported */
    enum tess_setting setting; /* setting that the hint asks to change */
    enum tess_machine machine; /* machine whose rule is broken; TESS_MACHINE_QPU for a message */
    uint64_t count;            /* number of occurrences that the finding reports; 0 for a message */
    const struct tess_check_details *check; /* isa.h; NULL unless tess_check() found the mistake */
};

/* Receiver of findings and messages. If report is NULL, they are dropped. */
struct tess_sink {
    void (*report)(void *user, const struct tess_finding *finding);
    void *user;
};

#ifdef __cplusplus
}
#endif

#endif
