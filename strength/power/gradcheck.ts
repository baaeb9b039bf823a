import type { Engine, LoadedGraph, Point, Reply, Seed } from "../../engines/index.ts";
import type { Case } from "../../oracle/case/case.ts";
import { at, type FlatTensor, type NodeId, nodeId } from "../../spec/index.ts";

/** Inputs move by `eps`; a derivative may lie `atol + rtol·|n|` from the quotient of differences `n`. */
export interface Settings {
  readonly eps: number;
  readonly atol: number;
  readonly rtol: number;
}

/** These are the defaults of `torch.autograd.gradcheck`, as PyTorch 2.15 documents them. */
export const documentedSettings: Settings = { eps: 1e-6, atol: 1e-5, rtol: 1e-3 };

type Elements = readonly Float64Array[];

/**
 * Tells whether finite differences accuse an engine of a case, as `torch.autograd.gradcheck` does by default.
 * The outputs are the nodes that no other reads, and the seeded ids. Every element of every input moves by
 * ±`eps` in float64, one after the other, and the engine's own values there are compared with its gradient
 * of every output element. As there, each gradient is asked twice and must be the same; without a cotangent
 * zeros must come back; forward mode is not asked; NaN is close to nothing. No answer is a wrong one, as an
 * exception fails a test. Source: PyTorch's documentation of `torch.autograd.gradcheck` and its note
 * "Gradcheck mechanics". Cost: two evaluations for each input element, two gradients for each output element.
 */
export async function isAccused(engine: Engine, question: Case, settings: Settings): Promise<boolean> {
  const loaded = await engine.load(question.graph, "float64");
  if (loaded.kind !== "result") return true;
  const program = loaded.value;
  try {
    return !(await passes(program, question.point, outputsOf(question), settings));
  } finally {
    await program.unload();
  }
}

function outputsOf({ graph: { inputs, nodes }, seeds }: Case): readonly NodeId[] {
  const read = new Set(nodes.flatMap(({ parents }) => parents));
  const unread = nodes.map((_, place) => nodeId(inputs.length + place)).filter((id) => !read.has(id));
  return [...new Set([...unread, ...seeds.map(({ id }) => id)])];
}

async function passes(
  program: LoadedGraph,
  point: Point,
  outputs: readonly NodeId[],
  settings: Settings,
): Promise<boolean> {
  const values = await valuesAt(program, point, outputs);
  if (values.length < outputs.length) return false;
  const columns = await quotients(program, point, outputs, settings.eps);
  for (const [output, { shape, data }] of values.entries()) {
    for (const element of data.keys()) {
      const unit = data.map((_, place) => (place === element ? 1 : 0));
      const ask = (): Promise<Elements> =>
        gradientOf(program, point, [{ id: at(outputs, output), cotangent: { shape, data: unit.slice() } }]);
      const analytical = await ask();
      const again = await ask();
      const numerical = columns.map((column) =>
        Float64Array.from(column, (differences) => differences[output]?.[element] ?? Number.NaN),
      );
      if (!areAll(analytical, numerical, (a, n) => isClose(a, n, settings))) return false;
      if (!areAll(analytical, again, Object.is)) return false;
    }
  }
  const nothing = await gradientOf(program, point, []);
  return nothing.every((data) => data.every((x) => x === 0));
}

/** Computes the outputs' central difference quotients for each element of each input. */
async function quotients(
  program: LoadedGraph,
  point: Point,
  outputs: readonly NodeId[],
  eps: number,
): Promise<readonly (readonly Elements[])[]> {
  const columns: Elements[][] = [];
  for (const [input, { data }] of point.inputs.entries()) {
    const column: Elements[] = [];
    for (const element of data.keys()) {
      const low = await valuesAt(program, moved(point, input, element, -eps), outputs);
      const high = await valuesAt(program, moved(point, input, element, eps), outputs);
      column.push(
        high.map(({ data }, output) =>
          data.map((x, i) => (x - (low[output]?.data[i] ?? Number.NaN)) / (2 * eps)),
        ),
      );
    }
    columns.push(column);
  }
  return columns;
}

/** Moves one element of one input. */
function moved(point: Point, input: number, element: number, step: number): Point {
  const inputs = point.inputs.map((tensor, i) =>
    i === input ? { ...tensor, data: tensor.data.map((x, j) => (j === element ? x + step : x)) } : tensor,
  );
  return { ...point, inputs };
}

/** Evaluates the outputs at a point; an output may be an input. Fewer come if the engine does not answer. */
async function valuesAt(
  program: LoadedGraph,
  point: Point,
  outputs: readonly NodeId[],
): Promise<readonly FlatTensor[]> {
  const values = [...point.inputs, ...answered(await program.evaluate(lent(point)))];
  return outputs.flatMap((id) => values[id] ?? []);
}

async function gradientOf(program: LoadedGraph, point: Point, seeds: readonly Seed[]): Promise<Elements> {
  return answered(await program.vjp(lent(point), seeds)).map(({ data }) => data);
}

/** Copies an answer, since the engine may overwrite it; nothing if there is none. */
function answered(reply: Reply<readonly FlatTensor[]>): readonly FlatTensor[] {
  return reply.kind === "result" ? reply.value.map(copied) : [];
}

function copied({ shape, data }: FlatTensor): FlatTensor {
  return { shape, data: data.slice() };
}

/** Copies a point, so that an engine that writes into it only fools itself. */
function lent({ inputs, environment }: Point): Point {
  return {
    inputs: inputs.map(copied),
    environment: new Map([...environment].map(([name, tensor]) => [name, copied(tensor)])),
  };
}

/** Tells whether tensors have the same sizes and `holds` is true of every two elements. */
function areAll(these: Elements, those: Elements, holds: (a: number, n: number) => boolean): boolean {
  return (
    these.length === those.length &&
    these.every((data, i) => {
      const other = those[i];
      return data.length === other?.length && data.every((a, j) => holds(a, other[j] ?? Number.NaN));
    })
  );
}

/** Compares as `torch.allclose` does: an infinity is close to itself alone, NaN to nothing. */
function isClose(a: number, n: number, { atol, rtol }: Settings): boolean {
  const error = Math.abs(a - n);
  return a === n || (Number.isFinite(error) && error <= atol + rtol * Math.abs(n));
}
