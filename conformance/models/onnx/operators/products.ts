import type { Value } from "../../../../spec/builder/index.ts";
import { broadcastOf } from "../broadcast.ts";
import type { Call, Rule } from "../call.ts";
import { isFloat, known } from "../operand.ts";

/** Matrix products of stacks that broadcast; a vector is a row on the left and a column on the right. */
function product(call: Call, x: Value, y: Value): Value {
  const left = x.shape.length === 1 ? x.reshape({ shape: [1, ...x.shape] }) : x;
  const right = y.shape.length === 1 ? y.reshape({ shape: [...y.shape, 1] }) : y;
  if (left.shape.length < 2 || right.shape.length < 2)
    return call.refuse("it multiplies a number by a matrix.", "use Mul");
  const batch = broadcastOf(call, [left.shape.slice(0, -2), right.shape.slice(0, -2)]);
  const stacked = (z: Value): Value => {
    const shape = [...batch, ...z.shape.slice(-2)];
    return z.shape.join() === shape.join() ? z : z.broadcast_to({ shape });
  };
  const both = stacked(left).matmul(stacked(right));
  const rows = x.shape.length === 1 ? [] : [both.shape.at(-2) ?? 0];
  const columns = y.shape.length === 1 ? [] : [both.shape.at(-1) ?? 0];
  const shape = [...batch, ...rows, ...columns];
  return shape.length === both.shape.length ? both : both.reshape({ shape });
}

const gemm: Rule = {
  operands: [2, 3],
  folds: "integers",
  apply(call) {
    const [alpha, beta] = [call.float("alpha", 1), call.float("beta", 1)];
    const turned = (place: number, name: string): Value => {
      const x = call.value(place);
      if (x.shape.length !== 2) return call.refuse(`operand ${place} is no matrix.`, "reshape it to one");
      return call.flag(name) ? x.permute_dims({ axes: [1, 0] }) : x;
    };
    const xy = turned(0, "transA").matmul(turned(1, "transB"));
    const scaled = (x: Value, by: number): Value => (by === 1 ? x : x.multiply(by));
    const first = scaled(xy, alpha);
    return call.hasOperand(2) ? first.add(scaled(call.value(2), beta)) : first;
  },
};

const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** Writes the dots of an equation out as letters, and the result if it is left out. */
function written(call: Call, equation: string): string {
  const text = equation.replaceAll(/\s/g, "");
  const [left = "", given] = text.split("->");
  const terms = left.split(",");
  if (terms.length !== call.operands.length)
    return call.refuse(`${JSON.stringify(equation)} has ${terms.length} terms.`, "give one for each operand");
  const free = letters.filter((letter) => !text.includes(letter));
  const ranks = terms.map((term, place) => call.shape(place).length - term.replace("...", "").length);
  const widest = Math.max(
    0,
    ...terms.flatMap((term, place) => (term.includes("...") ? [ranks[place] ?? 0] : [])),
  );
  if (widest > free.length) return call.refuse("it has too many axes.", "use fewer");
  const dots = free.slice(0, widest).join("");
  const lead = terms.flatMap((term, place) =>
    term.includes("...") ? [call.shape(place).slice(0, ranks[place])] : [],
  );
  if (lead.some((shape) => shape.join() !== lead[0]?.join()))
    return call.refuse("what its dots stand for differs.", "expand the operands to one shape first");
  const names = terms.map((term) => term.replace("...", dots));
  const all = [...names.join("")].toSorted();
  const once = all.filter(
    (letter) => !dots.includes(letter) && all.filter((one) => one === letter).length === 1,
  );
  const result = given === undefined ? dots + once.join("") : given.replace("...", dots);
  return `${names.join(",")}->${result}`;
}

const einsum: Rule = {
  operands: [1, 16],
  folds: "integers",
  apply(call) {
    const equation = written(call, call.text("equation", ""));
    const [first = call.value(0), ...others] = call.operands.map((_, place) => call.value(place));
    return first.einsum(...others, { equation });
  },
};

/** Splits [B, L, heads · d] into [B, heads, L, d]. */
function byHeads(call: Call, x: Value, heads: number): Value {
  if (x.shape.length === 4) return x;
  const [batch = 0, length = 0, wide = 0] = x.shape;
  if (x.shape.length !== 3 || heads < 1 || wide % heads !== 0)
    return call.refuse("its operands do not split into heads.", "give [B, L, heads · d] and q_num_heads");
  return x.reshape({ shape: [batch, length, heads, wide / heads] }).permute_dims({ axes: [0, 2, 1, 3] });
}

/** Repeats each head of keys or values for the queries' heads that share it. */
function shared(call: Call, x: Value, heads: number): Value {
  const [batch = 0, own = 0, length = 0, depth = 0] = x.shape;
  if (own === heads) return x;
  if (own < 1 || heads % own !== 0)
    return call.refuse("its heads do not fit.", "queries' heads are a multiple");
  const wide = [batch, own, heads / own, length, depth];
  return x
    .reshape({ shape: [batch, own, 1, length, depth] })
    .broadcast_to({ shape: wide })
    .reshape({ shape: [batch, heads, length, depth] });
}

