/** Compares GradBench's tolerance and ours on two wrong gradients: `node bench/gradbench/main.ts`. */
import { compareRules } from "./compare.ts";
import { scaledGradient, zeroGradient } from "./faults.ts";
import { detEvaluation, lseEvaluation, odeEvaluation, saddleEvaluation } from "./functions.ts";

const asked = [
  [lseEvaluation(2500), zeroGradient],
  [lseEvaluation(20000), zeroGradient],
  [odeEvaluation(1000, 1), zeroGradient],
  [odeEvaluation(10, 10), zeroGradient],
  [saddleEvaluation(), zeroGradient],
  [lseEvaluation(20000), scaledGradient],
  [odeEvaluation(10, 10), scaledGradient],
  [saddleEvaluation(), scaledGradient],
  [detEvaluation(5), scaledGradient],
] as const;

const heads = [
  "function",
  "fault",
  "GradBench's rule",
  "ours rejects",
  "answer",
  "truth",
  "bound",
  "caught there",
  "caught everywhere",
];
console.log(`| ${heads.join(" | ")} |`);
console.log(`| ${heads.map(() => "---").join(" | ")} |`);
const shown = (x: number): string => (x === 0 ? "any" : x > 0 ? x.toPrecision(1) : "");
for (const [evaluation, fault] of asked) {
  const { isAccepted, outside, numbers, at, caught } = await compareRules(evaluation, fault);
  const cells = [
    evaluation.name,
    fault.name,
    isAccepted ? "accepts" : "rejects",
    `${outside} of ${numbers}`,
    at.answer.toPrecision(8),
    at.truth.toPrecision(8),
    at.bound.toPrecision(2),
    shown(caught.first),
    shown(caught.widest),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
