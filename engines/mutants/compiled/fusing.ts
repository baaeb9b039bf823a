import type { Scope, Value } from "../../../spec/builder/index.ts";
import type { Graph, Node } from "../../../spec/graph/index.ts";
import type { NodeId } from "../../../spec/shapes/index.ts";
import { soundParts } from "../../interpretation/index.ts";
import { interpreterEngine } from "../../interpreter/index.ts";
import type { Mutant } from "../mutant.ts";

/** A wrong rewrite: what a compiler looks for in a graph, and what it puts there. */
export interface Rewrite {
  readonly fault: string;
  /** Returns the operands of what replaces the node; `undefined` where the pattern is not. */
  readonly finds: (node: Node, seen: Seen) => readonly NodeId[] | undefined;
  /** Writes the replacement, which has the node's shape. */
  readonly writes: (scope: Scope, node: Node, x: Value, y: Value, ...more: readonly Value[]) => Value;
}

/** A pattern looks at these. */
export interface Seen {
  /** Returns the node that computes an id; `undefined` for an input. */
  readonly node: (id: NodeId | undefined) => Node | undefined;
  readonly graph: Graph;
}

/** A composite that stands in for whatever replaces a node, whose ids all stay. */
const STAND_IN = "minimum";

/** A mutant after a reported fault, which differs from the interpreter on some graphs only. */
export interface CompiledMutant extends Mutant {
  /** Tells whether the graph has what the fault concerns. */
  mayDiffer(graph: Graph): boolean;
}

/** Makes the mutant that applies a rewrite wherever its pattern is. */
export function fusing(name: string, source: string, { fault, finds, writes }: Rewrite): CompiledMutant {
  return {
    mayDiffer: (graph) => graph.nodes.some((node) => finds(node, seenIn(graph)) !== undefined),
    name,
    fault,
    source,
    operator: undefined,
    engine() {
      const replaced = new WeakMap<object, Node>();
      const { composites } = soundParts;
      const sound = composites[STAND_IN];
      const engine = interpreterEngine(`mutant: ${name}`, {
        composites: {
          ...composites,
          [STAND_IN]: {
            ...sound,
            refuse: () => undefined,
            expand(scope: Scope, attributes: Readonly<Record<string, never>>, ...operands: readonly Value[]) {
              const node = replaced.get(attributes);
              const [x, y = x, ...more] = operands;
              return node === undefined || x === undefined || y === undefined
                ? sound.expand(scope, attributes, ...operands)
                : writes(scope, node, x, y, ...more);
            },
          },
        },
      });
      const rewritten = (graph: Graph): Graph => {
        const seen = seenIn(graph);
        const nodes = graph.nodes.map((node): Node => {
          const parents = finds(node, seen);
          if (parents === undefined) return node;
          const attributes = {};
          replaced.set(attributes, node);
          return { op: STAND_IN, attributes, parents };
        });
        return { ...graph, nodes };
      };
      return { ...engine, load: (graph, dtype) => engine.load(rewritten(graph), dtype) };
    },
  };
}

function seenIn(graph: Graph): Seen {
  return {
    graph,
    node: (id) => (id === undefined ? undefined : graph.nodes[id - graph.inputs.length]),
  };
}
