/* SPDX-License-Identifier: MIT */
/* write_c.c - writes an assembled program as a C file and its headers.
 *
 * The header for a C file defines the values of the global symbols. The header for an object file
 * declares them, and the linker provides the values.
 *
 * Source:  the layouts are those of vc4asm's options -c, -h and -H (its reference outputs in test/,
 *          src/WriteC.cpp), so that a build can use either tool.
 * Differs: floats in the -H layout, for which vc4asm's output is not valid C. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "asm/write_private.h"
#include "base/ascii.h"

struct c_writer {
    const struct asm_image *image;
    const struct asm_output *output;
    struct buffer *out;
    char *symbol; /* name of the array */
    struct asm_export *exports;
    size_t export_count;
};

/* Number of 32-bit words in the array. */
static size_t word_count(const struct asm_image *image)
{
    return (image->size + 3) / 4;
}

static void open_linkage(struct buffer *out)
{
    buffer_printf(out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
}

static void close_linkage(struct buffer *out)
{
    buffer_printf(out, "#ifdef __cplusplus\n}\n#endif\n");
}

static void open_header(const struct c_writer *w)
{
    buffer_printf(w->out, "#ifndef %s_H\n#define %s_H\n\n#include <inttypes.h>\n\n", w->symbol,
                  w->symbol);
}

/* Writes a name with '_' for characters that C does not allow. */
static void write_name(struct buffer *out, const char *name)
{
    for (; *name; name++)
        buffer_byte(out, ascii_in_name(*name) && *name != '.' ? (uint8_t)*name : '_');
}

/* --- the C file --- */

static void write_include(const struct c_writer *w)
{
    if (w->output->header) {
        buffer_printf(w->out, "#include \"%s\"\n\n", asm_base_name(w->output->header));
        return;
    }
    const char *name = asm_base_name(w->output->name), *ending = strrchr(name, '.');
    int length = (int)(ending ? (size_t)(ending - name) : strlen(name));
    buffer_printf(w->out, "#include \"%.*s.h\"\n\n", length, name);
}

static bool write_file(const struct c_writer *w, const struct asm_program *program)
{
    uint32_t alignment = asm_alignment(program);
    write_include(w);
    open_linkage(w->out);
    buffer_printf(w->out,
                  "#ifdef _MSC_VER\n__declspec(align(%u))\n#elif defined(__GNUC__)\n"
                  "__attribute__((aligned(%u)))\n#endif\nuint32_t %s[%zu] = {\n",
                  alignment, alignment, w->symbol, word_count(w->image));
    bool good = asm_write_hex(program, w->image, w->output->comments, w->out);
    buffer_printf(w->out, "};\n#ifdef __HIGHC__\n#pragma Align_to(%u, %s)\n", alignment, w->symbol);
    close_linkage(w->out);
    buffer_printf(w->out, "#endif\n");
    return good;
}

/* --- header with values (C file) --- */

static void write_definition(const struct c_writer *w, const struct asm_export *export)
{
    int64_t number = export->value->integer;
    buffer_printf(w->out, "#define ");
    write_name(w->out, export->name);
    if (export->label)
        buffer_printf(w->out, " (%s + %" PRId64 ")", w->symbol,
                      (number - (int64_t)w->image->start) / 4);
    else if (export->value->kind == ASM_FLOAT)
        buffer_printf(w->out, " %.16e", export->value->real);
    else
        buffer_printf(w->out, " %" PRId64 "%s", number,
                      number < INT32_MIN || number > UINT32_MAX ? "LL" : "");
    buffer_byte(w->out, '\n');
}

static void write_header(const struct c_writer *w)
{
    open_header(w);
    open_linkage(w->out);
    buffer_printf(w->out, "extern uint32_t %s[%zu];\n\n", w->symbol, word_count(w->image));
    for (size_t i = 0; i < w->export_count; i++)
        write_definition(w, &w->exports[i]);
    buffer_byte(w->out, '\n');
    close_linkage(w->out);
    buffer_printf(w->out, "#endif\n");
}

/* --- header with declarations (object file) --- */

static void write_import(struct buffer *out, const struct asm_export *export)
{
    buffer_printf(out, export->label ? "extern uint64_t " : "extern struct unspecified__ ");
    write_name(out, export->name);
    buffer_printf(out, export->label ? "[];\n" : ";\n");
}

/* Writes a variable or function that has the value of a symbol. In C, the value of an absolute
 * symbol is the symbol's address. */
static void write_proxy(struct buffer *out, const struct asm_export *export)
{
    struct buffer name = {0};
    write_name(&name, export->name);
    buffer_byte(&name, '\0');
    const char *text = name.failed ? "" : (const char *)name.data;
    if (export->value->kind == ASM_FLOAT)
        buffer_printf(out,
                      "static inline float %s__proxy__(void)\n{\n"
                      "\tunion { uint32_t bits; float value; } proxy = {(uint32_t)&%s};\n"
                      "\treturn proxy.value;\n}\n#define %s %s__proxy__()\n",
                      text, text, text, text);
    else
        buffer_printf(out,
                      "static const uint32_t %s__proxy__ = (uint32_t)&%s;\n"
                      "#define %s %s__proxy__\n",
                      text, text, text, text);
    out->failed = out->failed || name.failed;
    buffer_free(&name);
}

static void write_extern_header(const struct c_writer *w)
{
    open_header(w);
    buffer_printf(w->out, "struct unspecified__;\n\n");
    open_linkage(w->out);
    if (!w->output->no_symbols)
        buffer_printf(w->out, "extern uint64_t %s[];\n\n", w->symbol);
    for (size_t i = 0; i < w->export_count; i++)
        write_import(w->out, &w->exports[i]);
    buffer_byte(w->out, '\n');
    close_linkage(w->out);
    buffer_byte(w->out, '\n');
    for (size_t i = 0; i < w->export_count; i++)
        if (!w->exports[i].label)
            write_proxy(w->out, &w->exports[i]);
    buffer_printf(w->out, "\n#endif\n");
}

bool asm_write_c(const struct asm_program *program, const struct asm_image *image,
                 const struct asm_output *output, struct buffer *out)
{
    struct c_writer w = {image, output, out, asm_symbol_name(output->name), NULL, 0};
    w.exports = asm_exports(program, &w.export_count);
    bool good = w.symbol && w.exports;
    if (good) {
        switch (output->format) {
        case TESS_ASM_C_FILE: good = write_file(&w, program); break;
        case TESS_ASM_HEADER: write_header(&w); break;
        default: write_extern_header(&w); break;
        }
    }
    free(w.symbol);
    free(w.exports);
    return good;
}
