/*
 * Keeps tensors as codes by the definitions of docs/storage-profile.md, without looking at the reference.
 * -DFAULT=NAME builds it with one of the faults of faults.h.
 */
#include "faults.h"
#include "framework.h"

#include <math.h>
#include <string.h>

const char *const introduction = "adjudge-c 1.0 float32 int32 sym_int32 sym asym bfp";

/* A smaller scale is subnormal, and numbers that small are stored as zero. */
static const float least_scale = 0x1p-126f;

/* The state of xorshift32. */
static uint32_t draws;

static void begin_draws(kept_rounding rounding) {
    if (rounding.is_stochastic && !FAULTY(SEED_IGNORED)) draws = rounding.seed == 0 ? 1 : rounding.seed;
    if (draws == 0) draws = 1;
}

static float draw(void) {
    draws ^= draws << 13;
    draws ^= draws >> 17;
    draws ^= draws << 5;
    return (float)(draws >> 8) * 0x1p-24f;
}

static float rounded(float x, kept_rounding rounding) {
    if (!rounding.is_stochastic) return FAULTY(HALF_EVEN) ? rintf(x) : roundf(x);
    float u = draw();
    if (FAULTY(DRAWS_WIDE)) u = 4 * u - 1.5f;
    return roundf((x + u) - 0.5f);
}

static int64_t greatest_code(kept_type type) {
    return ((int64_t)1 << (type.kind == KEPT_ASYM ? type.bits : type.bits - 1)) - 1;
}

static int64_t least_code(kept_type type) {
    return type.kind == KEPT_ASYM ? 0 : -((int64_t)1 << (type.bits - 1));
}

static double clamped(double x, double least, double most) { return x < least ? least : x > most ? most : x; }

static size_t group_size(const kept_tensor *kept) {
    return kept->type.group == 0 ? (kept->count == 0 ? 1 : kept->count) : kept->type.group;
}

/* Returns the grid that numbers fill; its scale is 0 where all are zero. */
static kept_grid grid_of(kept_type type, const float *values, size_t count) {
    kept_grid grid = {0, 0};
    float least = FAULTY(ASYM_RANGE) && type.kind == KEPT_ASYM ? values[0] : 0, most = least;
    for (size_t i = 0; i < count; i++) {
        if (values[i] < least) least = values[i];
        if (values[i] > most) most = values[i];
    }
    float size = most > -least ? most : -least, greatest = (float)greatest_code(type);
    switch (type.kind) {
    case KEPT_SYM_INT32:
        grid.scale = FAULTY(SYM_INT32_UNIT) ? 1 : size / greatest;
        break;
    case KEPT_SYM:
        grid.scale = FAULTY(SYM_RANGE) ? (least - most) / (float)((int64_t)1 << type.bits) : size / greatest;
        break;
    case KEPT_ASYM:
        grid.scale = (most - least) / (FAULTY(ASYM_DENOMINATOR) ? greatest + 1 : greatest);
        if (FAULTY(ASYM_POINT) && least == most) {
            grid.scale = least;
            grid.zero = 1;
        } else if (grid.scale >= least_scale)
            grid.zero = FAULTY(ASYM_RANGE) ? (int16_t)(int32_t)roundf(-least / grid.scale)
                                           : (int32_t)clamped(roundf(-least / grid.scale), 0, greatest);
        break;
    case KEPT_BFP: {
        int bias = (1 << (type.exponent_bits - 1)) - 1;
        int highest = (1 << type.exponent_bits) - 1 - bias;
        if (highest > 127) highest = 127;
        int exponent = -bias;
        while (exponent < highest && (double)size > ldexp(greatest, exponent)) exponent++;
        if (FAULTY(BLOCK_EXPONENT) && exponent < highest) exponent++;
        if (size > 0) grid.scale = ldexpf(1, exponent);
        break;
    }
    default:
        break;
    }
    return grid;
}

