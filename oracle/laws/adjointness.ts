import { nodeId } from "../../spec/index.ts";
import type { Hearing, Law } from "../judge/ask.ts";
import { agrees, type Outcome } from "../judge/outcome.ts";
import { approximateRational, truthOf } from "../truth/index.ts";
import { allAnswered, broken } from "./answers.ts";
import { canBeEqual, noPairing, type Pairing, pair } from "./pairing.ts";

/**
 * The global law: `dot(jvp(dx), seed) = dot(dx, vjp(seed))`. Both dot products are taken exactly; the answers
 * themselves may be off by their bounds. It ties an engine's two modes to each other with no reference value.
 */
export const adjointness: Law = {
  name: "adjointness",
  needs: ["jvp", "vjp"],
  check: (hearing) => checkAlong(hearing, hearing.question.tangents, "adjointness"),
};

/** More basis directions than this are not asked for in one case. */
const MAXIMUM_DIRECTIONS = 4;

/**
 * Forward and reverse mode agree entry by entry: the adjointness law along single basis directions, so that
 * errors cannot cancel between the entries of a gradient.
 */
export const forwardIsReverse: Law = {
  name: "forward = reverse",
  needs: ["jvp", "vjp"],
  async check(hearing) {
    const { tangents } = hearing.question;
    const positions = tangents.flatMap(({ data }, input) =>
      [...data].map((_, element) => ({ input, element })),
    );
    const stride = Math.max(1, Math.ceil(positions.length / MAXIMUM_DIRECTIONS));
    for (const [index, { input, element }] of positions.entries()) {
      if (index % stride !== 0) continue;
      const direction = tangents.map(({ shape, data }, other) => ({
        shape,
        data: data.map((_, position) => (other === input && position === element ? 1 : 0)),
      }));
      const outcome = await checkAlong(hearing, direction, "forward = reverse");
      if (outcome.kind !== "agrees") return outcome;
    }
    return agrees;
  },
};

async function checkAlong(
  { program, question, standard, truth }: Hearing,
  tangents: Hearing["question"]["tangents"],
  name: "adjointness" | "forward = reverse",
): Promise<Outcome> {
  const { point, seeds, graph } = question;
  const replies = allAnswered([await program.jvp(point, tangents), await program.vjp(point, seeds)]);
  if ("outcome" in replies) return replies.outcome;
  const [computed = [], cotangents = []] = replies.answers;
  const along = truthOf({ ...question, tangents }, standard);
  const allTangents = [...tangents, ...computed];
  let [forward, reverse]: [Pairing, Pairing] = [noPairing, noPairing];
  for (const { id, cotangent } of seeds) {
    const answer = allTangents[id];
    if (answer !== undefined) forward = pair(forward, answer, cotangent, along.tangent(id));
  }
  for (const [input, answer] of cotangents.entries()) {
    const direction = tangents[input];
    if (direction !== undefined) reverse = pair(reverse, answer, direction, truth.cotangent(nodeId(input)));
  }
  const equal = canBeEqual(forward, reverse);
  if (equal === undefined) return { kind: "undecided", cause: `${name}: an answer or a bound is not finite` };
  if (equal) return agrees;
  const place = { id: nodeId(Math.max(0, graph.inputs.length - 1)), element: 0 };
  const slack = approximateRational(forward.slack) + approximateRational(reverse.slack);
  return broken(name, place, approximateRational(reverse.value), approximateRational(forward.value), slack);
}
