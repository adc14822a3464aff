# SPDX-License-Identifier: MIT
# The four functions of the complex unit.
#
#     attribute float x;
#     varying vec4 v_results;
#     void main() { v_results = vec4(exp2(x), log2(x), 1.0 / x, inversesqrt(x)); }
#
# A function takes two instructions of both multipliers, and its result can be read in one instruction only:
#
#     n        complex.rcp x; mul0.complex2 x, x
#     n + 1    mul0.complex1 complex[-1], mul0[-1], complex[-1], x
#     n + 3    mul0[-2] is 1/x
#
# exp2 reads its argument from pass.preexp2. The result of log2 goes to pass.postlog2 at once, as it is not a float before.
#
# 10 instructions, the minimum: four functions occupy the multipliers for eight, and the last result is ready two later.

.attribute x, 0, 1
.varying v_results, 0

main:
    load.attr x
    ; complex.rcp attr.x; mul0.complex2 attr.x, attr.x
    ; pass.preexp2 attr.x
    # The third x of complex1: load unit 0's value in the previous instruction.
    mul0.complex1 complex[-1], mul0[-1], complex[-1], attr[-1].x

    # 2: exp2. Its x is the result of preexp2, which the pass unit moves once more.
    complex.exp2 pass[-2]; mul0.complex2 pass[-2], pass[-2]
    ; pass.mov pass[-2]
    # 3: 1/x is ready.
    mul0.complex1 complex[-1], mul0[-1], complex[-1], pass[-1]
    ; acc0.mov mul0[-2]; store1.varying v_results, acc0, _

    load.attr x
    ; complex.log2 attr.x; mul0.complex2 attr.x, attr.x
    # 5: exp2 is ready.
    mul0.complex1 complex[-1], mul0[-1], complex[-1], attr[-1].x
    ; acc0.mov mul0[-2]; store0.varying v_results, acc0, _

    load.attr x
    ; complex.rsqrt attr.x; mul0.complex2 attr.x, attr.x
    # 7: log2 is ready.
    mul0.complex1 complex[-1], mul0[-1], complex[-1], attr[-1].x
    ; pass.postlog2 mul0[-2]; store0.varying v_results, _, pass

    nop
    # 9: 1/sqrt(x) is ready.
    acc0.mov mul0[-2]; store1.varying v_results, _, acc0
