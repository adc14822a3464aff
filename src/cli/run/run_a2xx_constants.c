/* SPDX-License-Identifier: MIT */
/* run_a2xx_constants.c - see run_a2xx_constants.h. */
#include "cli/run/run_a2xx_constants.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* --- uniforms --- */

/* Copies the values of the constants that the program's source defines. */
static void take_values(struct a2xx_constants *constants, const struct tess_a2xx_program *program,
                        uint32_t first)
{
    const struct tess_a2xx_symbol *symbol;
    for (size_t i = 0; (symbol = tess_a2xx_program_symbol(program, i)) != NULL; i++)
        if (symbol->kind == TESS_A2XX_CONST)
            memcpy(constants->rows[first + symbol->number], symbol->values, sizeof symbol->values);
}

/* Copies each uniform that both programs name from the vertex program's constants to the pixel
 * program's constants. A component that the command line also sets for the pixel program keeps the
 * pixel program's value. given: per constant, a mask of the components that are set. */
static void share(struct a2xx_constants *constants, uint8_t *given)
{
    const struct tess_a2xx_symbol *symbol, *other;
    for (size_t i = 0; (symbol = tess_a2xx_program_symbol(constants->pixel, i)) != NULL; i++) {
        other = symbol->kind == TESS_A2XX_UNIFORM
                    ? tess_a2xx_program_find(constants->vertex, TESS_A2XX_UNIFORM, symbol->name)
                    : NULL;
        for (uint32_t k = 0; other && k < symbol->count && k < other->count; k++) {
            uint32_t from = other->number + k, to = A2XX_STAGE_CONSTANTS + symbol->number + k;
            for (unsigned c = 0; c < SHADER_COMPONENTS; c++)
                if (given[from] >> c & 1 && !(given[to] >> c & 1))
                    constants->rows[to][c] = constants->rows[from][c];
            given[to] |= given[from];
        }
    }
}

static void check(struct shader_uniforms *uniforms, const struct tess_a2xx_program *program,
                  uint32_t first, const char *file)
{
    const struct tess_a2xx_symbol *symbol;
    for (size_t i = 0; (symbol = tess_a2xx_program_symbol(program, i)) != NULL; i++) {
        const struct shader_name name = {symbol->name, first + symbol->number, symbol->count, 0};
        if (symbol->kind == TESS_A2XX_UNIFORM)
            shader_uniforms_check(uniforms, &name, file);
    }
}

static enum tess_status set_given(const struct a2xx_constants *constants, const uint8_t *given)
{
    enum tess_status status = TESS_OK;
    for (uint32_t i = 0; i < TESS_A2XX_CONSTANTS && status == TESS_OK; i++) {
        bool pixel = i >= A2XX_STAGE_CONSTANTS;
        if (given[i])
            status = tess_a2xx_set_constants(constants->a2xx,
                                             pixel ? TESS_A2XX_PIXEL : TESS_A2XX_VERTEX,
                                             i % A2XX_STAGE_CONSTANTS, constants->rows[i], 1);
    }
    return status;
}

enum tess_status a2xx_constants_set(struct a2xx_constants *constants)
{
    uint8_t given[TESS_A2XX_CONSTANTS] = {0};
    struct shader_uniforms uniforms = {.title = constants->run->arguments->title,
                                       .sink = shader_run_sink(constants->run),
                                       .names = *constants->names,
                                       .missing = &constants->run->missing,
                                       .rows = constants->rows,
                                       .given = given};
    memset(constants->rows, 0, sizeof constants->rows);
    take_values(constants, constants->vertex, 0);
    take_values(constants, constants->pixel, A2XX_STAGE_CONSTANTS);
    if (!shader_run_take_uniforms(constants->run, &uniforms))
        return TESS_BAD_INPUT;
    share(constants, given);
    check(&uniforms, constants->vertex, 0, constants->files[0]);
    check(&uniforms, constants->pixel, A2XX_STAGE_CONSTANTS, constants->files[1]);
    return set_given(constants, given);
}

/* --- booleans and loops --- */

/* Parses NUMBER=N[,N[,N]]. Returns the number of values after the equals sign, or 0 if the text is
 * invalid. */
static unsigned parse(const char *text, unsigned long limit, unsigned long *number, long values[3])
{
    char *end;
    unsigned count = 0;
    *number = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '=' || *number >= limit)
        return 0;
    do {
        const char *at = end + 1;
        values[count++] = strtol(at, &end, 10);
        if (end == at || (*end && *end != ','))
            return 0;
    } while (*end && count < 3);
    return *end ? 0 : count;
}

bool a2xx_constants_bools(struct tess_a2xx *a2xx, const char *title,
                          const struct option_list *arguments)
{
    for (size_t i = 0; i < arguments->count; i++) {
        unsigned long number;
        long values[3] = {0};
        unsigned count = parse(arguments->items[i], TESS_A2XX_BOOLS, &number, values);
        if (count == 1 && values[0] >= 0 && values[0] <= 1 &&
            tess_a2xx_set_bool(a2xx, (uint32_t)number, values[0] != 0) == TESS_OK)
            continue;
        return cli_refuse(
            title, "invalid boolean '%s': expected NUMBER=0 or NUMBER=1, NUMBER from 0 to %d",
            arguments->items[i], TESS_A2XX_BOOLS - 1);
    }
    return true;
}

bool a2xx_constants_loops(struct tess_a2xx *a2xx, const char *title,
                          const struct option_list *arguments)
{
    for (size_t i = 0; i < arguments->count; i++) {
        unsigned long number;
        long values[3] = {0, 0, 1};
        unsigned count = parse(arguments->items[i], TESS_A2XX_LOOPS, &number, values);
        bool good = count && values[0] >= 0 && values[0] <= 255 && values[1] >= 0 &&
                    values[1] <= 255 && values[2] >= -128 && values[2] <= 127;
        if (good && tess_a2xx_set_loop(a2xx, (uint32_t)number, (uint32_t)values[0],
                                       (uint32_t)values[1], (int32_t)values[2]) == TESS_OK)
            continue;
        return cli_refuse(
            title,
            "invalid loop '%s': expected NUMBER=COUNT,START,STEP, NUMBER from 0 to %d, COUNT and "
            "START from 0 to 255, STEP from -128 to 127",
            arguments->items[i], TESS_A2XX_LOOPS - 1);
    }
    return true;
}
