import { folded } from "../../conformance/report/index.ts";
import { adjointSquare, brokenSteps, type Square } from "../../oracle/obligations/graphs/index.ts";
import { randomAt } from "../../oracle/random/index.ts";
import type { DeriveOnce } from "../../spec/derivatives/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { counted, fail, InvariantError, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { AskedIds } from "../given/given_ids.ts";

/** The gradient is compared at so many points. */
const POINTS = 3;

/** Behind the mark of a comment a line has so many columns. */
const COMMENT = 78;

/** A derivative may have at most this many nodes. */
const MOST_NODES = 20_000;

/** Numbers of points are whole, and at most this large. */
const GREATEST = 9;

/**
 * Says that a graph's gradient is the same whether it is derived and then lowered, or lowered and then
 * pulled back by the planner, after each of the planner's passes, over the rationals. Throws
 * {@link InvariantError} if it is not. Fails: as derivation does; `derive/check` where a function has no
 * rational values.
 */
export function checkedSquare(
  graph: Graph,
  asked: AskedIds,
  once: DeriveOnce,
): Result<readonly string[], Issue[]> {
  const points = Array.from({ length: POINTS }, (_, point) => (source: string, element: number) => {
    const place = [...source].reduce(
      (sum, character) => (31 * sum + (character.codePointAt(0) ?? 0)) % 2 ** 30,
      point,
    );
    return randomAt(place, element).nextInt(-GREATEST, GREATEST);
  });
  const square = adjointSquare(graph, { ...asked, points }, undefined, (one, ids) =>
    once(one, { mode: "vjp", ...ids }, MOST_NODES),
  );
  if (!square.ok) return square;
  const { steps, functions } = square.value;
  const [broken] = brokenSteps(steps);
  if (broken !== undefined && functions.length > 0) return fail([mayUseIdentities(functions)]);
  if (broken !== undefined)
    throw new InvariantError(`${broken.way}, ${broken.name}: the gradient is another one`);
  const numbers = steps[0]?.gradients[0]?.length ?? 0;
  const any = functions.length === 0 ? "" : `, with any function for ${functions.join(", ")}`;
  return ok([
    ...folded(
      `✓ ${counted(numbers, "number")} of the gradient, the same at ${POINTS} points over the rationals${any}`,
      "",
      COMMENT,
    ),
    ...told(steps, "derived, then lowered"),
    ...told(steps, "lowered, then derived"),
  ]);
}

/** Names the steps of a way, each once. */
function told(steps: Square["steps"], way: Square["steps"][number]["way"]): string[] {
  const names = new Set(steps.filter((step) => step.way === way).map(({ name }) => name));
  const passes = [...names].slice(1);
  return folded(`${way}${passes.length === 0 ? "" : `, and after ${passes.join(", ")}`}`, "  ", COMMENT);
}

function mayUseIdentities(functions: readonly string[]): Issue {
  return {
    code: "derive/check",
    pointer: "",
    message: `with any function for ${functions.join(", ")} the two ways differ, which says nothing: a rule may use an identity of one.`,
    hint: "leave --check out; adjudge judge compares rounded gradients of any graph",
  };
}
