import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { LeanChecker } from "../../lean-export/campaign/checker.ts";
import { perturbationKinds } from "../../lean-export/campaign/perturb.ts";
import { randomTrace, recordAgain } from "../../lean-export/campaign/random_traces.ts";
import { perturbations } from "../../lean-export/campaign/traces.ts";
import { type LeanVerdict, readTraceJson } from "../../lean-export/index.ts";
import { fail, ok, validateLeanVerdict } from "../../spec/index.ts";
import { adjudge } from "../process/recording.test.kit.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import { accepted, lean, listed, saying, square } from "./lean.test.kit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-lean-"));
afterAll(() => rm(folder, { recursive: true }));

/** Writes a JSON document to a file of that name and returns its path. */
async function written(name: string, document: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(document));
  return path;
}

function rejected(claim: string): LeanVerdict {
  return { kind: "rejected", claim, message: "it is false\nfor all to see", place: "x:1:0" };
}

describe("adjudge lean export", () => {
  test("writes the trace that adjudge run has written", async () => {
    const graph = await written("square.json", square);
    const trace = join(folder, "trace.json");
    await adjudge("run", graph, "-a", "rational", "-i", "x=1/3", "--trace", trace);
    const { code, out } = await adjudge("lean", "export", trace);
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain("[mkRat 1 9]");
    const path = join(folder, "trace.lean");
    expect(await adjudge("lean", "export", trace, "-o", path)).toMatchObject({
      code: exitCodes.agrees,
      out: "",
    });
    expect(await readFile(path, "utf8")).toBe(`${out}\n`);
  });

  test("writes a run for TorchLean, and says why it cannot", async () => {
    const graph = await written("square.json", square);
    const trace = join(folder, "torchlean.json");
    await adjudge("run", graph, "-a", "rational", "-i", "x=1/3", "--trace", trace);
    const { code, out } = await adjudge("lean", "export", trace, "--to", "torchlean");
    expect([code, out]).toEqual([exitCodes.agrees, expect.stringContaining("def prog : TapeM ℚ Nat := do")]);
    const enclosure = await adjudge("lean", "export", trace, "--to", "torchlean-enclosure");
    expect([enclosure.code, enclosure.out]).toEqual([
      exitCodes.agrees,
      expect.stringContaining("def provedRealEnclosure "),
    ]);
    await adjudge("run", graph, "-a", "modular", "-i", "x=3", "--trace", trace);
    const refused = await adjudge("lean", "export", trace, "--to", "torchlean");
    expect([refused.code, refused.notes]).toEqual([
      exitCodes.badInput,
      expect.stringContaining("torchlean/algebra"),
    ]);
  });

  test("tells what is wrong with its input", async () => {
    const graph = await written("square.json", square);
    expect(await adjudge("lean", "export", graph)).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("schema/"),
    });
    expect(await adjudge("lean", "export", join(folder, "none.json"))).toMatchObject({
      code: exitCodes.badInput,
    });
    const trace = await written("trace.json", randomTrace(1, 0));
    expect(await adjudge("lean", "export", trace, "-o", join(folder, "none", "x.lean"))).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("file/unwritable"),
    });
  });
});

