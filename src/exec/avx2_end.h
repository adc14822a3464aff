/* SPDX-License-Identifier: MIT */
/* avx2_end.h - ends the part of a source file that avx2_begin.h begins. */
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
