/* SPDX-License-Identifier: MIT */
/* gl_list.c - see gl_list.h.
 *
 * In:  the shim and the Mesas that were found.
 * Out: the list as text or as a JSON object, on standard output. */
#include "cli/launch/gl_list.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/cli.h"
#include "cli/output.h"

const char gl_list_no_shim[] =
    "install libdrm-dev (scripts/setup installs it) and build Tessera again";
const char *gl_list_no_mesa(const struct gl_gpu *gpu, const struct program_kind *kind)
{
    const char *emulator = program_emulator(kind);
    if (emulator)
        return "name the folder of a system for that processor with --driver or TESSERA_MESA; "
               "scripts/arm64-root creates one for arm64";
    if (gpu != gl_gpu_at(0))
        return "run 'scripts/mesa-vc4 lima', which builds Debian's Mesa with vc4 and lima in a few "
               "minutes, or name the folder of a Mesa with --driver or TESSERA_MESA";
    return "run scripts/mesa-vc4, which builds Debian's Mesa with vc4 in a few minutes, or name "
           "the folder of a Mesa with --driver or TESSERA_MESA";
}

static const char *processor(const struct gl_found *found)
{
    const char *name = program_processor(&found->kind);
    return name ? name : "another processor";
}

static bool is_used(const struct gl_found *found, const struct gl_mesa *mesa)
{
    return mesa == found->mesas->used;
}

/* Prints the reason why a Mesa is used or not used. Only the first usable Mesa is used. */
static void print_reason(FILE *stream, const struct gl_found *found, const struct gl_mesa *mesa)
{
    if (mesa->problem)
        fprintf(stream, "%s\n", mesa->problem);
    else
        fprintf(stream, "has %s; %s\n", found->mesas->gpu->name,
                is_used(found, mesa) ? "used" : "not used, since an earlier one is");
}

/* --- text --- */

static bool print_variable(void *context, const char *name, const char *value, bool in_front)
{
    FILE *stream = context;
    if (!value)
        fprintf(stream, "  unset %s\n", name);
    else if (in_front)
        fprintf(stream, "  export %s=%s${%s:+:$%s}\n", name, value, name, name);
    else
        fprintf(stream, "  export %s=%s\n", name, value);
    return true;
}

/* Prints the shell commands that are equivalent to the verb. */
static void print_path(FILE *stream, const struct gl_found *found)
{
    const struct gl_mesa *mesa = found->mesas->used;
    const char *emulator = program_emulator(&found->kind);
    fprintf(stream, "\n'tessera gl' is equivalent to these shell commands:\n");
    if (!emulator)
        print_variable(stream, "LD_PRELOAD", found->shim, true);
    gl_mesa_environment(mesa, print_variable, stream);
    if (emulator)
        fprintf(stream, "  %s%s%s -E LD_PRELOAD=%s PROGRAM\n", emulator, *mesa->root ? " -L " : "",
                mesa->root, found->shim);
}

static void print_text(FILE *stream, const struct gl_found *found)
{
    const struct gl_mesas *mesas = found->mesas;
    fprintf(stream, "programs  %s\n", processor(found));
    fprintf(stream, "shim      %s\n", found->shim ? found->shim : "none");
    if (!mesas->count)
        fprintf(stream, "Mesa      none\n");
    for (size_t i = 0; i < mesas->count; i++) {
        const struct gl_mesa *mesa = &mesas->list[i];
        fprintf(stream, "Mesa      %-10s %s (%s): ", *mesa->version ? mesa->version : "-",
                *mesa->libraries ? mesa->libraries : mesa->path, mesa->origin);
        print_reason(stream, found, mesa);
    }
    if (!found->shim)
        fprintf(stream, "remedy    %s\n", gl_list_no_shim);
    if (!mesas->used)
        fprintf(stream, "remedy    %s\n", gl_list_no_mesa(found->mesas->gpu, &found->kind));
    if (!found->shim || !mesas->used)
        return;
    print_path(stream, found);
}

/* --- JSON --- */

static const char *remedy(const struct gl_found *found)
{
    if (!found->shim)
        return gl_list_no_shim;
    return found->mesas->used ? NULL : gl_list_no_mesa(found->mesas->gpu, &found->kind);
}

static void member(struct json *json, const char *key, const char *text)
{
    json_member_string(json, key, text && *text ? text : NULL);
}

static void print_mesa(struct json *json, const struct gl_found *found, const struct gl_mesa *mesa)
{
    json_begin_object(json);
    member(json, "version", mesa->version);
    member(json, "origin", mesa->origin);
    member(json, "path", mesa->path);
    member(json, "root", mesa->root);
    member(json, "libraries", mesa->libraries);
    json_member_bool(json, found->mesas->gpu->name, mesa->has_driver);
    json_member_bool(json, "used", is_used(found, mesa));
    member(json, "problem", mesa->problem);
    json_end_object(json);
}

static bool json_variable(void *context, const char *name, const char *value, bool in_front)
{
    (void)in_front;
    member(context, name, value);
    return true;
}

static void print_json(FILE *stream, const struct gl_found *found)
{
    const struct gl_mesas *mesas = found->mesas;
    struct json json = {.stream = stream, .flow = true};
    json_begin_object(&json);
    member(&json, "processor", program_processor(&found->kind));
    member(&json, "emulator", program_emulator(&found->kind));
    member(&json, "shim", found->shim);
    json_member_array(&json, "mesas");
    for (size_t i = 0; i < mesas->count; i++)
        print_mesa(&json, found, &mesas->list[i]);
    json_end_array(&json);
    member(&json, "remedy", remedy(found));
    json_member_object(&json, "environment");
    member(&json, "LD_PRELOAD", found->shim);
    if (mesas->used)
        gl_mesa_environment(mesas->used, json_variable, &json);
    json_end_object(&json);
    json_end_object(&json);
}

int gl_list_print(const char *title, const struct gl_found *found, bool json)
{
    struct output output;
    if (!output_open(&output, title, NULL))
        return CLI_USAGE;
    (json ? print_json : print_text)(output.stream, found);
    if (!output_close(&output))
        return CLI_USAGE;
    return found->shim && found->mesas->used ? CLI_DONE : CLI_USAGE;
}
