import type { Case } from "../../oracle/case/index.ts";
import type { Verdict } from "../../oracle/hearing/index.ts";
import type { Description } from "../../spec/contract/index.ts";
import type { Result } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { showCase, showExact, showId } from "../report/index.ts";
import type { Printer } from "./printers.ts";

/** A script, and what it printed. */
export interface ShownScript {
  readonly text: string;
  readonly ending: Printer["ending"];
  readonly printed: string;
}

/** A report to an engine's maintainers is made of these. */
interface Found {
  readonly description: Description;
  readonly dtype: DataType;
  readonly asked: Case;
  readonly verdict: Verdict;
  /** The script and what it printed, or why there is none. */
  readonly script: Result<ShownScript, string>;
  /** The versions it ran on, a line each. */
  readonly environment: readonly string[];
  /** The command of adjudge that reproduces it. */
  readonly replay: string;
}

/** Writes the report in Markdown. */
export function issueMarkdown({ script, environment, replay, ...found }: Found): string {
  const { description, verdict } = found;
  const graph = verdict.kind === "disagrees" ? verdict.witness.case : found.asked;
  return `# ${description.name} ${description.version}: ${titleOf(verdict)}

${told(found)}
The smallest graph that shows it, with the numbers that go in:

${fenced("text", showCase(graph).join("\n"))}
${script.ok ? reproduction(script.value) : `There is no script: ${script.error}.\n`}
## Where

${environment.map((line) => `- ${line}`).join("\n")}

It was found by adjudge, which shows it again by

${fenced("sh", replay)}`;
}

function titleOf(verdict: Verdict): string {
  if (verdict.kind !== "disagrees") return "an error where there is an answer";
  const { op, part } = verdict.witness.blame;
  return op === undefined ? "cotangents that do not add up" : `a wrong ${part} of \`${op}\``;
}

function told({ verdict, dtype }: Pick<Found, "verdict" | "dtype">): string {
  if (verdict.kind === "crashed")
    return `In ${dtype} the library fails:\n\n${fenced("text", verdict.message)}`;
  if (verdict.kind !== "disagrees") return `${verdict.kind}\n`;
  const { question, id, element, answer, expected, bound, blame, case: asked } = verdict.witness;
  return `${capitalised(blame.sentence)}

| | |
|---|---|
| precision | ${dtype} |
| asked | ${question} at ${showId(asked, id)}, element ${element} |
| answered | ${showExact(answer)} |
| true value | ${showExact(expected)} |
| as far from it as a faithful computation may be | ${showExact(bound)} |

${howKnown(expected)}
`;
}

/** Says how the true value is known. */
function howKnown(expected: string): string {
  if (!/^[-+0-9]/.test(expected)) {
    return "What is due follows from the definition of the operators; where it is no finite number, from IEEE 754.";
  }
  const source = expected.includes("x")
    ? "was computed with directed rounding, so that it lies in an interval that is known"
    : "is an exact rational number";
  return `The true value ${source}. How far an answer may be from it was derived from the graph by running error
analysis in this precision: it is no tolerance that somebody chose.`;
}

/** Holds, by a script's extension, Markdown's name of the language and how a missing library shows. */
const languages: Readonly<Record<Printer["ending"], { readonly name: string; readonly without: string }>> = {
  py: { name: "python", without: "2 where the library is missing" },
  mjs: { name: "javascript", without: "2 where the library is missing" },
  rs: { name: "rust", without: "2 where it cannot be asked; without the library it does not compile" },
  go: { name: "go", without: "2 where it cannot be asked; without the library it does not compile" },
};

function reproduction({ text, ending, printed }: ShownScript): string {
  const { name, without } = languages[ending];
  return `## To see it

Without adjudge; the exit code is 1 while the fault is there, 0 once it is gone, ${without}.

${fenced(name, text.trimEnd())}
It prints

${fenced("text", printed.trimEnd())}`;
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Fences a text with more backticks than any run of them in it. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}\n`;
}
