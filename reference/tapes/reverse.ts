import { shapesOf } from "../../spec/expansion/index.ts";
import { at, fail, type Issue, type NodeId, nodeId, ok, type Result } from "../../spec/shapes/index.ts";
import { type Context, entry, type SparseContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { pullBack } from "../graph.ts";
import { sumPerParent } from "../interpret.ts";
import { type Pulling, pullings } from "../pullings.ts";
import { reverseRules } from "../reverse_needs.ts";
import { evaluate } from "../sweep.ts";
import type { Tensor } from "../tensor.ts";
import type { Subject, Written } from "./subject.ts";

/** A rule pulls a node's cotangent back, and reads these values for it. */
export interface ReverseRule<S> {
  readonly reads: readonly NodeId[];
  /** The ids that it contributes to, where these are not all that the node reads. */
  readonly gives?: readonly NodeId[];
  /** `context` has what {@link ReverseRule.reads} lists; it may have nothing else. */
  pull(context: Context<S>, environment: Environment<S>, c: Tensor<S>): SparseContext<S>;
}

/** Returns each node's own `vjp` as its rule, which reads its operands. */
export function rulesOnOperands<S>({ data }: Subject<S>): readonly ReverseRule<S>[] {
  return data.nodes.map(({ reads }, index) => ({
    reads,
    pull: (context, environment, c) => pullBack(data, context, environment, data.inputs.length + index, c),
  }));
}

/**
 * Takes for each node the rule of `spec/derivatives/`, given what it reads and nothing else: operands, or the
 * node's own value, or neither [docs/needs.md]. Fails: `tape/unwritten`, and as {@link reverseRules} does.
 */
export function rulesOnNeeds<S>(subject: Subject<S>): Result<readonly ReverseRule<S>[], Issue[]> {
  const written = writtenOf(subject);
  if (!written.ok) return written;
  const { graph, meaningOf } = written.value;
  const rules = reverseRules(graph, shapesOf(graph));
  if (!rules.ok) return rules;
  const pulls = pullings(rules.value, meaningOf);
  if (!pulls.ok) return pulls;
  return ok(
    graph.nodes.map(({ parents }, index): ReverseRule<S> => {
      const own = nodeId(graph.inputs.length + index);
      const needs = at(rules.value, index).needs.filter((need) => need !== undefined);
      const operands = needs.flatMap((need) => need.operands.map((place) => at(parents, place)));
      const reads = new Set([...operands, ...(needs.some(({ value }) => value) ? [own] : [])]);
      return {
        reads: [...reads],
        pull: (context, environment, c) => {
          const given = [...parents, own].map((id) => (reads.has(id) ? entry(context, id) : undefined));
          const bars = at(pulls.value, index).map(
            (pulling) => pulling && pulled(pulling, [...given, c], environment),
          );
          return sumPerParent(subject.additive, parents, bars);
        },
      };
    }),
  );
}

function pulled<S>(
  { meaning, result }: Pulling<S>,
  given: readonly (Tensor<S> | undefined)[],
  environment: Environment<S>,
): Tensor<S> {
  const context: Tensor<S>[] = [];
  for (const [place, value] of given.entries()) if (value !== undefined) context[place] = value;
  context.length = given.length;
  return entry(evaluate(meaning, context, environment), result);
}

/** Returns the graph as it was written. Fails: `tape/unwritten` if somebody gave its nodes by hand. */
export function writtenOf<S>({ written }: Subject<S>): Result<Written<S>, Issue[]> {
  if (written !== undefined) return ok(written);
  return fail([
    {
      code: "tape/unwritten",
      pointer: "",
      message: "the nodes were given as functions, and this tape needs the graph that they mean.",
      hint: "record a graph of primitives, or on a tape that runs the nodes' own vjp",
    },
  ]);
}