/** What is added to scores: 0 where a query sees a key, and −∞ where not. */
function hiding(call: Call, shape: readonly number[], isSeen: (place: number) => boolean): Value {
  const size = call.listing(shape.reduce((product, extent) => product * extent, 1));
  const data = Array.from({ length: size }, (_, place) => (isSeen(place) ? 0 : Number.NEGATIVE_INFINITY));
  const keys = shape.at(-1) ?? 1;
  for (let row = 0; row < data.length; row += keys) {
    if (data.slice(row, row + keys).every((x) => x !== 0))
      call.refuse("a query sees no key at all.", "let the mask show one to every query");
  }
  return call.workshop.value(known(call.type(), shape, data, "mask"));
}

const attention: Rule = {
  operands: [3, 4],
  since: 23,
  apply(call) {
    const queries = byHeads(call, call.float_(0), call.int("q_num_heads", 0));
    const heads = queries.shape[1] ?? 0;
    const [k, v] = [1, 2].map((place) =>
      shared(call, byHeads(call, call.float_(place), call.int("kv_num_heads", 0)), heads),
    );
    if (k === undefined || v === undefined) return call.refuse("it lacks keys or values.", "give both");
    const [, , length = 0, depth = 1] = queries.shape;
    const keys = k.shape[2] ?? 0;
    const scale = call.has("scale") ? call.float("scale", 1) : undefined;
    const scores = queries.matmul(k.permute_dims({ axes: [0, 1, 3, 2] }));
    const root = call.builder.full({ shape: [], value: depth }).sqrt();
    let seen = scale === undefined ? scores.divide(root) : scores.multiply(scale);
    const softcap = call.float("softcap", 0);
    if (softcap > 0) seen = seen.divide(softcap).tanh().multiply(softcap);
    call.int("qk_matmul_output_mode", 0);
    if (call.has("softmax_precision")) call.int("softmax_precision", 1);
    if (call.int("left_window_size", -1) !== -1 || call.int("right_window_size", -1) !== -1)
      return call.refuse("it has a window.", "give the window as a mask");
    if (call.flag("is_causal"))
      seen = seen.add(hiding(call, [length, keys], (place) => place % keys <= Math.floor(place / keys)));
    if (call.hasOperand(3)) {
      if (isFloat(call.type(3))) seen = seen.add(call.value(3));
      else {
        const mask = call.constant(3, "mask");
        seen = seen.add(hiding(call, mask.shape, (place) => mask.data[place] !== 0));
      }
    }
    const out = seen.softmax({ axis: 3 }).matmul(v);
    if (call.rank === 4) return out;
    const [batch = 0, , , wide = 0] = out.shape;
    return out.permute_dims({ axes: [0, 2, 1, 3] }).reshape({ shape: [batch, length, heads * wide] });
  },
};

/** Turns pairs of x by the angles in the caches. */
const rotary: Rule = {
  operands: [3, 4],
  since: 23,
  apply(call) {
    const isInterleaved = call.flag("interleaved");
    const heads = call.int("num_heads", 0);
    const x = byHeads(call, call.float_(0), heads);
    const [batch = 0, , length = 0, depth = 0] = x.shape;
    const turned = call.int("rotary_embedding_dim", 0) || depth;
    if (turned % 2 !== 0 || turned > depth) return call.refuse("it turns no pairs.", "use an even dimension");
    const cache = (place: number): Value => {
      const table = call.value(place);
      if (!call.hasOperand(3)) return table.reshape({ shape: [batch, 1, length, turned / 2] });
      const at = call.counted(call.integers(3, "positions"), table.shape[0] ?? 0);
      const rows = table.take({ axis: 0, indices: call.index([at.length], at) });
      return rows.reshape({ shape: [batch, 1, length, turned / 2] });
    };
    const [cos, sin] = [cache(1), cache(2)];
    const step = isInterleaved ? 2 : 1;
    const part = (start: number, stop: number, by: number): Value =>
      x.slice({ starts: [0, 0, 0, start], stops: [...x.shape.slice(0, 3), stop], steps: [1, 1, 1, by] });
    const first = part(0, isInterleaved ? turned : turned / 2, step);
    const second = part(isInterleaved ? 1 : turned / 2, turned, step);
    const real = first.multiply(cos).subtract(second.multiply(sin));
    const imaginary = first.multiply(sin).add(second.multiply(cos));
    const joined = isInterleaved
      ? call.builder.stack(real, imaginary, { axis: 4 }).reshape({ shape: [...x.shape.slice(0, 3), turned] })
      : real.concat(imaginary, { axis: 3 });
    const whole = turned === depth ? joined : joined.concat(part(turned, depth, 1), { axis: 3 });
    if (call.rank === 4) return whole;
    return whole.permute_dims({ axes: [0, 2, 1, 3] }).reshape({ shape: [...call.shape()] });
  },
};

/** Products of matrices, and what is made of them. */
export const products: Readonly<Record<string, Rule>> = {
  Attention: attention,
  Det: { operands: [1, 1], apply: (call) => call.float_(0).det() },
  Einsum: einsum,
  Gemm: gemm,
  MatMul: {
    operands: [2, 2],
    folds: "integers",
    apply: (call) => product(call, call.value(0), call.value(1)),
  },
  RotaryEmbedding: rotary,
};
