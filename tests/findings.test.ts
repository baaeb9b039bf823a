import { existsSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { suiteData, tapeData } from "../conformance/corpus/suite.ts";
import {
  bundledEngine,
  findings,
  type IssueQuestion,
  issueQuestion,
  printers,
} from "../conformance/index.ts";
import { inModes } from "../conformance/testees/programs.test.kit.ts";
import type { Engine } from "../engines/index.ts";
import { type Case, type Heard, judge, nothingHeard, type Verdict } from "../oracle/index.ts";
import { type DataType, present } from "../spec/index.ts";
import { sampled } from "../spec/sampled.test.kit.ts";

const document = readFileSync(new URL("../docs/findings.md", import.meta.url), "utf8");
const vectors = suiteData();
const tapes = tapeData();
const engines = new Map<string, Engine>();
/**
 * It has, of each engine that was asked, what a script asks for each of its findings; the reason where none
 * can.
 */
const questions = new Map<string, (IssueQuestion | string)[]>();

/** Returns the engine, started once; `undefined` where it is not installed. */
async function started(name: string): Promise<Engine | undefined> {
  const known = engines.get(name);
  if (known !== undefined) return known;
  const outcome = await bundledEngine(name)?.start({});
  if (outcome?.kind === "missing") return undefined;
  if (outcome?.kind !== "started") throw new Error(`${name} did not start`);
  engines.set(name, outcome.engine);
  return outcome.engine;
}

/** Tells whether differentiation is at fault: within the graph, or of a graph whose value is answered. */
async function isOfDerivative(
  engine: Engine,
  asked: Case,
  verdict: Verdict,
  dtype: DataType,
): Promise<boolean> {
  if (asked.graph.nodes.some(({ op }) => op === "differentiate")) return true;
  if (verdict.kind === "disagrees") return verdict.witness.question !== "evaluate";
  const valued = await judge(inModes(engine, ["evaluate"]), asked, { dtype, shrinkBudget: 0 });
  return valued.kind !== "crashed";
}

const everyNumber = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** Returns the question, as if other numbers were right. */
function withRight(question: IssueQuestion, right: "nan" | typeof everyNumber): IssueQuestion {
  const wrong = present(question.wrong, "what is wrong");
  return { ...question, wrong: { ...wrong, due: { kind: "number", element: 0, right } } };
}

afterAll(async () => {
  for (const engine of engines.values()) await engine[Symbol.asyncDispose]();
});

// An upgrade that mends a fault fails here: then docs/findings.md must say so.
describe("the findings", () => {
  const drawn = sampled("findings", findings(), 60);
  const isWhole = drawn.length === findings().length;
  for (const finding of drawn) {
    test(`${finding.name} still stands`, async ({ skip }) => {
      const question = present(vectors.get(`findings/${finding.name}`), finding.name);
      const engine = await started(finding.engine);
      if (engine === undefined) return skip(`${finding.engine} is not installed`);
      let heard = nothingHeard;
      const hear = (all: Heard): void => {
        heard = all;
      };
      const verdict = await judge(engine, question.case, { dtype: finding.dtype, shrinkBudget: 0, hear });
      if (finding.verdict === "imprecise") {
        expect([verdict.kind, finding.isOfDerivative]).toEqual(["agrees", true]);
        return expect([...heard.imprecise.keys()]).toEqual([finding.blames]);
      }
      expect(verdict.kind).toBe(finding.verdict);
      expect(await isOfDerivative(engine, question.case, verdict, finding.dtype)).toBe(
        finding.isOfDerivative,
      );
      if (verdict.kind === "disagrees") expect(verdict.witness.blame.op).toBe(finding.blames);
      const put = await issueQuestion(engine, question.case, finding.dtype, verdict);
      questions.set(finding.engine, [
        ...(questions.get(finding.engine) ?? []),
        put.ok ? put.value : put.error,
      ]);
    });
  }

  test.for([...printers.keys()])(
    "of %s are each seen without adjudge, by a script",
    { timeout: 120_000 },
    async (name, { skip }) => {
      const asked = questions.get(name);
      const printer = present(printers.get(name), "a printer");
      if (asked === undefined) return skip(`${name} is not installed, or has no finding`);
      expect(asked.filter((question) => typeof question === "string")).toEqual([]);
      const put = asked.filter((question) => typeof question !== "string");
      // Of a number either NaN is right, or all others: one of the two scripts says that the fault is gone.
      // A sample may have none of an engine; all findings together have.
      const first = put.find(({ wrong }) => wrong?.due.kind === "number");
      const rights = first === undefined && !isWhole ? [] : (["nan", everyNumber] as const);
      const mended = rights.map((right): IssueQuestion => withRight(present(first, "a number"), right));
      const scripts = await printer.scripts([...put, ...mended]);
      expect(scripts.filter((script) => !script.ok)).toEqual([]);
      const texts = scripts.flatMap((script) => (script.ok ? [script.value] : []));
      expect(texts.filter((text) => /adjudge/i.test(text))).toEqual([]);
      const { codes, printed } = printer.run(texts);
      expect([printed, codes.slice(0, put.length)]).toEqual([printed, put.map(() => 1)]);
      expect(codes.slice(put.length).toSorted()).toEqual(mended.length === 0 ? [] : [0, 1]);
    },
  );

  test("are told in a document, whose lines replay files that are there", () => {
    for (const [, file = "", name] of document.matchAll(/replay (conformance\/\S+\.adj)#(\S+)/g)) {
      expect([file, existsSync(new URL(`../${file}`, import.meta.url))]).toEqual([file, true]);
      const theme = file.split("/")[2]?.replace(".adj", "");
      expect([name, vectors.has(`${theme}/${name}`) || tapes.has(`${theme}/${name}`)]).toEqual([name, true]);
    }
  });
});
