# shader.gp - a vertex program of the Mali-400 family: rotates and moves positions, and passes the colours on.
.attribute position, 0
.attribute colour, 1, 3
.varying gl_Position, 0
.varying v_colour, 1, 3
.uniform turn, 2                        # two rows: the columns of the matrix
.uniform middle

main:
    # 0: x times the first column
    load.attr position; load.unif turn
    ; mul0.mul attr.x, unif.x; mul1.mul attr.x, unif.y

    # 1: y times the second column
    load.attr position; load.unif turn + 1
    ; mul0.mul attr.y, unif.x; mul1.mul attr.y, unif.y

    # 2: the sum of both products; z and w are copied
    load.attr position
    ; acc0.add mul0[-2], mul0[-1]; acc1.add mul1[-2], mul1[-1]
    ; mul0.mov attr.z; mul1.mov attr.w; store1.varying gl_Position, mul0, mul1

    # 3: add the middle
    load.unif middle
    ; acc0.add acc0[-1], unif.x; acc1.add acc1[-1], unif.y; store0.varying gl_Position, acc0, acc1

    load.attr colour                    # 4: the colour is copied
    ; acc0.mov attr.x; acc1.mov attr.y; mul0.mov attr.z
    ; store0.varying v_colour, acc0, acc1; store1.varying v_colour, mul0, _
