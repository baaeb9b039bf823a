import { type Claim, type ClaimedTrace, decided, kindClaims, partClaims } from "./claims.ts";
import { isNearRow, type NamedRow } from "./function_rows.ts";

/** Counts decide which theorems a file with a verdict has. */
export interface ClaimedVerdict extends ClaimedTrace {
  readonly functions: readonly Omit<NamedRow, "slopes">[];
}

const fits = "GivenFits program given";
const seen = "AnswersSeen program enclosure answers";
const judges = "program.Judges functions given enclosure answers";
const rowsSeen = { noun: "function", predicate: "FunctionsSeen functions" };
const decides = "program.Decides functions given enclosure answers";

/** These claims say that shapes fit, and that the intervals of values and cotangents are wide enough. */
const kinds = [
  { noun: "shape", predicate: "ShapesAgreeBy program" },
  { noun: "value", predicate: "ValuesEnclosed program functions given enclosure" },
  { noun: "cotangent", predicate: "CotangentsEnclosed program functions given enclosure" },
];

/** Returns all that a theorem of such a file can state, with 7 and 9 where two numbers stand. */
export const verdictStatements: readonly string[] = [
  ...kinds.map(({ predicate }) => `${predicate} 7 9`),
  `${fits} 7 9`,
  seen,
  judges,
  `${rowsSeen.predicate} 7 9`,
  `${decides} 7 9`,
];

/**
 * Returns every theorem of a file with a verdict. The last says that for all functions that are the
 * elementary ones, and have what the last rows say, to which {@link isNearRow} does not hold, the run is
 * within the intervals, and each answer is as far from it as is claimed.
 */
export function verdictClaims(verdict: ClaimedVerdict): Claim[] {
  const { program, run, functions } = verdict;
  const inputs = program.inputs.length;
  const near = functions.filter(isNearRow).length;
  const [rows] = partClaims(rowsSeen, [[0, near]]);
  return [
    ...kinds.flatMap((kind) => kindClaims(kind, kind.noun === "shape" ? inputs : 0, verdict, 0)),
    { name: "data", proposition: `${fits} ${inputs} ${run.values.length}`, proof: decided },
    { name: "answers_seen", proposition: seen, proof: decided },
    {
      name: "answers_are_judged",
      proposition: judges,
      proof: "judges_of_segments data shapes values cotangents answers_seen",
    },
    ...(rows === undefined ? [] : [{ ...rows, name: "functions_seen" }]),
    {
      name: "verdict",
      proposition: `${decides} 0 ${near}`,
      proof: "decides_of_judges answers_are_judged functions_seen",
    },
  ];
}
