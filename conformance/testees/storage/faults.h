/* Faults that engine.c can be built with, mostly of an early es-ude/OnDeviceTraining; numbers are points. */
#ifndef ADJUDGE_FAULTS_H
#define ADJUDGE_FAULTS_H

enum {
    NONE,
    /* 1 */
    HALF_EVEN,        /* a middle goes to the even code */
    ASYM_TOP,         /* the greatest code is never used */
    ASYM_DENOMINATOR, /* the range is divided by one step too many */
    ASYM_POINT,       /* where all numbers are one, the scale is it: 0 / 0 for zeros */
    ASYM_RANGE,       /* 0 is left out of the range, and the zero point wraps in 16 bits */
    SYM_RANGE,        /* a negative scale of the whole range, and codes from 0 on */
    SYM_INT32_UNIT,   /* the scale is 1 whatever the numbers are */
    GROUPS_SHARED,    /* every group is on the first one's grid */
    BLOCK_EXPONENT,   /* a block's exponent is one greater than it need be */
    ZERO_POINTS_SHARED, /* every group has the first one's zero point */
    SCALE_INFINITE,     /* a range that no scale spans has an infinite one */
    VALUE_INFINITE,     /* so have codes a value beyond the greatest float */
    INTEGER_LEAST,      /* the least integer is refused */
    /* 2 */
    SIGN_LOST,   /* -3 in six bits is read as 61 */
    PACK_ORDER,  /* from the highest bit on */
    PACK_LENGTH, /* the last byte is cut off */
    MISFIT_CUT,  /* so is what does not fit of a code */
    /* 3 */
    ZERO_LENGTH,      /* the last codes are not cleared */
    ZERO_SCALE,       /* the scale is cleared too */
    ZERO_POINT_STAYS, /* the zero point is not */
    /* 4 */
    DRAWS_WIDE,   /* draws reach beyond the next code */
    SEED_IGNORED, /* the seed is not looked at */
    /* 5 */
    SAME_KIND_COPIED,  /* another configuration of the same kind is copied */
    DIMENSIONS_LOST,   /* of sym_int32 that becomes asym */
    ZERO_POINT_KEPT,   /* in codes that have none */
    SCALE_OVERWRITTEN, /* before it is read, where a tensor is kept anew in its place */
    /* 6 */
    GRADIENT_WRITTEN,  /* descent writes the gradient back, as codes anew */
    GRADIENT_COMPUTED, /* gradients are sym_int32 where the parameter is */
    WIRE_OF_CONSUMER,  /* a cotangent has the type of the layer that it comes from */
    /* 7 */
    ACCUMULATOR_WRAPS, /* in 32 bits */
    /* 8 */
    FIXED_SATURATES, /* what does not fit on a grid that stands is cut */
    FIXED_TRUNCATES, /* increments are cut, not rounded */
    FIXED_FRESH,     /* a fresh grid where one stands */
    DYNAMIC_STANDS,  /* and the other way round */
    /* 9 */
    DECAY_LOST,      /* weights do not decay */
    MOMENTUM_DAMPED, /* a gradient is weighted by 1 - momentum */
    UPDATE_FORCED,   /* an update that does not reach the next code is pushed to it */
    STEP_ROUNDS,     /* steps do not draw where they are asked to */
    /* 10 */
    LOSS_DIVIDED,    /* the divisor is in the raw gradient */
    MEAN_BY_SAMPLES, /* the mean is over samples, not over elements */
    /* 11 */
    POOL_LAST,   /* the last of those that tie wins */
    POOL_FLOATS, /* numbers are compared, not codes */
    /* 12 */
    SCALE_UNCHECKED,  /* any scale passes */
    FINITE_UNCHECKED, /* so does what is not finite */
    INTEGER_GRADIENT, /* so do integers, as gradients */
    /* 13 */
    SUM_NARROW, /* a sum is kept in bfloat16 */
    /* 14 */
    ADAMW_COUPLED,        /* weights decay by way of the gradient */
    ADAMW_UNCORRECTED,    /* moments are not corrected for their beginning at 0 */
    ADAMW_EPSILON_INSIDE, /* the root is of the sum with epsilon */
    ADAMW_UNKEPT,         /* the parameter moves by moments that were not kept yet */
    /* 15 */
    CLIP_APART,       /* the norm is that of the last gradient */
    CLIP_ENLARGES,    /* gradients are brought to the limit from below too */
    CLIP_REQUANTISES, /* a factor makes codes anew */
    /* 16 */
    BLOCK_FIRST, /* every group has the first one's exponent */
    BLOCK_WRAPS, /* a group's sum is cut to 32 bits */
    /* 17 */
    RECOMPUTED_DRAWS_ON, /* what is computed again draws on, and not by the draws that it had */
    RECOMPUTED_UNKEPT,   /* nor is it kept in the type of its wire */
};

#ifndef FAULT
#define FAULT NONE
#endif

#define FAULTY(name) (FAULT == (name))

#endif
