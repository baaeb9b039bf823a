import { shapeOfNode } from "../../spec/expansion/index.ts";
import {
  entriesNamedBy,
  type Graph,
  isPrimitiveGraph,
  type Node,
  type NodeOf,
  operatorsWithin,
} from "../../spec/graph/index.ts";
import { isPrimitiveName } from "../../spec/operators/index.ts";
import { type Algebra, at, fail, type Issue, ok, type Result, type Shape } from "../../spec/shapes/index.ts";
import { constantDual, dual } from "../algebras/dual.ts";
import { entry } from "../context.ts";
import { mapEnvironment } from "../environment.ts";
import type { GraphData, NodeData } from "../graph.ts";
import { interpret, sumPerParent } from "../interpret.ts";
import { map, zip } from "../tensor.ts";
import { keepOperands } from "./dynamic.ts";
import { type Leveling, Levels, plain, settled, soundLeveling } from "./levels.ts";
import { type Storage, type Subject, subjectOfData } from "./subject.ts";
import { type TapeSystem, tapeSystem } from "./system.ts";

/**
 * Tapes within tapes: records a subject whose derivatives are nodes ({@link nestedSubject}). A tape of its
 * own level computes each, and a sweep over that tape's sweep pulls it back. Else it is the dynamic one.
 */
export const nested: TapeSystem = tapeSystem({
  name: "nested",
  summary: "the operands of every node; of a derivative, a tape of its own level",
  keep: keepOperands,
});

/**
 * Returns a graph whose derivatives are nodes and other composites written out, for {@link nested} to record.
 * Law: as with the derivatives written out too. Fails: `tape/composite`, and as {@link interpret} does.
 */
export function nestedSubject<S, B>(
  graph: Graph,
  algebra: Algebra<S, B>,
  storage: Storage<S> = {},
  leveling: Leveling = soundLeveling,
): Result<Subject<S>, Issue[]> {
  if (operatorsWithin(graph).some((op) => op !== "differentiate" && !isPrimitiveName(op)))
    return fail([composite()]);
  const shapes = shapesWithin(graph);
  const stand = graph.nodes.map(
    (node, index): Node =>
      node.op === "differentiate"
        ? {
            op: "full",
            attributes: { shape: at(shapes, graph.inputs.length + index), value: 0 },
            parents: [],
          }
        : node,
  );
  const standing = { ...graph, nodes: stand };
  if (!isPrimitiveGraph(standing)) return fail([composite()]);
  const meaning = interpret(standing, algebra);
  if (!meaning.ok) return meaning;
  const nodes = meaning.value.nodes.map((node, index): NodeData<S> => {
    const written = graph.nodes[index];
    return written?.op === "differentiate" ? derivativeNode(graph, written, node, algebra, leveling) : node;
  });
  const data: GraphData<S> = { inputs: meaning.value.inputs, nodes };
  const isPlain = isPrimitiveGraph(graph);
  const known = isPlain
    ? {
        graph,
        semiring: algebra.levels.semiring,
        meaningOf: (other: typeof standing) => interpret(other, algebra),
      }
    : undefined;
  return ok(subjectOfData(algebra.additive, data, known, storage));
}

function derivativeNode<S, B>(
  { environment: declared }: Graph,
  written: NodeOf<"differentiate">,
  { name: _, ...stand }: NodeData<S>,
  algebra: Algebra<S, B>,
  leveling: Leveling,
): NodeData<S> {
  const { parents } = written;
  return {
    ...stand,
    name: "differentiate",
    reads: parents,
    forward: (context, environment) => {
      const levels = new Levels(algebra, environment, declared, leveling);
      return settled(
        levels.differentiate(
          written,
          parents.map((id) => plain(entry(context, id))),
        ),
      );
    },
    jvp: (context, tangents, environment) => {
      const duals = mapEnvironment(environment, (x) => constantDual(algebra.additive, x));
      const levels = new Levels(dual(algebra), duals, declared, leveling);
      const operands = parents.map((id) =>
        plain(zip(entry(context, id), entry(tangents, id), (x, xDot) => ({ x, xDot }))),
      );
      return map(settled(levels.differentiate(written, operands)), ({ xDot }) => xDot);
    },
    vjp: (context, environment, c) => {
      const levels = new Levels(algebra, environment, declared, leveling);
      const operands = parents.map((id) => entry(context, id));
      return sumPerParent(algebra.additive, parents, levels.pullBack(written, operands, c));
    },
  };
}

/** The shapes of all ids. */
function shapesWithin({ inputs, nodes, environment }: Graph): readonly Shape[] {
  const declared = new Map(environment.map((declaration) => [declaration.name, declaration]));
  const shapes = inputs.map(({ shape }) => shape);
  for (const node of nodes) {
    const shape = shapeOfNode(node, shapes, entriesNamedBy(node, declared));
    shapes.push(shape.ok ? shape.value : []);
  }
  return shapes;
}

function composite(): Issue {
  return {
    code: "tape/composite",
    pointer: "",
    message: "the graph has composites that are no derivatives.",
    hint: "write them out first",
  };
}