static outcome encode_group(kept_tensor *kept, size_t group, const float *values, kept_rounding rounding) {
    kept_type type = kept->type;
    size_t first = group * group_size(kept), count = kept->count - first;
    if (count > group_size(kept)) count = group_size(kept);
    kept_grid grid = grid_of(type, values + first, count);
    if (isinf(grid.scale) && !FAULTY(SCALE_INFINITE)) return "refused no scale spans the numbers";
    if (FAULTY(GROUPS_SHARED) && group > 0) grid = kept->grids[0];
    if (FAULTY(ZERO_POINTS_SHARED) && group > 0) grid.zero = kept->grids[0].zero;
    /* A block's scale is a power of two, so dividing by it is exact. */
    bool is_small = type.kind == KEPT_BFP ? grid.scale == 0 : !(fabsf(grid.scale) >= least_scale);
    bool is_nothing = is_small && !FAULTY(ASYM_POINT);
    if (is_nothing) grid = (kept_grid){1, 0};
    kept->grids[group] = grid;
    double most = (double)greatest_code(type);
    double least = type.kind == KEPT_BFP ? -most : (double)least_code(type);
    if (FAULTY(ASYM_TOP) && type.kind == KEPT_ASYM) most -= 1;
    if (FAULTY(SYM_RANGE) && type.kind == KEPT_SYM) least = 0;
    for (size_t i = first; i < first + count; i++) {
        if (is_nothing) {
            kept->codes[i] = 0;
            continue;
        }
        int32_t code = (int32_t)clamped((double)rounded(values[i] / grid.scale, rounding) + grid.zero, least, most);
        /* The last steps of a grid may lie beyond the greatest float. */
        while (isinf((float)(code - grid.zero) * grid.scale) && !FAULTY(VALUE_INFINITE)) code += code < grid.zero ? 1 : -1;
        kept->codes[i] = code;
    }
    return NULL;
}

/* Encodes with the current state of the draws. */
static outcome encode_on(const float *values, kept_rounding rounding, kept_tensor *kept) {
    kept_type type = kept->type;
    for (size_t i = 0; i < kept->count; i++)
        if (type.kind == KEPT_FLOAT32) kept->floats[i] = values[i];
        else if (!isfinite(values[i]) && !FAULTY(FINITE_UNCHECKED)) return "refused what is not finite has no code";
        else if (type.kind == KEPT_INT32) {
            if (!(values[i] >= (FAULTY(INTEGER_LEAST) ? -0x1.fffffep30f : -0x1p31f) && values[i] < 0x1p31f))
                return "refused an int32 does not hold the number";
            kept->codes[i] = (int32_t)values[i];
        }
    for (size_t n = 0; n < kept->groups; n++) {
        outcome why = encode_group(kept, n, values, rounding);
        if (why != NULL) return why;
    }
    return NULL;
}

outcome encode(const float *values, kept_rounding rounding, kept_tensor *kept) {
    if (has_grids(kept->type) && (kept->type.bits < 1 || kept->type.bits > 31)) return "refused there is no such width";
    begin_draws(rounding);
    return encode_on(values, rounding, kept);
}

static outcome check_grids(const kept_tensor *kept) {
    if (FAULTY(SCALE_UNCHECKED)) return NULL;
    for (size_t n = 0; n < kept->groups; n++) {
        kept_grid grid = kept->grids[n];
        if (!(grid.scale > 0) || !isfinite(grid.scale)) return "refused a scale is a positive number";
        int64_t most = kept->type.kind == KEPT_ASYM ? greatest_code(kept->type) : 0;
        if (grid.zero < 0 || grid.zero > most) return "refused the zero point is no code";
    }
    return NULL;
}

static void values_of(const kept_tensor *kept, float *values) {
    for (size_t i = 0; i < kept->count; i++)
        if (kept->type.kind == KEPT_FLOAT32) values[i] = kept->floats[i];
        else if (kept->type.kind == KEPT_INT32) values[i] = (float)kept->codes[i];
        else {
            kept_grid grid = kept->grids[i / group_size(kept)];
            values[i] = (float)(kept->codes[i] - grid.zero) * grid.scale;
        }
}

outcome decode(const kept_tensor *kept, float *values) {
    outcome why = check_grids(kept);
    if (why == NULL) values_of(kept, values);
    return why;
}

