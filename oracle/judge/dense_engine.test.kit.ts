import {
  type Conventions,
  type Engine,
  interpreterEngine,
  type LoadedGraph,
  type Reply,
  referenceConventions,
} from "../../engines/index.ts";
import {
  backpropAllCtx,
  type Context,
  dense,
  type Environment,
  type EnvironmentValue,
  evaluate,
  floats,
  type Graph,
  interpret,
  jvpCtx,
  type Node,
  type Tensor,
} from "../../reference/package.ts";
import {
  type FlatTensor,
  formats,
  type NodeId,
  type Point,
  type PrimitiveGraph,
  present,
  type Seed,
  shapesOf,
} from "../../spec/index.ts";
import { withChoices } from "../case/choices.ts";
import { expandProgram } from "../case/expansion.ts";
import { flatten } from "../case/reference_run.ts";

/**
 * Makes an engine that stores every zero and multiplies it: it sweeps expansions in the dense form,
 * differentiates powers by their formula along each operand that depends on an input, and breaks ties as it
 * declares. It is honest, so nobody may accuse it.
 */
export function denseEngine(maximumAtTie: Conventions["maximumAtTie"]): Engine {
  const conventions: Conventions = { ...referenceConventions, maximumAtTie };
  const { accumulation, slopes, ...base } = interpreterEngine().describe();
  return {
    describe: () => ({ ...base, name: `dense, ${maximumAtTie}`, conventions, accuracy: {} }),
    async load(written, dtype): Promise<Reply<LoadedGraph>> {
      const { program, ids } = expandProgram(written);
      const { round } = formats[dtype];
      const algebra = floats[dtype];
      const meaning = interpret(program.graph, algebra);
      if (!meaning.ok) throw new Error("floats offer everything");
      const chosen = withChoices(program.graph, meaning.value, () => conventions);
      const graph = multiplying(program.graph, meaning.value, chosen, round);
      const read = ({ shape, data }: FlatTensor): Tensor<number> => ({ shape, data: [...data].map(round) });
      const lifted = ({ inputs, environment }: Point): readonly [Context<number>, Environment<number>] => [
        inputs.map(read),
        new Map(
          program.graph.environment.map(({ name, kind, shape }): [string, EnvironmentValue<number>] => {
            const flat = present(environment.get(name), "an entry");
            return [
              name,
              kind === "real" ? { kind, tensor: read(flat) } : { kind, shape, indices: [...flat.data] },
            ];
          }),
        ),
      ];
      const answered = (context: Context<number>, from: number): Reply<readonly FlatTensor[]> => ({
        kind: "result",
        value: ids.slice(from).map((id) => flatten(present(context[id], "an answer"))),
      });
      const pulled = (point: Point, seeds: readonly Seed[]): Context<number> => {
        const sparse = new Map(
          seeds.map(({ id, cotangent }) => [present(ids[id], "an id"), read(cotangent)]),
        );
        const everywhere = dense(algebra.additive, shapesOf(program.graph), sparse);
        return backpropAllCtx(algebra.additive, graph, ...lifted(point), everywhere);
      };
      const count = written.inputs.length;
      return {
        kind: "result",
        value: {
          evaluate: async (point) => answered(evaluate(graph, ...lifted(point)), count),
          async jvp(point, tangents) {
            const [x, environment] = lifted(point);
            return answered(jvpCtx(graph, x, tangents.map(read), environment), count);
          },
          async vjp(point, seeds) {
            const all = answered(pulled(point, seeds), 0);
            return all.kind === "result" ? { kind: "result", value: all.value.slice(0, count) } : all;
          },
          backwardDense: async (point, seeds) => answered(pulled(point, seeds), 0),
          unload: async () => {},
        },
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Breaks ties as `chosen`, without multiplying by 0, and differentiates powers by their formula. */
function multiplying(
  written: PrimitiveGraph,
  plain: Graph<number>,
  chosen: Graph<number>,
  round: (x: number) => number,
): Graph<number> {
  const depends = written.inputs.map(() => true);
  const nodes = chosen.nodes.map((node, index): Node<number> => {
    const { op, parents } = present(written.nodes[index], "a node");
    depends.push(op !== "stop_gradient" && parents.some((id) => depends[id] === true));
    const [base, exponent] = parents;
    if (op === "relu") return present(plain.nodes[index], "a node");
    if (op !== "pow" || base === undefined || exponent === undefined || depends[exponent] !== true)
      return node;
    return {
      ...node,
      jvp: (context, tangents) => powerTangent({ context, tangents, base, exponent, round }),
    };
  });
  return { ...chosen, nodes };
}

interface Power {
  readonly context: Context<number>;
  readonly tangents: Context<number>;
  readonly base: NodeId;
  readonly exponent: NodeId;
  round(x: number): number;
}

/** Computes y xʸ⁻¹ ẋ + xʸ ln x ẏ, whatever ẏ is; at 0 by the reference's convention. */
function powerTangent({ context, tangents, base, exponent, round }: Power): Tensor<number> {
  const at = (tensors: Context<number>, id: NodeId, position: number): number =>
    present(tensors[id]?.data[position], "an element");
  const x = present(context[base], "a base");
  return {
    shape: x.shape,
    data: x.data.map((a, position) => {
      const b = at(context, exponent, position);
      const byBase = b === 0 ? 0 : round(b * round(a ** round(b - 1)));
      const byExponent = round(round(a ** b) * (a === 0 ? 0 : round(Math.log(a))));
      const first = round(byBase * at(tangents, base, position));
      return round(first + round(byExponent * at(tangents, exponent, position)));
    }),
  };
}
