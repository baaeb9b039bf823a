import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { suiteTrace } from "../../lean-export/campaign/suite_traces.ts";
import {
  type AskedQuestion,
  hashesOf,
  leanFile,
  readTrace,
  readTraceJson,
  seenAgainst,
} from "../../lean-export/index.ts";
import { verdictByText } from "../../lean-export/verdict_by_text.test.kit.ts";
import { checkQuestion, isQuestion } from "../../spec/documents/index.ts";
import { parseFloat64, type TraceJson } from "../../spec/index.ts";
import { documentsIn } from "../files/documents.ts";
import { callsOf, runsOf } from "../given/given_asked.ts";

/** A vector, or a call of a program's vector, that can be exported; it is asked as `--against` reads it. */
interface Traced {
  readonly place: string;
  readonly questions: readonly AskedQuestion[];
  readonly trace: TraceJson;
}

const graphs: Traced[] = [];
const programs: Traced[] = [];

/** The trace as one who forges it would write it: its hashes fit. */
const forged = (trace: TraceJson): TraceJson => ({ ...trace, hashes: hashesOf(trace) });

beforeAll(async () => {
  const suites = "conformance/suites";
  const files = readdirSync(suites, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".adj"),
  );
  for (const file of files.sort()) {
    const documents = await documentsIn(join(suites, file));
    if (!documents.ok) throw new Error(documents.error[0]?.message);
    for (const { place, json } of documents.value) {
      const calls = callsOf(json);
      const question = isQuestion(json) ? checkQuestion(json) : undefined;
      const cases = calls?.ok === true ? calls.value : question?.ok === true ? [question.value.case] : [];
      if (cases.length === 0) continue;
      const questions = runsOf(json);
      if (!questions.ok) throw new Error(`${place}: ${questions.error[0]?.message}`);
      for (const own of cases) {
        const exported = suiteTrace({ file: place, case: own });
        if (exported.kind !== "trace") continue;
        const traced = { place, questions: questions.value, trace: forged(exported.recorded) };
        (calls === undefined ? graphs : programs).push(traced);
      }
    }
  }
}, 600_000);

/** Says where the trace is another run than was asked, as `lean check` of the trace finds. */
function issuesOfTrace(trace: TraceJson, questions: readonly AskedQuestion[]): readonly string[] {
  const read = readTrace(JSON.stringify(trace), questions);
  return read.ok ? [] : read.error.map(({ code, pointer }) => `${code} ${pointer}`);
}

/** Says the same of the exported file, which Lean is taken to accept as it stands. */
function issuesOfFile(trace: TraceJson, questions: readonly AskedQuestion[]): readonly string[] {
  const flat = readTraceJson(trace);
  if (!flat.ok) throw new Error(flat.error[0]?.message);
  const verdict = verdictByText(leanFile(flat.value).text, () => false);
  if (verdict.kind !== "accepted") throw new Error("its text is no exported file");
  return seenAgainst(verdict.seen.about, { kind: "run", questions }).map(
    ({ code, pointer }) => `${code} ${pointer}`,
  );
}

/** The questions with each index spelled otherwise. */
function respelled(questions: readonly AskedQuestion[], spelled: (index: number) => string): AskedQuestion[] {
  return questions.map(({ graph, texts }) => {
    const isIndex = new Set(graph.environment.flatMap(({ name, kind }) => (kind === "index" ? [name] : [])));
    const environment = new Map(
      [...texts.environment].map(([name, data]) => [
        name,
        isIndex.has(name) ? data.map((text) => spelled(parseFloat64(text) ?? Number.NaN)) : data,
      ]),
    );
    return { graph, texts: { ...texts, environment } };
  });
}

/** Returns the trace with another index in the first entry of Δ that has one; `undefined` where none has. */
function withIndex(trace: TraceJson, text: string): TraceJson | undefined {
  const { graph, point } = trace;
  const entry = graph.environment.find(
    ({ name, kind }) => kind === "index" && (point.environment[name]?.data.length ?? 0) > 0,
  );
  const tensor = entry && point.environment[entry.name];
  if (entry === undefined || tensor === undefined) return undefined;
  const environment = {
    ...point.environment,
    [entry.name]: { ...tensor, data: [text, ...tensor.data.slice(1)] },
  };
  return forged({ ...trace, point: { ...point, environment } });
}

describe("every vector that can be exported", () => {
  const all = (): readonly Traced[] => [...graphs, ...programs];

  test("is there, of graphs and of programs", () => {
    expect(graphs.length).toBeGreaterThan(290);
    expect(programs.length).toBeGreaterThan(220);
  });

  test("is the run of its vector, as a trace and as a Lean file", () => {
    const wrong = all().flatMap(({ place, questions, trace }) => {
      const issues = [...issuesOfTrace(trace, questions), ...issuesOfFile(trace, questions)];
      return issues.length === 0 ? [] : [`${place}: ${issues}`];
    });
    expect(wrong).toEqual([]);
  });

  test.each<[string, (index: number) => string]>([
    ["in decimal", (index) => String(index)],
    ["as a real number", (index) => index.toFixed(1)],
    ["in hexadecimal", (index) => `0x${index.toString(16)}p+0`],
  ])("is the run of its vector with its indices written %s", (_, spelled) => {
    const wrong = all().flatMap(({ place, questions, trace }) => {
      const asked = respelled(questions, spelled);
      const issues = [...issuesOfTrace(trace, asked), ...issuesOfFile(trace, asked)];
      return issues.length === 0 ? [] : [`${place}: ${issues}`];
    });
    expect(wrong).toEqual([]);
  });

  test.each(["nan", "0x1p+20", "999999"])("is refused with %s for an index", (text) => {
    const changed = all().flatMap(({ place, questions, trace }) => {
      const other = withIndex(trace, text);
      return other === undefined ? [] : [{ place, issues: issuesOfTrace(other, questions) }];
    });
    expect(changed.length).toBeGreaterThan(100);
    expect(changed.filter(({ issues }) => issues.length === 0)).toEqual([]);
  });

  test("is refused with its last seed dropped, as a trace and as a Lean file", () => {
    const accepted = all().flatMap(({ place, questions, trace }) => {
      const other = forged({ ...trace, seeds: trace.seeds.slice(0, -1) });
      const isZero = trace.seeds.at(-1)?.cotangent.data.every((text) => /^-?0(?:\/1)?$/.test(text)) ?? true;
      if (isZero) return [];
      const [byTrace, byFile] = [issuesOfTrace(other, questions), issuesOfFile(other, questions)];
      return byTrace.length > 0 && byFile.length > 0 ? [] : [`${place}: ${byTrace}, ${byFile}`];
    });
    expect(accepted).toEqual([]);
  });
});