outcome pack(const kept_tensor *kept, uint8_t *bytes, size_t *length) {
    int bits = kept->type.bits;
    size_t all = kept->count * (size_t)bits;
    *length = FAULTY(PACK_LENGTH) ? all / 8 : (all + 7) / 8;
    for (size_t i = 0; i < kept->count; i++) {
        int32_t code = kept->codes[i];
        bool fits = code >= least_code(kept->type) && code <= greatest_code(kept->type);
        if (!fits && !FAULTY(MISFIT_CUT)) return "refused a code does not fit";
        for (int bit = 0; bit < bits; bit++) {
            size_t to = i * (size_t)bits + (size_t)(FAULTY(PACK_ORDER) ? bits - 1 - bit : bit);
            if (((uint32_t)code >> bit & 1) != 0) bytes[to / 8] |= (uint8_t)(1 << to % 8);
        }
    }
    return NULL;
}

outcome unpack(kept_type type, const uint8_t *bytes, size_t length, size_t count, int32_t *codes) {
    int bits = type.bits;
    if (length < (count * (size_t)bits + 7) / 8) return "refused there are too few bytes";
    for (size_t i = 0; i < count; i++) {
        uint32_t code = 0, sign = (uint32_t)1 << (bits - 1);
        for (int bit = 0; bit < bits; bit++) {
            size_t from = i * (size_t)bits + (size_t)(FAULTY(PACK_ORDER) ? bits - 1 - bit : bit);
            code |= (uint32_t)(bytes[from / 8] >> from % 8 & 1) << bit;
        }
        bool is_signed = type.kind != KEPT_ASYM && !FAULTY(SIGN_LOST);
        codes[i] = is_signed ? (int32_t)((int64_t)(code ^ sign) - (int64_t)sign) : (int32_t)code;
    }
    return NULL;
}

outcome convert(const kept_tensor *from, kept_rounding rounding, kept_tensor *kept) {
    kept_kind source = from->type.kind, target = kept->type.kind;
    outcome why = check_grids(from);
    if (why != NULL) return why;
    if (FAULTY(SAME_KIND_COPIED) && source == target && has_grids(from->type) && from->groups == kept->groups) {
        memcpy(kept->codes, from->codes, from->count * sizeof *kept->codes);
        memcpy(kept->grids, from->grids, from->groups * sizeof *kept->grids);
        return NULL;
    }
    if (FAULTY(DIMENSIONS_LOST) && source == KEPT_SYM_INT32 && target == KEPT_ASYM) {
        kept->rank = 1;
        kept->shape[0] = kept->count;
    }
    bool is_coded = target == KEPT_SYM || target == KEPT_SYM_INT32 || target == KEPT_BFP;
    bool keeps_grid = target == KEPT_SYM_INT32 && (source == KEPT_ASYM || source == KEPT_SYM) && from->groups == 1;
    bool keeps_codes = (target == KEPT_INT32 && source != KEPT_FLOAT32) || (source == KEPT_INT32 && is_coded);
    if (!keeps_grid && !keeps_codes) {
        float *values = room_for(from->count, sizeof *values);
        values_of(from, values);
        return encode(values, rounding, kept);
    }
    if (keeps_grid) kept->type.bits = from->type.bits + (source == KEPT_ASYM ? 1 : 0);
    int32_t zero = keeps_grid && !FAULTY(ZERO_POINT_KEPT) ? from->grids[0].zero : 0;
    for (size_t i = 0; i < from->count; i++) {
        int32_t code = from->codes[i] - zero;
        bool fits = target == KEPT_INT32 || (code >= least_code(kept->type) && code <= greatest_code(kept->type));
        if (!fits && !FAULTY(MISFIT_CUT)) return "refused a code does not fit";
        kept->codes[i] = code;
    }
    if (keeps_grid) kept->grids[0] = (kept_grid){from->grids[0].scale, 0};
    return NULL;
}

