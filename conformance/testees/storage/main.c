/* Reads questions of the storage profile, a line of words each, and writes answers by framework.h. */
#include "framework.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory that is freed when the question is answered. */
static void **rooms;
static size_t rooms_used, rooms_held;

void *room_for(size_t count, size_t size) {
    if (rooms_used == rooms_held) {
        rooms_held = 2 * rooms_held + 16;
        rooms = realloc(rooms, rooms_held * sizeof *rooms);
    }
    void *room = calloc(count + 1, size);
    if (rooms == NULL || room == NULL) {
        fputs("no memory is left\n", stderr);
        exit(70);
    }
    return rooms[rooms_used++] = room;
}

static void free_rooms(void) {
    while (rooms_used > 0) free(rooms[--rooms_used]);
}

bool has_grids(kept_type type) { return type.kind != KEPT_FLOAT32 && type.kind != KEPT_INT32; }

static size_t groups_of(kept_type type, size_t count) {
    if (!has_grids(type) || count == 0) return 0;
    return type.group == 0 ? 1 : (count + type.group - 1) / type.group;
}

kept_tensor tensor_like(kept_type type, const kept_tensor *shaped) {
    kept_tensor tensor = *shaped;
    tensor.type = type;
    tensor.floats = type.kind == KEPT_FLOAT32 ? room_for(tensor.count, sizeof(float)) : NULL;
    tensor.codes = type.kind == KEPT_FLOAT32 ? NULL : room_for(tensor.count, sizeof(int32_t));
    tensor.groups = groups_of(type, tensor.count);
    tensor.grids = room_for(tensor.groups, sizeof(kept_grid));
    for (size_t n = 0; n < tensor.groups; n++) tensor.grids[n].scale = 1;
    return tensor;
}

/* The words left of the question. */
static char *rest;

static char *word(void) {
    rest += strspn(rest, " \r");
    char *start = rest;
    rest += strcspn(rest, " \r");
    if (*rest != '\0') *rest++ = '\0';
    return start;
}

static bool next_is(const char *text) {
    const char *start = rest + strspn(rest, " \r");
    size_t length = strlen(text);
    return strncmp(start, text, length) == 0 && strchr(" \r", start[length]) != NULL;
}

static size_t count_word(void) { return strtoul(word(), NULL, 10); }

static int32_t integer_word(void) { return (int32_t)strtol(word(), NULL, 10); }

