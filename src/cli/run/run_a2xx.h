/* SPDX-License-Identifier: MIT */
/* run_a2xx.h - tessera run -m a2xx: runs A2xx programs over vertices or pixels, and draws
 * pictures. */
#ifndef CLI_RUN_RUN_A2XX_H
#define CLI_RUN_RUN_A2XX_H

#include <getopt.h>

#include "cli/run/shader_arguments.h"

/* Values of the long options for getopt_long(). */
enum {
    A2XX_PIXEL = 1024,
    A2XX_STAGE,
    A2XX_VARIANT,
    A2XX_TEXTURE,
    A2XX_BUFFER,
    A2XX_MEMORY,
    A2XX_BOOL,
    A2XX_LOOP,
    A2XX_PARAM_GEN,
    A2XX_FRONT,
    A2XX_QUADS,
    A2XX_TRACE_PIXEL,
};

/* Rows of a getopt_long() table: the options of this machine only. */
/* clang-format off */
#define A2XX_OPTIONS                                          \
    {"pixel",       required_argument, NULL, A2XX_PIXEL},       \
    {"fragment",    required_argument, NULL, A2XX_PIXEL},       \
    {"stage",       required_argument, NULL, A2XX_STAGE},       \
    {"variant",     required_argument, NULL, A2XX_VARIANT},     \
    {"texture",     required_argument, NULL, A2XX_TEXTURE},     \
    {"buffer",      required_argument, NULL, A2XX_BUFFER},      \
    {"memory",      required_argument, NULL, A2XX_MEMORY},      \
    {"bool",        required_argument, NULL, A2XX_BOOL},        \
    {"loop",        required_argument, NULL, A2XX_LOOP},        \
    {"constants",   required_argument, NULL, SHADER_UNIFORM_TABLE}, \
    {"param-gen",   required_argument, NULL, A2XX_PARAM_GEN},   \
    {"front",       required_argument, NULL, A2XX_FRONT},       \
    {"quads",       no_argument,       NULL, A2XX_QUADS},       \
    {"trace-pixel", required_argument, NULL, A2XX_TRACE_PIXEL}
/* clang-format on */

/* Lines of --help for A2XX_OPTIONS. */
#define A2XX_HELP_TEXT                                                                             \
    "      --pixel PROGRAM             draw with this pixel program; parameters are R0, R1...\n"   \
    "      --stage vertex|pixel        set the stage, if the exports do not determine it\n"        \
    "      --variant NAME              set the A2xx variant: adreno (default) or xenos\n"          \
    "      --texture NAME=FILE.png[+FILE.png...][,OPTION...]\n"                                    \
    "                                  set a texture, by the sampler's name or number\n"           \
    "      --buffer N=FILE             read the buffer of vertex constant N, 0 to 95, from FILE\n" \
    "      --memory ADDRESS=FILE,size=BYTES\n"                                                     \
    "                                  map memory that programs export to, and write it to FILE\n" \
    "                                  at the end\n"                                               \
    "      --bool N=0|1                set a boolean constant\n"                                   \
    "      --loop N=COUNT[,START[,STEP]]\n"                                                        \
    "                                  set a loop constant\n"                                      \
    "      --constants FILE.csv        same as --uniforms; also with names C0, pixel.C0...\n"      \
    "      --param-gen RN              set the register of position, face and point coordinates\n" \
    "      --front WINDING             set the winding of front faces: clockwise or\n"             \
    "                                  counter-clockwise (default)\n"                              \
    "      --quads                     treat each four rows of pixels as a quad\n"                 \
    "      --trace-pixel X,Y           trace the --pixel program for this pixel\n"

int run_a2xx(int argc, char **argv);

#endif
