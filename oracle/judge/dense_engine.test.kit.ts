import {
  type Conventions,
  type Engine,
  interpreterEngine,
  referenceConventions,
} from "../../engines/index.ts";
import {
  backpropAllCtx,
  type Context,
  dense,
  floats,
  type Graph,
  interpret,
  type Node,
  type Tensor,
} from "../../reference/package.ts";
import { formats, type NodeId, type PrimitiveGraph, present, shapesOf } from "../../spec/index.ts";
import { withChoices } from "../case/choices.ts";
import { algebraEngine } from "./algebra_engine.test.kit.ts";

/**
 * Makes an engine that stores every zero and multiplies it: it sweeps expansions in the dense form,
 * differentiates powers by their formula along each operand that depends on an input, and breaks ties as it
 * declares. It is honest, so nobody may accuse it.
 */
export function denseEngine(maximumAtTie: Conventions["maximumAtTie"]): Engine {
  const conventions: Conventions = { ...referenceConventions, maximumAtTie };
  const { accumulation, slopes, ...base } = interpreterEngine().describe();
  const description = { ...base, name: `dense, ${maximumAtTie}`, conventions, accuracy: {} };
  return algebraEngine<number>(description, ({ graph: written }, dtype) => {
    const { round } = formats[dtype];
    const { additive, ...algebra } = floats[dtype];
    const meaning = interpret(written, { additive, ...algebra });
    if (!meaning.ok) throw new Error("floats offer everything");
    const chosen = withChoices(written, meaning.value, () => conventions);
    const graph = multiplying(written, meaning.value, chosen, round);
    return {
      additive,
      graph,
      lift: round,
      lower: (x) => x,
      pull: (x, environment, seeds) =>
        backpropAllCtx(additive, graph, x, environment, dense(additive, shapesOf(written), seeds)),
    };
  });
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