outcome requantise(kept_tensor *kept, kept_type type, kept_rounding rounding) {
    outcome why = check_grids(kept);
    if (why != NULL) return why;
    float *values = room_for(kept->count, sizeof *values);
    values_of(kept, values);
    kept_tensor fresh = tensor_like(type, kept);
    if (FAULTY(SCALE_OVERWRITTEN) && fresh.groups == 1) {
        encode(values, rounding, &fresh);
        kept->grids[0].scale = fresh.grids[0].scale;
        values_of(kept, values);
    }
    why = encode(values, rounding, &fresh);
    *kept = fresh;
    return why;
}

outcome zero_gradient(kept_tensor *kept) {
    size_t cleared = kept->count;
    if (FAULTY(ZERO_LENGTH) && kept->type.kind != KEPT_FLOAT32)
        cleared = kept->count * (size_t)kept->type.bits / 8 * 8 / (size_t)kept->type.bits;
    for (size_t i = 0; i < cleared; i++)
        if (kept->type.kind == KEPT_FLOAT32) kept->floats[i] = 0;
        else kept->codes[i] = 0;
    for (size_t n = 0; n < kept->groups; n++) {
        kept->grids[n].scale = FAULTY(ZERO_SCALE) ? 0 : 1;
        if (!FAULTY(ZERO_POINT_STAYS)) kept->grids[n].zero = 0;
    }
    return NULL;
}

static outcome add_on_grid(kept_tensor *kept, kept_rounding rounding, const float *increment) {
    bool is_wide = kept->type.kind == KEPT_SYM_INT32;
    int64_t most = is_wide ? INT32_MAX : greatest_code(kept->type);
    int64_t least = is_wide ? INT32_MIN : least_code(kept->type);
    for (size_t i = 0; i < kept->count; i++) {
        float code = rounded(increment[i] / kept->grids[i / group_size(kept)].scale, rounding);
        if (FAULTY(FIXED_TRUNCATES)) code = truncf(increment[i] / kept->grids[i / group_size(kept)].scale);
        double sum = (double)kept->codes[i] + code;
        if (!(sum >= (double)least && sum <= (double)most) && !FAULTY(FIXED_SATURATES))
            return "refused the grid does not hold the sum";
        kept->codes[i] = (int32_t)clamped(sum, (double)least, (double)most);
    }
    return NULL;
}

outcome accumulate(kept_tensor *kept, accumulation_mode mode, kept_rounding rounding, const float *increments,
                   size_t times) {
    float *sum = room_for(kept->count, sizeof *sum);
    begin_draws(rounding);
    values_of(kept, sum);
    if (FAULTY(DYNAMIC_STANDS) && mode == ACCUMULATE_DYNAMIC && kept->type.kind == KEPT_SYM) mode = ACCUMULATE_FIXED;
    if (FAULTY(FIXED_FRESH) && mode == ACCUMULATE_FIXED) mode = ACCUMULATE_DYNAMIC;
    for (size_t n = 0; n < times; n++) {
        const float *increment = increments + n * kept->count;
        outcome why = NULL;
        if (mode == ACCUMULATE_FIXED && has_grids(kept->type)) why = add_on_grid(kept, rounding, increment);
        else {
            for (size_t i = 0; i < kept->count; i++) sum[i] += increment[i];
            bool is_kept = mode == ACCUMULATE_DYNAMIC || n + 1 == times;
            if (is_kept) why = encode_on(sum, rounding, kept);
            if (mode == ACCUMULATE_DYNAMIC) values_of(kept, sum);
        }
        if (why != NULL) return why;
    }
    return NULL;
}

outcome integer_dot(const kept_tensor *left, const kept_tensor *right, int64_t *code, float *scale) {
    if (left->count != right->count || left->groups != 1 || right->groups != 1) return "unsupported another dot product";
    *scale = left->grids[0].scale * right->grids[0].scale;
    int32_t sum = 0;
    for (size_t i = 0; i < left->count; i++) {
        int64_t next = sum + (int64_t)left->codes[i] * right->codes[i];
        if ((next > INT32_MAX || next < INT32_MIN) && !FAULTY(ACCUMULATOR_WRAPS)) return "refused the sum needs more than 32 bits";
        sum = (int32_t)(uint32_t)(uint64_t)next;
    }
    *code = sum;
    return NULL;
}

