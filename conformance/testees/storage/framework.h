/*
 * A framework in C answers the storage profile of adjudge by these functions; main.c reads questions and
 * writes answers. docs/storage-profile.md says what each question means.
 */
#ifndef ADJUDGE_FRAMEWORK_H
#define ADJUDGE_FRAMEWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { KEPT_FLOAT32, KEPT_INT32, KEPT_SYM_INT32, KEPT_SYM, KEPT_ASYM, KEPT_BFP } kept_kind;

typedef struct {
    kept_kind kind;
    /* Bits of a code, for blocks of a mantissa; 32 where a type does not say. */
    int bits;
    int exponent_bits;
    /* Elements that share a grid; 0 where all do. */
    size_t group;
} kept_type;

/* A group's grid: codes stand for (code - zero) * scale. */
typedef struct {
    float scale;
    int32_t zero;
} kept_grid;

#define MOST_DIMENSIONS 16

typedef struct {
    kept_type type;
    size_t rank;
    size_t shape[MOST_DIMENSIONS];
    size_t count;
    /* The elements of float32. */
    float *floats;
    /* The codes of all other types. */
    int32_t *codes;
    size_t groups;
    kept_grid *grids;
} kept_tensor;

typedef struct {
    bool is_stochastic;
    uint32_t seed;
} kept_rounding;

typedef enum { ACCUMULATE_DYNAMIC, ACCUMULATE_FIXED, ACCUMULATE_FLOAT } accumulation_mode;

typedef struct {
    bool has_momentum;
    float rate, decay, factor;
    kept_rounding rounding;
} step_rule;

typedef struct {
    float rate, decay, beta1, beta2, epsilon;
    /* The number of this step, from 1 on. */
    size_t count;
    kept_rounding rounding;
} adamw_rule;

/* Layers h = keep(relu(W h)); the weights are depth matrices of width * width, row by row. */
typedef struct {
    bool is_recomputed;
    kept_type wire;
    kept_rounding rounding;
    size_t depth, width;
    const float *input, *weights, *cotangent;
} layer_chain;

typedef struct {
    bool is_cross_entropy, is_mean;
    size_t samples, features;
} loss_kind;

/* NULL for an answer, else "refused ..." or "unsupported ...". */
typedef const char *outcome;

/* The name, the version and the kinds of types, for the answer to hello. */
extern const char *const introduction;

/* Returns a tensor of the type in another's shape, with room for codes and grids until the answer. */
kept_tensor tensor_like(kept_type type, const kept_tensor *shaped);
void *room_for(size_t count, size_t size);
bool has_grids(kept_type type);

outcome encode(const float *values, kept_rounding rounding, kept_tensor *kept);
outcome decode(const kept_tensor *kept, float *values);
/* `bytes` has room for the codes. */
outcome pack(const kept_tensor *kept, uint8_t *bytes, size_t *length);
outcome unpack(kept_type type, const uint8_t *bytes, size_t length, size_t count, int32_t *codes);
outcome convert(const kept_tensor *from, kept_rounding rounding, kept_tensor *kept);
/* Requantises the tensor itself. */
outcome requantise(kept_tensor *kept, kept_type type, kept_rounding rounding);
outcome zero_gradient(kept_tensor *kept);
/* `increments` has `times` times as many numbers as the tensor. */
outcome accumulate(kept_tensor *kept, accumulation_mode mode, kept_rounding rounding, const float *increments,
                   size_t times);
outcome integer_dot(const kept_tensor *left, const kept_tensor *right, int64_t *code, float *scale);
outcome float_dot(const float *left, const float *right, size_t count, float *sum);
/* `velocity` is NULL without momentum. */
outcome step(const step_rule *rule, kept_tensor *parameter, kept_tensor *gradient, kept_tensor *velocity);
/* The moments are kept, and then move the parameter. */
outcome adamw(const adamw_rule *rule, kept_tensor *parameter, kept_tensor *gradient, kept_tensor *first,
              kept_tensor *second);
/* Shrinks `count` tensors by their norm, all together. */
outcome clip(float most, kept_tensor *tensors, size_t count, float *norm);
outcome block_dot(const kept_tensor *left, const kept_tensor *right, float *sum);
/* `gradient` has room for as many numbers as there are weights. */
outcome chain_gradient(const layer_chain *chain, float *gradient);
outcome loss_gradient(const loss_kind *kind, const float *outputs, const float *targets, float *gradient);
outcome max_pool(kept_type type, size_t window, const float *values, size_t count, int32_t *winners);
/* `asked` is NULL for the default. */
outcome gradient_type(kept_type parameter, const kept_type *asked, kept_type *type);
outcome hand_back(kept_type producer, kept_type consumer, const kept_tensor *cotangent, kept_tensor *kept);

#endif
