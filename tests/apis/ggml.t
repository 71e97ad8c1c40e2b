#!/bin/sh
# SPDX-License-Identifier: MIT
# Debian's ggml, which was built for HIP 6.4, multiplies matrices with the rocBLAS and the HIP of 7.2, over
# the drop-ins and the loopback.  The packages are large; `make check-siblings` fetches them.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=siblings.sh
. "$top/tests/apis/siblings.sh"

sibling_built "$build/dropin/siblings/libhipblas.so.2"
[ -e "$build/src/loopback/.libs/libhsa-runtime64.so.1" ] || skip_all "no loopback was built"
ggml="libggml0-0.27 libggml0-backend-hip-0.27 libgomp1-16.2"
math="libhipblas3-7.2 librocblas5-7.2"
# shellcheck disable=SC2086 # lists of words
lacking=$(sibling_missing 7.2 libggml-dev-0.27 $ggml $math)
[ -z "$lacking" ] || skip_all "$lacking"

# Those that programs for HIP 6 need, and no other ones.
mkdir "$scratch/dropin"
ln -s "$build/dropin/libamdhip64.so.6" "$build/dropin/siblings/libhipblas.so.2" \
    "$build/dropin/siblings/librocblas.so.4" "$scratch/dropin"
libraries=$(sibling_libraries libggml0-0.27)
ok "the program compiles" sibling_cc libggml-dev-0.27 "$top/tests/apis/ggml.c" "$libraries/libggml.so.0" \
    "$libraries/libggml-base.so.0" -lm -o "$scratch/program"
ok "a rocSOLVER is built, of which nothing is called" sibling_empty_rocsolver "$scratch" "$(sibling_libraries libhipblas3-7.2)/libhipblas.so.3"
# shellcheck disable=SC2086 # lists of words
got=$(ROCBLAS_LAYER=1 sibling_over 7.2 "$scratch/dropin:$build/src/loopback/.libs:$(sibling_libraries $ggml $math):$scratch" \
    "$scratch/program" "$(sibling_libraries libggml0-backend-hip-0.27)/ggml/backends0/libggml-hip.so" 2>&1)
has "floats are multiplied" "$got" "f32: status 0, 0 wrong"
has "halves are multiplied" "$got" "f16: status 0, 0 wrong"
has "rocBLAS multiplied the floats" "$got" "rocblas_sgemm,T,N,100,300,64,1,"
has "rocBLAS multiplied the halves, whose type had another number in 6.4" "$got" ",f16_r,64,0,"
finish