outcome float_dot(const float *left, const float *right, size_t count, float *sum) {
    *sum = 0;
    for (size_t i = 0; i < count; i++) {
        *sum += left[i] * right[i];
        if (!FAULTY(SUM_NARROW)) continue;
        uint32_t bits;
        memcpy(&bits, sum, sizeof bits);
        bits &= 0xffff0000;
        memcpy(sum, &bits, sizeof bits);
    }
    return NULL;
}

outcome step(const step_rule *rule, kept_tensor *parameter, kept_tensor *gradient, kept_tensor *velocity) {
    size_t count = parameter->count;
    if (gradient->type.kind == KEPT_INT32 && !FAULTY(INTEGER_GRADIENT)) return "refused integers are no gradient";
    if (gradient->count != count) return "unsupported a gradient of another size";
    float *p = room_for(count, sizeof *p), *g = room_for(count, sizeof *g), *v = room_for(count, sizeof *v);
    values_of(parameter, p);
    values_of(gradient, g);
    if (velocity != NULL) values_of(velocity, v);
    for (size_t i = 0; i < count; i++) {
        float slope = g[i] + (FAULTY(DECAY_LOST) ? 0 : rule->decay * p[i]);
        v[i] = velocity == NULL ? slope : rule->factor * v[i] + (FAULTY(MOMENTUM_DAMPED) ? (1 - rule->factor) * slope : slope);
        p[i] -= rule->rate * v[i];
        if (FAULTY(UPDATE_FORCED) && v[i] != 0 && parameter->groups == 1)
            p[i] -= copysignf(parameter->grids[0].scale / 4, v[i]);
    }
    begin_draws(rule->rounding);
    kept_rounding rounding = rule->rounding;
    if (FAULTY(STEP_ROUNDS)) rounding.is_stochastic = false;
    outcome why = encode_on(p, rounding, parameter);
    if (why == NULL && velocity != NULL) why = encode_on(v, rounding, velocity);
    if (why == NULL && FAULTY(GRADIENT_WRITTEN) && velocity == NULL) why = encode_on(g, rounding, gradient);
    return why;
}

/* moment = beta * moment + (1 - beta) * next, in float; 1 - beta in double. */
static void mix(float *moment, double beta, const float *next, size_t count) {
    for (size_t i = 0; i < count; i++) moment[i] = (float)beta * moment[i] + (float)(1 - beta) * next[i];
}

outcome adamw(const adamw_rule *rule, kept_tensor *parameter, kept_tensor *gradient, kept_tensor *first,
              kept_tensor *second) {
    size_t count = parameter->count;
    if (gradient->type.kind == KEPT_INT32) return "refused integers are no gradient";
    float *p = room_for(count, sizeof *p), *g = room_for(count, sizeof *g), *squares = room_for(count, sizeof *squares);
    float *m = room_for(count, sizeof *m), *v = room_for(count, sizeof *v);
    values_of(parameter, p);
    values_of(gradient, g);
    values_of(first, m);
    values_of(second, v);
    if (FAULTY(ADAMW_COUPLED))
        for (size_t i = 0; i < count; i++) g[i] += rule->decay * p[i];
    for (size_t i = 0; i < count; i++) squares[i] = g[i] * g[i];
    mix(m, rule->beta1, g, count);
    mix(v, rule->beta2, squares, count);
    begin_draws(rule->rounding);
    outcome why = encode_on(m, rule->rounding, first);
    if (why == NULL) why = encode_on(v, rule->rounding, second);
    if (why != NULL) return why;
    if (!FAULTY(ADAMW_UNKEPT)) {
        values_of(first, m);
        values_of(second, v);
    }
    double steps = (double)rule->count;
    double one = FAULTY(ADAMW_UNCORRECTED) ? 1 : 1 - pow(rule->beta1, steps);
    double two = FAULTY(ADAMW_UNCORRECTED) ? 1 : 1 - pow(rule->beta2, steps);
    float decayed = (float)(FAULTY(ADAMW_COUPLED) ? 1 : 1 - (double)rule->rate * rule->decay);
    float rate = (float)(rule->rate / one), root = (float)sqrt(two);
    for (size_t i = 0; i < count; i++) {
        float size = FAULTY(ADAMW_EPSILON_INSIDE) ? sqrtf(v[i] / (float)two + rule->epsilon)
                                                  : sqrtf(v[i]) / root + rule->epsilon;
        p[i] = decayed * p[i] - rate * (m[i] / size);
    }
    return encode_on(p, rule->rounding, parameter);
}

