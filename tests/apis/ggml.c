/* SPDX-License-Identifier: MIT */
/* Multiplies matrices by a backend of ggml, whose file is the argument, and checks each number. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <ggml-backend.h>
#include <ggml.h>

enum { DEPTH = 64, ROWS = 100, COLUMNS = 300 };

static float left[ROWS * DEPTH], right[COLUMNS * DEPTH], product[COLUMNS * ROWS];
static ggml_fp16_t half[ROWS * DEPTH];

static int wrong_numbers(void)
{
    int wrong = 0;
    for (int column = 0; column < COLUMNS; column++) {
        for (int row = 0; row < ROWS; row++) {
            float sum = 0;
            for (int k = 0; k < DEPTH; k++) {
                sum += left[row * DEPTH + k] * right[column * DEPTH + k];
            }
            wrong += !(fabsf(sum - product[column * ROWS + row]) < 0.01F);
        }
    }
    return wrong;
}

static void multiply(ggml_backend_t backend, enum ggml_type type)
{
    struct ggml_init_params params = {ggml_tensor_overhead() * 8 + ggml_graph_overhead(), NULL,
                                      true};
    struct ggml_context *context = ggml_init(params);
    struct ggml_tensor *a = ggml_new_tensor_2d(context, type, DEPTH, ROWS);
    struct ggml_tensor *b = ggml_new_tensor_2d(context, GGML_TYPE_F32, DEPTH, COLUMNS);
    struct ggml_tensor *c = ggml_mul_mat(context, a, b);
    struct ggml_cgraph *graph = ggml_new_graph(context);

    ggml_build_forward_expand(graph, c);
    if (!ggml_backend_alloc_ctx_tensors(context, backend)) {
        exit(EXIT_FAILURE);
    }
    const void *data = type == GGML_TYPE_F16 ? (const void *)half : left;
    ggml_backend_tensor_set(a, data, 0, ggml_nbytes(a));
    ggml_backend_tensor_set(b, right, 0, ggml_nbytes(b));
    int status = ggml_backend_graph_compute(backend, graph);
    ggml_backend_tensor_get(c, product, 0, ggml_nbytes(c));
    printf("%s: status %d, %d wrong\n", ggml_type_name(type), status, wrong_numbers());
    ggml_free(context);
}

int main(int argc, char **argv)
{
    ggml_backend_reg_t library = argc == 2 ? ggml_backend_load(argv[1]) : NULL;
    if (!library || ggml_backend_reg_dev_count(library) == 0) {
        printf("%s\n", library ? "no device" : "no backend");
        return EXIT_FAILURE;
    }
    ggml_backend_t backend = ggml_backend_dev_init(ggml_backend_reg_dev_get(library, 0), NULL);
    for (int i = 0; i < ROWS * DEPTH; i++) {
        left[i] = (float)(i * 7 % 13 - 6);
        half[i] = ggml_fp32_to_fp16(left[i]);
    }
    for (int i = 0; i < COLUMNS * DEPTH; i++) {
        right[i] = (float)(i * 5 % 11 - 5);
    }
    multiply(backend, GGML_TYPE_F32);
    multiply(backend, GGML_TYPE_F16);
    ggml_backend_free(backend);
    return EXIT_SUCCESS;
}
