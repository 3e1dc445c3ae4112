"""Operations that Numba lacks, as LLVM code: half precision, floats of bits, products of bytes."""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils as untyped
from numba.extending import intrinsic

LANES: Final = 16  # numbers that one instruction multiplies
ROWS: Final = 4  # rows that are multiplied together
cgutils: Any = untyped
UniTuple: Any = types.UniTuple
_INT16, _INT32 = ir.IntType(16), ir.IntType(32)


def _widening(context: Any, number: Any) -> Any:  # noqa: ARG001
    """A number in single precision, half precision as bits, or eight bits, as float32."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:  # noqa: ARG001
        if number == types.float32:
            return given[0]
        if number == types.int8:
            return builder.sitofp(given[0], ir.FloatType())
        return builder.fpext(builder.bitcast(given[0], ir.HalfType()), ir.FloatType())

    return types.float32(number), generate


def _reading(context: Any, bits: Any) -> Any:  # noqa: ARG001
    """The float32 that has these bits."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:  # noqa: ARG001
        return builder.bitcast(given[0], ir.FloatType())

    return types.float32(types.int32), generate


def _asking(context: Any, matrix: Any) -> Any:  # noqa: ARG001
    """Whether a matrix is in eight bits: a constant, so that the other branch is not compiled."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:  # noqa: ARG001
        return ir.Constant(ir.IntType(1), int(matrix.dtype == types.int8))

    return types.boolean(matrix), generate


def _multiplying(context: Any, matrix: Any, vector: Any, row: Any) -> Any:  # noqa: ARG001
    """The products of four rows of int8 and a vector of int16, whose length is a multiple of 16.

    An instruction of AVX2 multiplies 16 pairs and adds neighbours. LLVM does not find it by itself.
    """
    assert matrix.layout == vector.layout == "C", "rows are contiguous"
    signature = UniTuple(types.int32, ROWS)(matrix, vector, row)

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        if matrix.dtype != types.int8:
            nothing = [ir.Constant(_INT32, 0)] * ROWS
            return context.make_tuple(builder, signature.return_type, nothing)
        weights, numbers = (
            context.make_array(type_)(context, builder, value)
            for type_, value in zip(signature.args[:2], given[:2], strict=True)
        )
        columns = builder.extract_value(weights.shape, 1)
        index = columns.type
        bytes_, words = (ir.VectorType(of, LANES) for of in (ir.IntType(8), _INT16))
        sums = ir.VectorType(_INT32, LANES // 2)
        zero = ir.Constant(sums, None)
        totals = [cgutils.alloca_once(builder, sums) for _ in range(ROWS)]
        starts = []
        for number, total in enumerate(totals):
            builder.store(zero, total)
            first = builder.mul(builder.add(given[2], ir.Constant(index, number)), columns)
            starts.append(builder.gep(weights.data, [first]))
        multiply = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(sums, [words, words]), "llvm.x86.avx2.pmadd.wd"
        )
        with cgutils.for_range(builder, builder.udiv(columns, ir.Constant(index, LANES))) as loop:
            offset = builder.mul(loop.index, ir.Constant(index, LANES))
            pointer = builder.gep(numbers.data, [offset])
            some = builder.load(builder.bitcast(pointer, words.as_pointer()), align=2)
            for start, total in zip(starts, totals, strict=True):
                pointer = builder.bitcast(builder.gep(start, [offset]), bytes_.as_pointer())
                wide = builder.sext(builder.load(pointer, align=1), words)
                added = builder.add(builder.load(total), builder.call(multiply, [wide, some]))
                builder.store(added, total)
        add_up = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_INT32, [sums]), "llvm.vector.reduce.add.v8i32"
        )
        found = [builder.call(add_up, [builder.load(total)]) for total in totals]
        return context.make_tuple(builder, signature.return_type, found)

    return signature, generate


widen: Any = intrinsic(_widening)
from_bits: Any = intrinsic(_reading)
is_eight_bit: Any = intrinsic(_asking)
four_products: Any = intrinsic(_multiplying)
