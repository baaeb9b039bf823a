import { nodeId, type PrimitiveGraph, type PrimitiveNode } from "../spec/index.ts";

/** A graph of + × sin exp on scalars and a point are arrays, coded as in `bench/yardstick/scalar.c`. */
export interface FlatGraph {
  readonly codes: Int32Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly point: Float64Array;
}

const names = ["add", "multiply", "sin", "exp"] as const;

/** Draws numbers in [0, 1) from a seed: mulberry32. */
function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Draws a graph of `nodes` nodes, all of which the last one depends on: 45 % sums, 45 % products, 5 % sines
 * and exponentials each. Half of the first operands are the oldest unread id; of the others, half lie
 * anywhere, the rest among the last sixteenth. What would leave [−4, 4] becomes a sine, so nothing
 * overflows. Ids unread in the end are summed up in pairs.
 */
export function wideGraph(nodes: number, seed: number): FlatGraph {
  const next = uniform(seed);
  const inputs = Math.max(4, Math.round(nodes / 100));
  const graph = empty(inputs, nodes, next);
  const { codes, x, y } = graph;
  const values = new Float64Array(inputs + nodes);
  values.set(graph.point);
  const isRead = new Uint8Array(inputs + nodes);
  let oldest = 0;
  let unread = inputs;
  const read = (id: number): number => {
    unread -= 1 - (isRead[id] ?? 0);
    isRead[id] = 1;
    return id;
  };
  const skip = (end: number): number => {
    while (oldest < end && isRead[oldest] === 1) oldest++;
    return oldest;
  };
  for (let n = 0; n < nodes; n++) {
    const id = inputs + n;
    const isEnd = unread > nodes - n;
    const anywhere = (): number =>
      next() < 0.5 ? Math.floor(next() * id) : id - 1 - Math.floor((next() * id) / 16);
    const first = read(isEnd || next() < 0.5 ? Math.min(skip(id), id - 1) : anywhere());
    const second = isEnd ? Math.min(skip(id), id - 1) : anywhere();
    const draw = isEnd ? 0 : next();
    let code = draw < 0.45 ? 0 : draw < 0.9 ? 1 : draw < 0.95 ? 2 : 3;
    const a = values[first] ?? 0;
    const b = values[second] ?? 0;
    const value = code === 0 ? a + b : code === 1 ? a * b : code === 2 ? Math.sin(a) : Math.exp(a);
    if (!isEnd && Math.abs(value) > 4) code = 2;
    codes[n] = code;
    x[n] = first;
    y[n] = code < 2 ? read(second) : 0;
    values[id] = code === 2 ? Math.sin(a) : value;
    unread++;
  }
  return graph;
}

/**
 * Draws a chain: blocks of `m = x · p`, `s = sin m` or `exp m`, `t = s · q`, `x = x + t` with inputs p, q.
 * Each node reads the one before, so there are as many levels as nodes.
 */
export function chainGraph(nodes: number, seed: number): FlatGraph {
  const next = uniform(seed);
  const inputs = 100;
  const graph = empty(inputs, nodes, next);
  const { codes, x, y, point } = graph;
  for (let n = 1; n < inputs; n++) point[n] = (point[n] ?? 0) / 100;
  let before = 0;
  for (let n = 0; n < nodes; n++) {
    const step = n % 4;
    codes[n] = step === 0 || step === 2 ? 1 : step === 1 ? (next() < 0.5 ? 2 : 3) : 0;
    x[n] = n === 0 ? 0 : inputs + n - 1;
    y[n] = step === 3 ? before : step === 1 ? 0 : 1 + Math.floor(next() * (inputs - 1));
    if (step === 3) before = inputs + n;
  }
  return graph;
}

function empty(inputs: number, nodes: number, next: () => number): FlatGraph {
  return {
    codes: new Int32Array(nodes),
    x: new Int32Array(nodes),
    y: new Int32Array(nodes),
    point: Float64Array.from({ length: inputs }, () => next() - 0.5),
  };
}

/** Makes a graph of the data. */
export function graphOf({ codes, x, y, point }: FlatGraph): PrimitiveGraph {
  const nodes: PrimitiveNode[] = [];
  for (let n = 0; n < codes.length; n++) {
    const code = codes[n] ?? 0;
    const parents = code < 2 ? [nodeId(x[n] ?? 0), nodeId(y[n] ?? 0)] : [nodeId(x[n] ?? 0)];
    nodes.push({ op: names[code] ?? "add", attributes: {}, parents });
  }
  return {
    format: "adjudge.graph.v1",
    inputs: Array.from(point, (_, n) => ({ name: `x${n}`, shape: [] })),
    environment: [],
    nodes,
  };
}

/** Writes the file that `bench/yardstick/scalar.c` reads. */
export function bytesOf({ codes, x, y, point }: FlatGraph): Uint8Array {
  const head = Int32Array.of(point.length, codes.length);
  const parts = [head, codes, x, y, point].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  return Uint8Array.from(Buffer.concat(parts));
}
