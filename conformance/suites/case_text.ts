import {
  type CaseData,
  checkCase,
  formatIssue,
  InvariantError,
  type Shape,
  sizeOf,
} from "../../spec/index.ts";

/** A tensor as a suite writes it: its shape and its elements, in row-major order. */
type TensorText = readonly [shape: Shape, elements: readonly number[]];

/** A node as a suite writes it: operator, parents, and attributes if it has any. */
export type NodeText = readonly [op: string, parents: readonly number[], attributes?: object];

/** A case as a suite writes it. */
export interface CaseText {
  /** Also the name of its file. */
  readonly name: string;
  /** What the case is about, and where it comes from. */
  readonly note: string;
  readonly inputs: Readonly<Record<string, TensorText>>;
  readonly constants?: Readonly<Record<string, TensorText>>;
  readonly indices?: Readonly<Record<string, readonly number[]>>;
  /** Index entries of other ranks than 1: rows of indices, an index for each place. */
  readonly rows?: Readonly<Record<string, TensorText>>;
  readonly nodes: readonly NodeText[];
  /** In the order of the inputs; filled in with distinct small numbers unless given. */
  readonly tangents?: readonly TensorText[];
  /** Cotangents by id. */
  readonly seeds: Readonly<Record<number, TensorText>>;
}

/** The case that a text stands for. Throws {@link InvariantError} if it is not well-formed: the suite is ours. */
export function caseFrom(text: CaseText): CaseData {
  const { inputs, constants = {}, indices = {}, rows = {} } = text;
  const names = Object.keys(inputs);
  const checked = checkCase({
    format: "adjudge.case.v1",
    graph: {
      format: "adjudge.graph.v1",
      inputs: names.map((name) => ({ name, shape: inputs[name]?.[0] ?? [] })),
      environment: [
        ...Object.entries(constants).map(([name, [shape]]) => ({ name, shape, kind: "real" })),
        ...Object.entries(indices).map(([name, list]) => ({ name, shape: [list.length], kind: "index" })),
        ...Object.entries(rows).map(([name, [shape]]) => ({ name, shape, kind: "index" })),
      ],
      nodes: text.nodes.map(([op, parents, attributes = {}]) => ({ op, attributes, parents })),
    },
    point: {
      inputs: Object.values(inputs).map(tensorJson),
      environment: Object.fromEntries([
        ...Object.entries(constants).map(([name, tensor]) => [name, tensorJson(tensor)]),
        ...Object.entries(indices).map(([name, list]) => [name, tensorJson([[list.length], list])]),
        ...Object.entries(rows).map(([name, tensor]) => [name, tensorJson(tensor)]),
      ]),
    },
    tangents: Object.values(inputs).map(([shape], position) =>
      tensorJson(text.tangents?.[position] ?? [shape, generic(shape, position + 1)]),
    ),
    seeds: Object.entries(text.seeds).map(([id, cotangent]) => ({
      id: Number(id),
      cotangent: tensorJson(cotangent),
    })),
    note: text.note,
  });
  if (!checked.ok) throw new InvariantError(`${text.name}: ${checked.error.map(formatIssue).join("; ")}`);
  return checked.value;
}

function tensorJson([shape, elements]: TensorText): object {
  return { shape, data: elements.map((x) => (Object.is(x, -0) ? "-0x0p+0" : String(x))) };
}

/** Small numbers that differ from each other and from those of another `start`: 1.5, −2.5, 3.5, … */
function generic(shape: Shape, start: number): number[] {
  return Array.from({ length: sizeOf(shape) }, (_, i) => (i % 2 === 0 ? 1 : -1) * (start + i + 0.5));
}