describe("adjudge lean check", () => {
  test.each<[string, LeanVerdict, ExitCode, string]>([
    ["accepted", accepted, exitCodes.agrees, "✓ accepted"],
    ["accepted and proved", accepted, exitCodes.agrees, "proved: Adjudge.Program.Runs Int"],
    ["accepted of a zero seed", accepted, exitCodes.agrees, "The seed is zero everywhere"],
    ["rejected", rejected("value_1"), exitCodes.disagrees, "✗ rejected: value_1: it is false"],
    [
      "what could not be run",
      { kind: "could-not-run", reason: "there is no Lean", hint: "install one" },
      exitCodes.undecided,
      "? could not be checked: there is no Lean",
    ],
  ])("tells what is %s from the rest", async (_what, verdict, code, line) => {
    const trace = await written("trace.json", randomTrace(1, 0));
    expect(
      await lean(
        saying(() => verdict),
        "check",
        trace,
      ),
    ).toMatchObject({
      code,
      out: expect.stringContaining(line),
    });
  });

  test.each<[string, LeanVerdict]>([
    ["a claim's name", rejected("a\u0085\u001b[2Jb")],
    ["Lean's message", { kind: "rejected", message: "\u202ea\u001b]0;b\u0007", place: "\u009bx:1:0" }],
    ["a reason", { kind: "could-not-run", reason: "one\u001b[2J\ntwo\u2028", hint: "install one" }],
  ])("says %s in characters that can be seen", async (_what, verdict) => {
    const trace = await written("trace.json", randomTrace(1, 0));
    const { out, notes } = await lean(
      saying(() => verdict),
      "check",
      trace,
    );
    expect(`${out}${notes}`).toMatch(/\\u\{(?:1b|85)\}/);
    expect(`${out}${notes}`).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u);
  });

  test.each<[string, LeanVerdict, ExitCode]>([
    ["accepted", accepted, exitCodes.agrees],
    ["rejected", rejected("value_1"), exitCodes.disagrees],
    [
      "silence",
      { kind: "could-not-run", reason: "there is no Lean", hint: "install one" },
      exitCodes.undecided,
    ],
  ])("prints %s as JSON by its schema, which the page of a report takes", async (_what, verdict, code) => {
    const trace = await written("trace.json", randomTrace(1, 0));
    const told = await lean(
      saying(() => verdict),
      "check",
      trace,
      "--json",
    );
    expect(told.code).toBe(code);
    const json: unknown = JSON.parse(told.out);
    expect(json).toMatchObject({ format: "adjudge.lean-verdict.v1", file: trace, kind: verdict.kind });
    expect(validateLeanVerdict(json)).toMatchObject({ ok: true });
  });

  test("takes silence for no acceptance", async () => {
    const trace = await written("trace.json", randomTrace(1, 0));
    const silent: LeanChecker = { ...saying(() => accepted), check: async () => [] };
    expect(await lean(silent, "check", trace)).toMatchObject({ code: exitCodes.undecided });
  });

  test("hands an exported file on as it is, and refuses what is none", async () => {
    const path = join(folder, "given.lean");
    await writeFile(path, "-- adjudge.lean.v1\n-- claims: x\n");
    const seen: string[] = [];
    const listening = saying(({ text }) => {
      seen.push(text);
      return accepted;
    });
    expect(await lean(listening, "check", path)).toMatchObject({ code: exitCodes.agrees });
    expect(seen).toEqual(["-- adjudge.lean.v1\n-- claims: x\n"]);
    await writeFile(path, "theorem x : True := trivial");
    expect(await lean(listening, "check", path)).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("lean/format"),
    });
  });
});

