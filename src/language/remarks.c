/* SPDX-License-Identifier: MIT */
/* remarks.c - public functions (tessera/isa.h) that read the checker comments of a source file.
 * Programs that run the source use them to suppress findings.
 *
 * In:  a source file.
 * Out: rules and findings that are allowed on certain lines. */
#include <stdlib.h>

#include "base/file.h"
#include "check/frame/check_remarks.h"

struct tess_remarks {
    struct source_file *file;
    struct remarks remarks;
};

enum tess_status tess_remarks_read(struct tess_remarks **out, const char *path,
                                   enum tess_machine machine)
{
    struct buffer text = {0};
    if (!out || !path || machine > TESS_MACHINE_A2XX)
        return TESS_INVALID;
    *out = NULL;
    enum tess_status status = file_read(path, &text);
    if (status != TESS_OK)
        return status;
    struct tess_remarks *remarks = calloc(1, sizeof *remarks);
    if (remarks) {
        remarks->remarks.machine = machine;
        remarks->file = source_from_text(path, (const char *)text.data, text.size,
                                         machine == TESS_MACHINE_A2XX);
        remarks_read(&remarks->remarks, remarks->file);
    }
    buffer_free(&text);
    if (remarks && remarks->file && !remarks->remarks.no_memory) {
        *out = remarks;
        return TESS_OK;
    }
    tess_remarks_free(remarks);
    return TESS_NO_MEMORY;
}

bool tess_remarks_allow(const struct tess_remarks *remarks, const char *id, uint32_t line)
{
    return remarks && id && remarks_allow_id(&remarks->remarks, id, remarks->file, line);
}

void tess_remarks_free(struct tess_remarks *remarks)
{
    if (!remarks)
        return;
    remarks_free(&remarks->remarks);
    source_free(remarks->file);
    free(remarks);
}