static float float_word(void) {
    uint32_t bits = (uint32_t)strtoul(word(), NULL, 16);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float *float_words(size_t count) {
    float *floats = room_for(count, sizeof *floats);
    for (size_t i = 0; i < count; i++) floats[i] = float_word();
    return floats;
}

static kept_type type_word(void) {
    const char *text = word();
    kept_type type = {KEPT_FLOAT32, 32, 0, 0};
    const char *group = strchr(text, '/');
    if (group != NULL) type.group = strtoul(group + 1, NULL, 10);
    if (strncmp(text, "int32", 5) == 0) type.kind = KEPT_INT32;
    else if (sscanf(text, "sym_int32:%d", &type.bits) == 1) type.kind = KEPT_SYM_INT32;
    else if (sscanf(text, "sym%d", &type.bits) == 1) type.kind = KEPT_SYM;
    else if (sscanf(text, "asym%d", &type.bits) == 1) type.kind = KEPT_ASYM;
    else if (sscanf(text, "bfp%de%d", &type.bits, &type.exponent_bits) == 2) type.kind = KEPT_BFP;
    return type;
}

static kept_rounding rounding_word(void) {
    kept_rounding rounding = {false, 0};
    rounding.is_stochastic = sscanf(word(), "stochastic:%u", &rounding.seed) == 1;
    return rounding;
}

static kept_tensor shape_words(void) {
    kept_tensor shaped = {0};
    shaped.rank = count_word();
    if (shaped.rank > MOST_DIMENSIONS) shaped.rank = MOST_DIMENSIONS;
    shaped.count = 1;
    for (size_t i = 0; i < shaped.rank; i++) shaped.count *= shaped.shape[i] = count_word();
    return shaped;
}

static kept_tensor tensor_words(void) {
    kept_type type = type_word();
    kept_tensor shaped = shape_words();
    kept_tensor tensor = tensor_like(type, &shaped);
    for (size_t i = 0; i < tensor.count; i++)
        if (type.kind == KEPT_FLOAT32) tensor.floats[i] = float_word();
        else tensor.codes[i] = integer_word();
    for (size_t n = 0; n < tensor.groups; n++) {
        tensor.grids[n].scale = float_word();
        tensor.grids[n].zero = integer_word();
    }
    return tensor;
}

static void say_float(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    printf(" %08x", (unsigned)bits);
}

static void say_floats(const float *floats, size_t count) {
    printf(" %zu", count);
    for (size_t i = 0; i < count; i++) say_float(floats[i]);
}

static void say_codes(const int32_t *codes, size_t count) {
    printf(" %zu", count);
    for (size_t i = 0; i < count; i++) printf(" %ld", (long)codes[i]);
}

static void say_type(kept_type type) {
    switch (type.kind) {
    case KEPT_FLOAT32: printf(" float32"); break;
    case KEPT_INT32: printf(" int32"); break;
    case KEPT_SYM_INT32: printf(" sym_int32:%d", type.bits); break;
    case KEPT_SYM: printf(" sym%d", type.bits); break;
    case KEPT_ASYM: printf(" asym%d", type.bits); break;
    case KEPT_BFP: printf(" bfp%de%d", type.bits, type.exponent_bits); break;
    }
    if (type.group != 0) printf("/%zu", type.group);
}

static void say_tensor(const kept_tensor *tensor) {
    say_type(tensor->type);
    printf(" %zu", tensor->rank);
    for (size_t i = 0; i < tensor->rank; i++) printf(" %zu", tensor->shape[i]);
    for (size_t i = 0; i < tensor->count; i++)
        if (tensor->type.kind == KEPT_FLOAT32) say_float(tensor->floats[i]);
        else printf(" %ld", (long)tensor->codes[i]);
    for (size_t n = 0; n < tensor->groups; n++) {
        say_float(tensor->grids[n].scale);
        printf(" %ld", (long)tensor->grids[n].zero);
    }
}

/* Writes a refusal, or begins an answer. */
static bool answers(outcome why) {
    fputs(why == NULL ? "ok" : why, stdout);
    return why == NULL;
}

static void answer_tensor(outcome why, const kept_tensor *tensor) {
    if (answers(why)) say_tensor(tensor);
}

static void ask_encode(void) {
    kept_type type = type_word();
    kept_rounding rounding = rounding_word();
    kept_tensor shaped = shape_words();
    kept_tensor kept = tensor_like(type, &shaped);
    float *values = float_words(kept.count);
    answer_tensor(encode(values, rounding, &kept), &kept);
}

static void ask_decode(void) {
    kept_tensor kept = tensor_words();
    float *values = room_for(kept.count, sizeof *values);
    if (answers(decode(&kept, values))) say_floats(values, kept.count);
}

static void ask_pack(void) {
    kept_tensor kept = tensor_words();
    uint8_t *bytes = room_for(4 * kept.count, 1);
    size_t length = 0;
    if (!answers(pack(&kept, bytes, &length))) return;
    fputs(length == 0 ? " -" : " ", stdout);
    for (size_t i = 0; i < length; i++) printf("%02x", bytes[i]);
}

static void ask_unpack(void) {
    kept_type type = type_word();
    size_t count = count_word();
    const char *text = word();
    size_t length = *text == '-' ? 0 : strlen(text) / 2;
    uint8_t *bytes = room_for(length, 1);
    for (size_t i = 0; i < length; i++) {
        unsigned byte = 0;
        sscanf(text + 2 * i, "%2x", &byte);
        bytes[i] = (uint8_t)byte;
    }
    int32_t *codes = room_for(count, sizeof *codes);
    if (answers(unpack(type, bytes, length, count, codes))) say_codes(codes, count);
}

static void ask_convert(void) {
    kept_type type = type_word();
    kept_rounding rounding = rounding_word();
    kept_tensor from = tensor_words();
    kept_tensor kept = tensor_like(type, &from);
    answer_tensor(convert(&from, rounding, &kept), &kept);
}

static void ask_requantise(void) {
    kept_type type = type_word();
    kept_rounding rounding = rounding_word();
    kept_tensor kept = tensor_words();
    answer_tensor(requantise(&kept, type, rounding), &kept);
}

static void ask_zero(void) {
    kept_tensor kept = tensor_words();
    answer_tensor(zero_gradient(&kept), &kept);
}

static void ask_accumulate(void) {
    const char *name = word();
    accumulation_mode mode = strcmp(name, "dynamic") == 0 ? ACCUMULATE_DYNAMIC
                             : strcmp(name, "fixed") == 0 ? ACCUMULATE_FIXED
                                                          : ACCUMULATE_FLOAT;
    kept_rounding rounding = rounding_word();
    kept_tensor kept = tensor_words();
    size_t times = count_word();
    float *increments = float_words(times * kept.count);
    answer_tensor(accumulate(&kept, mode, rounding, increments, times), &kept);
}

static void ask_dot(void) {
    kept_tensor left = tensor_words(), right = tensor_words();
    int64_t code = 0;
    float scale = 1;
    if (!answers(integer_dot(&left, &right, &code, &scale))) return;
    printf(" %lld", (long long)code);
    say_float(scale);
}

static void ask_float_dot(void) {
    size_t count = count_word();
    float *left = float_words(count);
    float *right = float_words(count_word());
    float sum = 0;
    if (answers(float_dot(left, right, count, &sum))) say_float(sum);
}

static void ask_step(void) {
    step_rule rule = {0};
    rule.has_momentum = strcmp(word(), "momentum") == 0;
    rule.rate = float_word();
    rule.decay = float_word();
    if (rule.has_momentum) rule.factor = float_word();
    rule.rounding = rounding_word();
    kept_tensor parameter = tensor_words(), gradient = tensor_words(), velocity = {0};
    if (rule.has_momentum) velocity = tensor_words();
    if (!answers(step(&rule, &parameter, &gradient, rule.has_momentum ? &velocity : NULL))) return;
    say_tensor(&parameter);
    say_tensor(&gradient);
    if (rule.has_momentum) say_tensor(&velocity);
}

static void ask_adamw(void) {
    adamw_rule rule = {0};
    rule.rate = float_word();
    rule.decay = float_word();
    rule.beta1 = float_word();
    rule.beta2 = float_word();
    rule.epsilon = float_word();
    rule.count = count_word();
    rule.rounding = rounding_word();
    kept_tensor parameter = tensor_words(), gradient = tensor_words(), first = tensor_words(), second = tensor_words();
    if (!answers(adamw(&rule, &parameter, &gradient, &first, &second))) return;
    say_tensor(&parameter);
    say_tensor(&gradient);
    say_tensor(&first);
    say_tensor(&second);
}

static void ask_clip(void) {
    float most = float_word(), norm = 0;
    size_t count = count_word();
    kept_tensor *tensors = room_for(count, sizeof *tensors);
    for (size_t n = 0; n < count; n++) tensors[n] = tensor_words();
    if (!answers(clip(most, tensors, count, &norm))) return;
    say_float(norm);
    for (size_t n = 0; n < count; n++) say_tensor(&tensors[n]);
}

static void ask_block_dot(void) {
    kept_tensor left = tensor_words(), right = tensor_words();
    float sum = 0;
    if (answers(block_dot(&left, &right, &sum))) say_float(sum);
}

static void ask_chain(void) {
    layer_chain chain = {0};
    chain.is_recomputed = strcmp(word(), "recomputed") == 0;
    chain.wire = type_word();
    chain.rounding = rounding_word();
    chain.depth = count_word();
    chain.width = count_word();
    size_t count = chain.depth * chain.width * chain.width;
    chain.input = float_words(chain.width);
    chain.weights = float_words(count);
    chain.cotangent = float_words(chain.width);
    float *gradient = room_for(count, sizeof *gradient);
    if (answers(chain_gradient(&chain, gradient))) say_floats(gradient, count);
}

static void ask_loss(void) {
    loss_kind kind = {0};
    kind.is_cross_entropy = strcmp(word(), "cross_entropy") == 0;
    kind.is_mean = strcmp(word(), "mean") == 0;
    kind.samples = count_word();
    kind.features = count_word();
    size_t count = kind.samples * kind.features;
    float *outputs = float_words(count), *targets = float_words(count);
    float *gradient = room_for(count, sizeof *gradient);
    if (answers(loss_gradient(&kind, outputs, targets, gradient))) say_floats(gradient, count);
}

static void ask_max_pool(void) {
    kept_type type = type_word();
    size_t window = count_word(), count = count_word();
    float *values = float_words(count);
    size_t windows = window == 0 ? 0 : count / window;
    int32_t *winners = room_for(windows, sizeof *winners);
    if (answers(max_pool(type, window, values, count, winners))) say_codes(winners, windows);
}

static void ask_gradient_type(void) {
    kept_type parameter = type_word(), asked = {0}, type = {0};
    bool is_asked = !next_is("-");
    if (is_asked) asked = type_word();
    if (answers(gradient_type(parameter, is_asked ? &asked : NULL, &type))) say_type(type);
}

static void ask_hand_back(void) {
    kept_type producer = type_word(), consumer = type_word();
    kept_tensor shaped = shape_words();
    kept_type numbers = {KEPT_FLOAT32, 32, 0, 0};
    kept_tensor cotangent = tensor_like(numbers, &shaped), kept = tensor_like(producer, &shaped);
    cotangent.floats = float_words(shaped.count);
    answer_tensor(hand_back(producer, consumer, &cotangent, &kept), &kept);
}

static void ask_hello(void) { printf("ok %s %s", word(), introduction); }

static const struct {
    const char *name;
    void (*ask)(void);
} questions[] = {
    {"hello", ask_hello},
    {"encode", ask_encode},
    {"decode", ask_decode},
    {"pack", ask_pack},
    {"unpack", ask_unpack},
    {"convert", ask_convert},
    {"requantise", ask_requantise},
    {"zero", ask_zero},
    {"accumulate", ask_accumulate},
    {"dot", ask_dot},
    {"float_dot", ask_float_dot},
    {"step", ask_step},
    {"adamw", ask_adamw},
    {"clip", ask_clip},
    {"block_dot", ask_block_dot},
    {"chain", ask_chain},
    {"loss", ask_loss},
    {"max_pool", ask_max_pool},
    {"gradient_type", ask_gradient_type},
    {"hand_back", ask_hand_back},
};

/* Reads a line of any length without its end; NULL after the last. */
static char *next_line(void) {
    static char *line;
    static size_t held;
    size_t used = 0;
    for (int c; (c = getchar()) != '\n';) {
        if (c == EOF) return NULL;
        if (used + 2 > held) {
            held = 2 * held + 256;
            line = realloc(line, held);
            if (line == NULL) exit(70);
        }
        line[used++] = (char)c;
    }
    if (line == NULL) line = calloc(held = 256, 1);
    line[used] = '\0';
    return line;
}

int main(void) {
    while ((rest = next_line()) != NULL) {
        const char *name = word();
        size_t known = 0, all = sizeof questions / sizeof *questions;
        while (known < all && strcmp(questions[known].name, name) != 0) known++;
        if (known < all) questions[known].ask();
        else printf("unsupported there is no such question");
        putchar('\n');
        fflush(stdout);
        free_rooms();
    }
    return 0;
}