describe("adjudge lean suite", () => {
  const vectors = ["conformance/suites/structures.adj", "conformance/suites/functions.adj"];

  test("says how many vectors can be exported, and why others cannot", async () => {
    const { code, out, notes } = await lean(
      saying(() => accepted),
      "suite",
      ...vectors,
      "--sample",
      "30",
    );
    expect(code).toBe(exitCodes.agrees);
    expect(out).toMatch(/[0-9]+ vectors: [1-9][0-9]* can be exported/);
    expect(out).toMatch(/[0-9]+ have operators that the kernel cannot follow: /);
    expect(out).not.toContain("divide");
    expect(out).toContain(`${listed.length} theorems, which rest on no axioms but propext`);
    expect(notes).toContain("checked");
  });

  test("has each sweep of a tape script as a run of its own, none of those that must be refused", async () => {
    const names: string[] = [];
    const { out } = await lean(
      saying(({ name }) => {
        names.push(name);
        return accepted;
      }),
      "suite",
      "conformance/suites/manners/kept.adj",
      "conformance/suites/manners/sweeps.adj",
    );
    expect(out).toMatch(/^[0-9]+ sweeps: [1-9][0-9]* can be exported/m);
    const sweeps = names.filter((name) => name.includes("twice_with_other_seeds sweep "));
    expect(sweeps.map((name) => name.replace(/^.* sweep /, ""))).toEqual([
      "1 over rational",
      "2 over rational",
    ]);
  });

  test("fails where one trace is rejected, or could not be checked, or the library does not stand", async () => {
    const one = saying(({ name }) => (name.includes("cube") ? rejected("value_0") : accepted));
    expect(await lean(one, "suite", ...vectors)).toMatchObject({
      code: exitCodes.disagrees,
      out: expect.stringContaining("cube"),
    });
    const stopped: LeanVerdict = { kind: "could-not-run", reason: "two minutes are over", hint: "" };
    expect(
      await lean(
        saying(() => stopped),
        "suite",
        ...vectors,
      ),
    ).toMatchObject({ code: exitCodes.undecided });
    const unsound: LeanChecker = {
      ...saying(() => accepted),
      audit: async () => fail([{ code: "lean/module", pointer: "", message: "sorry", hint: "prove it" }]),
    };
    expect(await lean(unsound, "suite", ...vectors)).toMatchObject({ code: exitCodes.undecided });
  });

  test("fails where a theorem that a page names says something else in Lean, or is not there", async () => {
    const [first = { name: "", type: "" }, ...others] = listed;
    for (const theorems of [others, [{ ...first, type: "True" }, ...others]]) {
      const changed: LeanChecker = {
        ...saying(() => accepted),
        audit: async () => ok({ theorems, axioms: ["propext"], unseen: [] }),
      };
      expect(await lean(changed, "suite", ...vectors, "--sample", "1")).toMatchObject({
        code: exitCodes.disagrees,
        out: expect.stringContaining(first.name),
      });
    }
  });

  test("fails where Challenge.lean says another thing than the library, and where that is not known", async () => {
    for (const [code, end] of [
      ["lean/challenge", exitCodes.disagrees],
      ["lean/module", exitCodes.undecided],
    ] as const) {
      const differing: LeanChecker = {
        ...saying(() => accepted),
        challenge: async () => fail([{ code, pointer: "", message: "Tensor.dot differs.", hint: "see it" }]),
      };
      const { code: ended, out } = await lean(differing, "suite", ...vectors, "--sample", "1");
      expect([ended, out]).toEqual([end, expect.stringContaining("Challenge.lean is not")]);
    }
  });

  test("asks for acceptance of random traces, and for rejection of changed ones that names the claim", async () => {
    const arguments_ = ["suite", ...vectors, "--sample", "1", "--campaign", "8"];
    const credulous = await lean(
      saying(() => accepted),
      ...arguments_,
    );
    expect(credulous.code).toBe(exitCodes.disagrees);
    expect(credulous.out.match(/0 of 8/g)).toHaveLength(2);
    const sceptical = await lean(
      saying(() => rejected("value_999")),
      ...arguments_,
    );
    expect(sceptical.out.match(/0 of 8/g)).toHaveLength(4);
  });
});

describe("random traces", () => {
  test("can be exported, in every algebra", () => {
    const traces = Array.from({ length: 60 }, (_, index) => randomTrace(3, index));
    expect(new Set(traces.map(({ algebra }) => algebra))).toEqual(
      new Set(["integer", "rational", "modular"]),
    );
    for (const trace of traces) expect(readTraceJson(trace)).toMatchObject({ ok: true });
  });

  test("divide, but never over the integers, and never by zero", () => {
    const traces = Array.from({ length: 60 }, (_, index) => randomTrace(3, index));
    const dividing = traces.filter(({ graph }) => graph.nodes.some(({ op }) => op === "divide"));
    expect(new Set(dividing.map(({ algebra }) => algebra))).toEqual(new Set(["rational", "modular"]));
    expect(JSON.stringify(traces)).not.toContain("undefined");
  });

  test("are the same from the same seed, and recorded again come out the same", () => {
    expect(randomTrace(3, 4)).toEqual(randomTrace(3, 4));
    expect(recordAgain(randomTrace(3, 4))).toEqual(randomTrace(3, 4));
  });
});

describe("perturbations", () => {
  test("are of every kind, each differs from the trace, and names a claim", () => {
    const found = perturbations(2, 40);
    for (const kind of perturbationKinds) expect(found.filter((one) => one.kind === kind)).toHaveLength(10);
    for (const { what, claims } of found) {
      expect(what).toMatch(/ became /);
      expect(claims.length).toBeGreaterThan(0);
    }
  });
});
