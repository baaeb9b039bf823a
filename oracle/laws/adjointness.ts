import type { Reply } from "../../spec/contract/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { agrees, type Hearing, type Law, type Outcome, worse } from "../hearing/index.ts";
import { approximateRational } from "../truth/centre/index.ts";
import { type Truth, truthOf } from "../truth/index.ts";
import { allAnswered, broken } from "./answers.ts";
import { canBeEqual, noPairing, type Pairing, pair } from "./pairing.ts";

/**
 * Checks `dot(jvp(dx), seed) = dot(dx, vjp(seed))` with no reference value. Both dot products are exact; the
 * answers may be off by their bounds. An engine whose two modes disagree breaks it.
 */
export const adjointness: Law = {
  name: "adjointness",
  needs: ["jvp", "vjp"],
  followsFromTruth: true,
  async check(hearing) {
    const { question, truth, answer } = hearing;
    const { given: reply } = await answer("jvp");
    return checkAlong(hearing, { name: "adjointness", tangents: question.tangents, reply, truth });
  },
};

/** At most this many basis directions are asked for in one case. */
const MAXIMUM_DIRECTIONS = 4;

/**
 * Checks adjointness along single basis directions: forward and reverse mode agree entry by entry, so errors
 * cannot cancel between the entries of a gradient.
 */
export const forwardIsReverse: Law = {
  name: "forward = reverse",
  needs: ["jvp", "vjp"],
  followsFromTruth: true,
  async check(hearing) {
    const { question, program, handed, standard } = hearing;
    const { tangents } = question;
    const positions = tangents.flatMap(({ data }, input) =>
      [...data].map((_, element) => ({ input, element })),
    );
    const stride = Math.max(1, Math.ceil(positions.length / MAXIMUM_DIRECTIONS));
    let said: Outcome = agrees;
    for (const [index, { input, element }] of positions.entries()) {
      if (index % stride !== 0) continue;
      const direction = tangents.map(({ shape, data }, other) => ({
        shape,
        data: data.map((_, position) => (other === input && position === element ? 1 : 0)),
      }));
      const reply = await program.jvp(handed.point, direction);
      const truth = truthOf({ ...question, tangents: direction }, standard);
      const along: Along = { name: "forward = reverse", tangents: direction, reply, truth };
      said = worse(said, await checkAlong(hearing, along));
      if (said.kind === "differs" || said.kind === "crashed") return said;
    }
    return said;
  },
};

/** An engine gave this reply along a direction, of which this is the truth. */
interface Along {
  readonly name: "adjointness" | "forward = reverse";
  readonly tangents: readonly FlatTensor[];
  readonly reply: Reply<readonly FlatTensor[]>;
  readonly truth: Truth;
}

async function checkAlong(
  { question: { seeds, graph }, truth, answer }: Hearing,
  { name, tangents, reply, truth: along }: Along,
): Promise<Outcome> {
  const replies = allAnswered([reply, (await answer("vjp")).given]);
  if ("outcome" in replies) return replies.outcome;
  const [computed = [], cotangents = []] = replies.answers;
  const allTangents = [...tangents, ...computed];
  let [forward, reverse]: [Pairing, Pairing] = [noPairing, noPairing];
  for (const { id, cotangent } of seeds) {
    const tangent = allTangents[id];
    if (tangent !== undefined) forward = pair(forward, tangent, cotangent, along.tangent(id));
  }
  for (const [input, cotangent] of cotangents.entries()) {
    const direction = tangents[input];
    if (direction !== undefined)
      reverse = pair(reverse, cotangent, direction, truth.cotangent(nodeId(input)));
  }
  const equal = canBeEqual(forward, reverse);
  if (equal === undefined) return { kind: "undecided", cause: `${name}: an answer or a bound is not finite` };
  if (equal) return agrees;
  const place = { id: nodeId(Math.max(0, graph.inputs.length - 1)), element: 0 };
  const slack = approximateRational(forward.slack) + approximateRational(reverse.slack);
  return broken(name, place, approximateRational(reverse.value), approximateRational(forward.value), slack);
}