outcome clip(float most, kept_tensor *tensors, size_t count, float *norm) {
    double squares = 0;
    for (size_t n = 0; n < count; n++) {
        if (tensors[n].type.kind == KEPT_INT32 || tensors[n].type.kind == KEPT_BFP) return "unsupported such a gradient";
        float *values = room_for(tensors[n].count, sizeof *values);
        values_of(&tensors[n], values);
        if (FAULTY(CLIP_APART)) squares = 0;
        for (size_t i = 0; i < tensors[n].count; i++) squares += (double)values[i] * values[i];
    }
    *norm = (float)sqrt(squares);
    float factor = (float)(most / (sqrt(squares) + 1e-6));
    if (factor >= 1 && !FAULTY(CLIP_ENLARGES)) return NULL;
    for (size_t n = 0; n < count; n++) {
        kept_tensor *one = &tensors[n];
        if (one->type.kind == KEPT_FLOAT32)
            for (size_t i = 0; i < one->count; i++) one->floats[i] *= factor;
        else if (FAULTY(CLIP_REQUANTISES)) {
            float *values = room_for(one->count, sizeof *values);
            values_of(one, values);
            for (size_t i = 0; i < one->count; i++) values[i] *= factor;
            outcome why = encode_on(values, (kept_rounding){false, 0}, one);
            if (why != NULL) return why;
        } else
            for (size_t i = 0; i < one->groups; i++) one->grids[i].scale *= factor;
    }
    return NULL;
}

outcome block_dot(const kept_tensor *left, const kept_tensor *right, float *sum) {
    if (left->type.kind != KEPT_BFP || right->type.kind != KEPT_BFP || left->count != right->count)
        return "unsupported another sum of products";
    *sum = 0;
    int64_t segment = 0;
    for (size_t i = 0; i < left->count; i++) {
        size_t one = i / group_size(left), other = i / group_size(right);
        segment += (int64_t)left->codes[i] * right->codes[i];
        if (FAULTY(BLOCK_WRAPS)) segment = (int32_t)(uint32_t)(uint64_t)segment;
        if (segment > INT32_MAX || segment < INT32_MIN) return "refused a group's sum needs more than 32 bits";
        bool is_last = i + 1 == left->count || (i + 1) / group_size(left) != one || (i + 1) / group_size(right) != other;
        if (!is_last) continue;
        if (FAULTY(BLOCK_FIRST)) one = 0;
        *sum += (float)segment * left->grids[one].scale * right->grids[other].scale;
        segment = 0;
    }
    return NULL;
}

/* Computes the wire of a layer from that of the one before. */
static outcome next_wire(const layer_chain *chain, size_t layer, const float *before, float *wire, bool is_kept) {
    for (size_t row = 0; row < chain->width; row++) {
        float sum = 0;
        for (size_t column = 0; column < chain->width; column++)
            sum += chain->weights[(layer * chain->width + row) * chain->width + column] * before[column];
        wire[row] = sum > 0 ? sum : 0;
    }
    if (!is_kept) return NULL;
    kept_tensor shaped = {.rank = 1, .shape = {chain->width}, .count = chain->width};
    kept_tensor kept = tensor_like(chain->wire, &shaped);
    outcome why = encode_on(wire, chain->rounding, &kept);
    values_of(&kept, wire);
    return why;
}

/* Computes the wire that a layer reads, from the input on, by the draws that the forward run had. */
static outcome computed_again(const layer_chain *chain, size_t layer, float *wire) {
    float *before = room_for(chain->width, sizeof *before);
    if (!FAULTY(RECOMPUTED_DRAWS_ON)) begin_draws(chain->rounding);
    memcpy(wire, chain->input, chain->width * sizeof *wire);
    for (size_t n = 0; n < layer; n++) {
        memcpy(before, wire, chain->width * sizeof *wire);
        outcome why = next_wire(chain, n, before, wire, !FAULTY(RECOMPUTED_UNKEPT));
        if (why != NULL) return why;
    }
    return NULL;
}

