/**
 * This is a right engine in miniature: it has `negative`, float64 and base64. It imports Node's own modules
 * alone, so that it starts fast.
 */
import { writeSync } from "node:fs";
import process from "node:process";

interface Tensor {
  readonly shape: readonly number[];
  readonly base64?: string;
  readonly data?: readonly string[];
}

interface Graph {
  readonly inputs: readonly { readonly shape: readonly number[] }[];
  readonly nodes: readonly { readonly parents: readonly number[] }[];
}

/** A request as it came, believed without checks. */
export interface Request {
  readonly id: number;
  readonly kind: string;
  readonly program: number;
  readonly tape: number;
  readonly life: string;
  readonly graph: Graph;
  readonly mode: string;
  readonly parameters: readonly Tensor[];
  readonly point: { readonly inputs: readonly Tensor[] };
  readonly tangents: readonly Tensor[];
  readonly seeds: readonly { readonly id: number; readonly cotangent: Tensor }[];
}

/** Something to say, as JSON. */
export type Message = Readonly<Record<string, unknown>>;

/** The honest engine says this of itself. */
const introduction: Message = {
  kind: "hello",
  protocol: 1,
  name: "honest",
  version: "1",
  language: "TypeScript",
  links: [],
  dtypes: ["float64"],
  operators: ["negative"],
  modes: ["evaluate", "jvp", "vjp"],
  tapes: { lives: ["until released"], releases: true },
  statements: ["let"],
};

/** A sweep needs these of a tape; a released tape has none. */
const tapes = new Map<number, Pick<Request, "program" | "point"> | undefined>();

const graphs = new Map<number, Graph>();

/** Returns the right reply to a request. */
export function honest(request: Request): Message {
  const { id, program } = request;
  switch (request.kind) {
    case "hello":
      return { id, ...introduction };
    case "load":
      graphs.set(program, request.graph);
      return { id, kind: "done" };
    case "load_program":
      return { id, kind: "done" };
    case "run":
      return { id, ...ran(request) };
    case "record":
      tapes.set(request.tape, { program, point: request.point });
      return { id, kind: "done" };
    case "sweep": {
      const tape = tapes.get(request.tape);
      if (tape === undefined) return { id, kind: "refused", reason: "the tape was released" };
      return { id, kind: "tensors", tensors: answer({ ...request, ...tape, kind: "vjp" }).map(write) };
    }
    case "release":
      tapes.set(request.tape, undefined);
      return { id, kind: "done" };
    case "unload":
      graphs.delete(program);
      return { id, kind: "done" };
    default:
      return fits(request)
        ? { id, kind: "tensors", tensors: answer(request).map(write) }
        : { id, kind: "error", message: "the point does not fit the graph" };
  }
}

/** Says whether a request is about the bait. */
export function isBait({ program }: Request): boolean {
  return graphs.get(program)?.nodes.length === 2;
}

/** Writes a line, at once: a reply may be the last thing an engine does. */
export function say(message: Message): void {
  writeAll(`${JSON.stringify(message)}\n`);
}

/** Writes bytes to standard output (or 2, standard error), at once. */
export function writeAll(text: string | Uint8Array, descriptor: 1 | 2 = 1): void {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; ) {
    try {
      start += writeSync(descriptor, bytes, start);
    } catch (thrown) {
      // The pipe is full: try again.
      if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EAGAIN")) throw thrown;
    }
  }
}

/** Hands every request to `handle`, which is to answer it. */
export function listen(handle: (request: Request) => void): void {
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) handle(JSON.parse(line));
  });
}

/** The only program that it is asked, y = −x, with what it leaves. */
function ran({ mode, parameters, tangents, seeds }: Request): Message {
  const negated = (tensors: readonly Tensor[]): readonly Tensor[] =>
    tensors.map((tensor) => write(read(tensor).map((x) => -x)));
  return {
    kind: "ran",
    results: negated(parameters),
    state: [],
    sent: [],
    drawn: 0,
    derivative:
      mode === "vjp"
        ? negated(seeds.map(({ cotangent }) => cotangent))
        : mode === "jvp"
          ? negated(tangents)
          : [],
    retained: [],
  };
}

function fits({ program, point }: Request): boolean {
  const { inputs = [] } = graphs.get(program) ?? {};
  const shapes = (tensors: readonly { readonly shape: readonly number[] }[]): string =>
    JSON.stringify(tensors.map(({ shape }) => shape));
  return shapes(inputs) === shapes(point.inputs);
}

function answer({ kind, program, point, tangents, seeds }: Request): Float64Array[] {
  const { inputs, nodes } = graphs.get(program) ?? { inputs: [], nodes: [] };
  if (kind === "vjp") {
    const cotangents = [...inputs, ...nodes].map(() => new Float64Array(point.inputs[0]?.shape[0] ?? 1));
    for (const { id, cotangent } of seeds) cotangents[id]?.set(read(cotangent));
    for (const [back, { parents }] of [...nodes.entries()].reverse()) {
      const upstream = cotangents[inputs.length + back];
      const target = cotangents[parents[0] ?? 0];
      target?.set(target.map((x, i) => x - (upstream?.[i] ?? 0)));
    }
    return cotangents.slice(0, inputs.length);
  }
  const values = (kind === "jvp" ? tangents : point.inputs).map(read);
  for (const { parents } of nodes)
    values.push((values[parents[0] ?? 0] ?? new Float64Array()).map((x) => -x));
  return values.slice(inputs.length);
}

function read({ base64, data = [] }: Tensor): Float64Array {
  if (base64 === undefined) return Float64Array.from(data, readHex);
  const bytes = Buffer.from(base64, "base64");
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** Hex floats as the runner writes them, and what has no digits. */
function readHex(text: string): number {
  const [, sign, lead = "", fraction = "", exponent] = /^(-?)0x(.)(?:\.(.*))?p(.*)$/.exec(text) ?? [];
  if (exponent === undefined) return Number(text.replace("inf", "Infinity"));
  const magnitude = Number.parseInt(lead + fraction, 16) * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === "-" ? -magnitude : magnitude;
}

function write(values: Float64Array): Tensor {
  return { shape: [values.length], base64: Buffer.from(values.buffer).toString("base64") };
}
