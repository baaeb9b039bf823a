/*
 * es-ude/OnDeviceTraining (MIT), snapshot 55d204a, behind framework.h; it is compiled with the sources of a
 * checkout. Nothing is mended. Two things are translated: a zero point there is added to a code, so it is
 * negated; and sym_int32 has no width there, so the one asked for is repeated.
 */
#include "../framework.h"

#include "Add.h"
#include "LossFunction.h"
#include "Matmul.h"
#include "Sgd.h"
#include "Tensor.h"
#include "TensorConversion.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const introduction = "OnDeviceTraining 55d204a float32 int32 sym_int32 asym";

/* The framework prints complaints to standard output, where answers go. */
static int answers_at = -1;

static void mute(void) {
    fflush(stdout);
    answers_at = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

static void speak(void) {
    fflush(stdout);
    dup2(answers_at, STDOUT_FILENO);
    close(answers_at);
}

/* A tensor of the framework's with all that belongs to it. */
typedef struct {
    tensor_t tensor;
    shape_t shape;
    size_t dimensions[MOST_DIMENSIONS], order[MOST_DIMENSIONS];
    quantization_t quantization;
    symInt32QConfig_t symmetric;
    asymQConfig_t asymmetric;
    size_t count;
} theirs;

static const char *unfit(kept_type type) {
    if (type.kind == KEPT_SYM || type.kind == KEPT_BFP) return "unsupported there is no conversion to or from it";
    if (type.group != 0) return "unsupported a tensor has one grid";
    return NULL;
}

static void set_shape(theirs *own, const size_t *extents, size_t rank) {
    for (size_t i = 0; i < rank; i++) {
        own->dimensions[i] = extents[i];
        own->order[i] = i;
    }
    setShape(&own->shape, own->dimensions, rank, own->order);
}

/* Makes an empty tensor of the type: a vector, until a conversion copies the dimensions. */
static theirs *empty(kept_type type, size_t count, kept_rounding rounding) {
    theirs *own = room_for(1, sizeof *own);
    roundingMode_t mode = rounding.is_stochastic ? SRHTE : HTE;
    if (rounding.is_stochastic) srand(rounding.seed);
    own->count = count;
    set_shape(own, &count, 1);
    switch (type.kind) {
    case KEPT_FLOAT32: initFloat32Quantization(&own->quantization); break;
    case KEPT_INT32: initInt32Quantization(&own->quantization); break;
    case KEPT_SYM_INT32:
        initSymInt32QConfig(mode, &own->symmetric);
        initSymInt32Quantization(&own->symmetric, &own->quantization);
        break;
    default:
        initAsymQConfig((uint8_t)type.bits, mode, &own->asymmetric);
        initAsymQuantization(&own->asymmetric, &own->quantization);
    }
    /* The extra element is room for loops that write whole elements beyond the codes. */
    setTensorValues(&own->tensor, room_for(4 * count + 8, 1), &own->shape, &own->quantization, NULL);
    return own;
}

static theirs *from_kept(const kept_tensor *kept, kept_rounding rounding) {
    theirs *own = empty(kept->type, kept->count, rounding);
    set_shape(own, kept->shape, kept->rank);
    uint8_t *data = own->tensor.data;
    if (kept->type.kind == KEPT_FLOAT32) memcpy(data, kept->floats, kept->count * sizeof *kept->floats);
    else if (kept->type.kind != KEPT_ASYM) memcpy(data, kept->codes, kept->count * sizeof *kept->codes);
    else
        for (size_t i = 0; i < kept->count; i++)
            for (int bit = 0; bit < kept->type.bits; bit++) {
                size_t to = i * (size_t)kept->type.bits + (size_t)bit;
                if (((uint32_t)kept->codes[i] >> bit & 1) != 0) data[to / 8] |= (uint8_t)(1 << to % 8);
            }
    if (kept->type.kind == KEPT_SYM_INT32) own->symmetric.scale = kept->grids[0].scale;
    if (kept->type.kind == KEPT_ASYM) {
        own->asymmetric.scale = kept->grids[0].scale;
        own->asymmetric.zeroPoint = (int16_t)-kept->grids[0].zero;
    }
    return own;
}

static void to_kept(const theirs *own, kept_tensor *kept) {
    const uint8_t *data = own->tensor.data;
    const shape_t *shape = own->tensor.shape;
    kept->rank = shape->numberOfDimensions;
    memcpy(kept->shape, shape->dimensions, kept->rank * sizeof *kept->shape);
    if (kept->type.kind == KEPT_FLOAT32) memcpy(kept->floats, data, kept->count * sizeof *kept->floats);
    else if (kept->type.kind != KEPT_ASYM) memcpy(kept->codes, data, kept->count * sizeof *kept->codes);
    else
        for (size_t i = 0; i < kept->count; i++) {
            kept->codes[i] = 0;
            for (int bit = 0; bit < kept->type.bits; bit++) {
                size_t from = i * (size_t)kept->type.bits + (size_t)bit;
                kept->codes[i] |= (data[from / 8] >> from % 8 & 1) << bit;
            }
        }
    if (kept->type.kind == KEPT_SYM_INT32) kept->grids[0] = (kept_grid){own->symmetric.scale, 0};
    if (kept->type.kind == KEPT_ASYM)
        kept->grids[0] = (kept_grid){own->asymmetric.scale, -(int32_t)own->asymmetric.zeroPoint};
}

static theirs *from_floats(const float *values, const kept_tensor *shaped) {
    kept_tensor numbers = *shaped;
    numbers.type = (kept_type){KEPT_FLOAT32, 32, 0, 0};
    numbers.floats = (float *)values;
    return from_kept(&numbers, (kept_rounding){false, 0});
}

static void converted(theirs *from, theirs *to) {
    mute();
    convertTensor(&from->tensor, &to->tensor);
    speak();
}

outcome encode(const float *values, kept_rounding rounding, kept_tensor *kept) {
    if (unfit(kept->type) != NULL) return unfit(kept->type);
    theirs *to = empty(kept->type, kept->count, rounding);
    converted(from_floats(values, kept), to);
    to_kept(to, kept);
    return NULL;
}

outcome decode(const kept_tensor *kept, float *values) {
    if (unfit(kept->type) != NULL) return unfit(kept->type);
    theirs *to = empty((kept_type){KEPT_FLOAT32, 32, 0, 0}, kept->count, (kept_rounding){false, 0});
    converted(from_kept(kept, (kept_rounding){false, 0}), to);
    memcpy(values, to->tensor.data, kept->count * sizeof *values);
    return NULL;
}

outcome pack(const kept_tensor *kept, uint8_t *bytes, size_t *length) {
    if (unfit(kept->type) != NULL) return unfit(kept->type);
    size_t bits = (size_t)kept->type.bits;
    *length = (kept->count * bits + 7) / 8;
    byteConversion((uint8_t *)kept->codes, 32, bytes, bits, kept->count);
    return NULL;
}

outcome unpack(kept_type type, const uint8_t *bytes, size_t length, size_t count, int32_t *codes) {
    if (unfit(type) != NULL) return unfit(type);
    uint8_t *data = room_for(length + 8, 1);
    memcpy(data, bytes, length);
    byteConversion(data, (size_t)type.bits, (uint8_t *)codes, 32, count);
    return NULL;
}

outcome convert(const kept_tensor *from, kept_rounding rounding, kept_tensor *kept) {
    if (unfit(from->type) != NULL) return unfit(from->type);
    if (unfit(kept->type) != NULL) return unfit(kept->type);
    theirs *to = empty(kept->type, kept->count, rounding);
    converted(from_kept(from, rounding), to);
    if (kept->type.kind == KEPT_SYM_INT32 && from->type.kind == KEPT_ASYM) kept->type.bits = from->type.bits + 1;
    to_kept(to, kept);
    return NULL;
}

outcome requantise(kept_tensor *kept, kept_type type, kept_rounding rounding) {
    if (unfit(kept->type) != NULL) return unfit(kept->type);
    theirs *own = from_kept(kept, rounding), *to = empty(type, kept->count, rounding);
    set_shape(to, kept->shape, kept->rank);
    to->tensor.data = own->tensor.data;
    if (kept->type.kind == KEPT_SYM_INT32) to->symmetric.scale = own->symmetric.scale;
    if (kept->type.kind == KEPT_ASYM) to->asymmetric = own->asymmetric, to->asymmetric.qBits = (uint8_t)type.bits;
    converted(own, to);
    *kept = tensor_like(type, kept);
    to_kept(to, kept);
    return NULL;
}

/* The optimiser of one parameter. */
typedef struct {
    optimizer_t optimizer;
    optimImpl_t impl;
    sgd_t sgd;
    parameter_t parameter, *parameters[1];
    states_t states, *all_states[1];
    tensor_t *buffers[1];
} one_parameter;

static one_parameter *optimise(theirs *parameter, theirs *gradient, theirs *velocity, const step_rule *rule) {
    one_parameter *one = room_for(1, sizeof *one);
    sgdInit(&one->sgd, rule->rate, rule->factor, rule->decay);
    one->impl.sgd = &one->sgd;
    setParameterValues(&one->parameter, &parameter->tensor, &gradient->tensor);
    one->parameters[0] = &one->parameter;
    if (velocity != NULL) one->buffers[0] = &velocity->tensor;
    one->states = (states_t){one->buffers, 1};
    one->all_states[0] = &one->states;
    /* sgdStepM reads by type, sgdStep the numbers themselves. */
    optimImpl_t *impl = velocity == NULL ? (optimImpl_t *)&one->sgd : &one->impl;
    one->optimizer = (optimizer_t){velocity == NULL ? SGD : SGD_M, parameter->quantization.type, impl, one->parameters,
                                   one->all_states, 1};
    return one;
}

outcome zero_gradient(kept_tensor *kept) {
    if (unfit(kept->type) != NULL) return unfit(kept->type);
    theirs *own = from_kept(kept, (kept_rounding){false, 0});
    step_rule rule = {0};
    sgdZeroGrad(&optimise(own, own, NULL, &rule)->optimizer);
    to_kept(own, kept);
    return NULL;
}

outcome accumulate(kept_tensor *kept, accumulation_mode mode, kept_rounding rounding, const float *increments,
                   size_t times) {
    if (kept->type.kind != KEPT_SYM_INT32 || mode != ACCUMULATE_DYNAMIC)
        return "unsupported sums are of sym_int32, on fresh grids";
    theirs *sum = from_kept(kept, rounding);
    for (size_t n = 0; n < times; n++) {
        theirs *increment = empty(kept->type, kept->count, rounding);
        converted(from_floats(increments + n * kept->count, kept), increment);
        mute();
        addSymInt32TensorsInplace(&sum->tensor, &increment->tensor);
        speak();
    }
    to_kept(sum, kept);
    return NULL;
}

outcome integer_dot(const kept_tensor *left, const kept_tensor *right, int64_t *code, float *scale) {
    theirs *row = from_kept(left, (kept_rounding){false, 0}), *column = from_kept(right, (kept_rounding){false, 0});
    theirs *sum = empty(left->type, 1, (kept_rounding){false, 0});
    set_shape(row, (size_t[]){1, left->count}, 2);
    set_shape(column, (size_t[]){right->count, 1}, 2);
    mute();
    matmulSymInt32Tensors(&row->tensor, &column->tensor, &sum->tensor);
    speak();
    *code = *(int32_t *)sum->tensor.data;
    *scale = sum->symmetric.scale;
    return NULL;
}

outcome float_dot(const float *left, const float *right, size_t count, float *sum) {
    kept_tensor row = {.rank = 2, .shape = {1, count}, .count = count};
    kept_tensor column = {.rank = 2, .shape = {count, 1}, .count = count};
    theirs *one = empty((kept_type){KEPT_FLOAT32, 32, 0, 0}, 1, (kept_rounding){false, 0});
    mute();
    matmulFloat32Tensors(&from_floats(left, &row)->tensor, &from_floats(right, &column)->tensor, &one->tensor);
    speak();
    memcpy(sum, one->tensor.data, sizeof *sum);
    return NULL;
}

outcome step(const step_rule *rule, kept_tensor *parameter, kept_tensor *gradient, kept_tensor *velocity) {
    if (unfit(gradient->type) != NULL) return unfit(gradient->type);
    if (parameter->type.kind != KEPT_FLOAT32 && parameter->type.kind != KEPT_SYM_INT32)
        return "unsupported steps are of float32 and sym_int32";
    theirs *p = from_kept(parameter, rule->rounding), *g = from_kept(gradient, rule->rounding), *v = NULL;
    if (velocity != NULL) v = from_kept(velocity, rule->rounding);
    optimizer_t *optimizer = &optimise(p, g, v, rule)->optimizer;
    mute();
    optimizerFunctions[optimizer->type].step(optimizer);
    speak();
    to_kept(p, parameter);
    to_kept(g, gradient);
    if (velocity != NULL) to_kept(v, velocity);
    return NULL;
}

outcome loss_gradient(const loss_kind *kind, const float *outputs, const float *targets, float *gradient) {
    if (kind->is_mean) return "unsupported the divisor has no step of its own";
    kept_tensor shaped = {.rank = 2, .shape = {kind->samples, kind->features}, .count = kind->samples * kind->features};
    theirs *result = from_floats(gradient, &shaped);
    lossBwdFn_t backward = lossFunctions[kind->is_cross_entropy ? CROSS_ENTROPY : MSE].backward;
    backward(&from_floats(outputs, &shaped)->tensor, &from_floats(targets, &shaped)->tensor, &result->tensor);
    memcpy(gradient, result->tensor.data, shaped.count * sizeof *gradient);
    return NULL;
}

outcome max_pool(kept_type type, size_t window, const float *values, size_t count, int32_t *winners) {
    return "unsupported there is no pool";
}

outcome gradient_type(kept_type parameter, const kept_type *asked, kept_type *type) {
    return "unsupported whoever makes a parameter makes its gradient";
}

outcome hand_back(kept_type producer, kept_type consumer, const kept_tensor *cotangent, kept_tensor *kept) {
    return "unsupported not asked through layers";
}

outcome adamw(const adamw_rule *rule, kept_tensor *parameter, kept_tensor *gradient, kept_tensor *first,
              kept_tensor *second) {
    (void)rule, (void)parameter, (void)gradient, (void)first, (void)second;
    return "unsupported there is no AdamW";
}

outcome clip(float most, kept_tensor *tensors, size_t count, float *norm) {
    (void)most, (void)tensors, (void)count, (void)norm;
    return "unsupported gradients are not clipped";
}

outcome block_dot(const kept_tensor *left, const kept_tensor *right, float *sum) {
    (void)left, (void)right, (void)sum;
    return "unsupported there are no blocks";
}

outcome chain_gradient(const layer_chain *chain, float *gradient) {
    (void)chain, (void)gradient;
    return "unsupported nothing is computed again";
}