outcome chain_gradient(const layer_chain *chain, float *gradient) {
    size_t width = chain->width;
    float *wires = room_for((chain->depth + 1) * width, sizeof *wires);
    memcpy(wires, chain->input, width * sizeof *wires);
    begin_draws(chain->rounding);
    for (size_t n = 0; n < chain->depth; n++) {
        outcome why = next_wire(chain, n, wires + n * width, wires + (n + 1) * width, true);
        if (why != NULL) return why;
    }
    float *bar = room_for(width, sizeof *bar), *after = room_for(width, sizeof *after);
    memcpy(bar, chain->cotangent, width * sizeof *bar);
    memcpy(after, wires + chain->depth * width, width * sizeof *after);
    for (size_t n = chain->depth; n-- > 0;) {
        float *before = wires + n * width, *next = room_for(width, sizeof *next);
        outcome why = chain->is_recomputed ? computed_again(chain, n, before) : NULL;
        if (why != NULL) return why;
        for (size_t row = 0; row < width; row++) {
            float own = after[row] > 0 ? bar[row] : 0;
            for (size_t column = 0; column < width; column++) {
                gradient[(n * width + row) * width + column] = own * before[column];
                next[column] += own * chain->weights[(n * width + row) * width + column];
            }
        }
        memcpy(bar, next, width * sizeof *bar);
        memcpy(after, before, width * sizeof *after);
    }
    return NULL;
}

outcome loss_gradient(const loss_kind *kind, const float *outputs, const float *targets, float *gradient) {
    size_t count = kind->samples * kind->features;
    bool is_divided = kind->is_mean || FAULTY(LOSS_DIVIDED);
    size_t divisor = kind->is_cross_entropy || FAULTY(MEAN_BY_SAMPLES) ? kind->samples : count;
    for (size_t i = 0; i < count; i++) {
        gradient[i] = (outputs[i] - targets[i]) * (kind->is_cross_entropy ? 1 : 2);
        if (is_divided) gradient[i] /= (float)divisor;
    }
    return NULL;
}

outcome max_pool(kept_type type, size_t window, const float *values, size_t count, int32_t *winners) {
    kept_tensor shaped = {.rank = 1, .shape = {count}, .count = count};
    kept_tensor kept = tensor_like(type, &shaped);
    outcome why = encode(values, (kept_rounding){false, 0}, &kept);
    if (why != NULL) return why;
    for (size_t n = 0; n < count / window; n++) {
        size_t best = n * window;
        for (size_t i = best + 1; i < (n + 1) * window; i++) {
            bool is_float = type.kind == KEPT_FLOAT32 || FAULTY(POOL_FLOATS);
            bool is_greater = is_float ? values[i] > values[best] : kept.codes[i] > kept.codes[best];
            bool is_tied = is_float ? values[i] == values[best] : kept.codes[i] == kept.codes[best];
            if (is_greater || (FAULTY(POOL_LAST) && is_tied)) best = i;
        }
        winners[n] = (int32_t)best;
    }
    return NULL;
}

outcome gradient_type(kept_type parameter, const kept_type *asked, kept_type *type) {
    kept_type numbers = {KEPT_FLOAT32, 32, 0, 0};
    bool is_compute = parameter.kind == KEPT_SYM_INT32 && !FAULTY(GRADIENT_COMPUTED);
    *type = asked != NULL ? *asked : is_compute ? numbers : parameter;
    return NULL;
}

outcome hand_back(kept_type producer, kept_type consumer, const kept_tensor *cotangent, kept_tensor *kept) {
    if (FAULTY(WIRE_OF_CONSUMER)) *kept = tensor_like(consumer, cotangent);
    else *kept = tensor_like(producer, cotangent);
    return encode(cotangent->floats, (kept_rounding){false, 0}, kept);
}
