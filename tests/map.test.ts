import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { programVectors, suiteVectors, tapeVectors } from "../conformance/index.ts";
import { clausesOf, faultsOf, mapPage, mapRows, rowsOf } from "./map.ts";
import { roomNames, roomsOf, shortest } from "./rooms.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const isThere = (path: string): boolean => existsSync(`${root}/${path}`);

const semantics = `## 2. Nodes

2.5 _Local law_: \`pullBack(node)\`
of every node.

2.6 A second one, \`toData\`, and \`pullBack\`.
`;

describe("the map from clauses to code", () => {
  const rows = mapRows([...suiteVectors(), ...programVectors(), ...tapeVectors()]);

  test("has code for every clause, and links to what is there", () => {
    expect(rows.length).toBeGreaterThan(70);
    expect(faultsOf(rows, isThere)).toEqual([]);
  });

  test("has Lean, obligations and vectors where there are some", () => {
    const compiled = rows.find(({ clause }) => clause.number === "5.2");
    expect(compiled?.lean.map(({ name }) => name)).toContain("compile_backward_pids_lt");
    const law = rows.find(({ clause }) => clause.number === "2.5");
    expect(law?.obligations).toEqual([{ path: "oracle/obligations/operators/adjoint.ts", name: "adjoint" }]);
    expect(law?.vectors.size).toBeGreaterThan(5);
  });

  test("reads chapters, clauses and the names that each is the first to have", () => {
    expect(clausesOf(semantics)).toEqual([
      { number: "2", title: "Nodes", names: [], words: [] },
      { number: "2.5", title: "_Local law_", names: ["pullBack"], words: ["Local law"] },
      { number: "2.6", title: "A second one, `toData`, and `pullBack`", names: ["toData"], words: [] },
    ]);
  });

  test("takes what cites a clause, or declares what it names", () => {
    const sources = new Map([
      ["spec/a.ts", "export function pullBack() {}\nconst toData = 0;\n"],
      [
        "engines/b.ts",
        "/** As told [SEMANTICS §2.5, §2]. */\nfunction own() {}\nexport function pullBack() {}\n",
      ],
      [
        "reference/c.ts",
        "export interface C {\n  /** A part [SEMANTICS §2.6]. */\n  x: 1;\n}\nconst d = 1;\n",
      ],
      [
        "oracle/obligations/e.ts",
        '/** Such as SEMANTICS §2.6. */\nconst e = { clause: "SEMANTICS §2, local law" };\n',
      ],
    ]);
    const [chapter, law, second] = rowsOf(semantics, sources, [["conformance/suites/f/g.json", "2.6"]]);
    expect(chapter?.typescript).toEqual([{ path: "engines/b.ts", name: "own" }]);
    expect(law?.typescript.map(({ path }) => path)).toEqual(["engines/b.ts", "spec/a.ts"]);
    expect(law?.obligations).toEqual([{ path: "oracle/obligations/e.ts", name: "e" }]);
    expect(second?.typescript).toEqual([{ path: "reference/c.ts", name: "C" }]);
    expect(second?.vectors).toEqual(new Map([["conformance/suites/f", 1]]));
    expect(mapPage([...(second === undefined ? [] : [second])])).toContain(
      "| [C](../reference/c.ts) |  |  | [f 1](../conformance/suites/f/) |",
    );
  });

  test("fails where a clause has no code, a link is dead or a clause is cited that there is not", () => {
    const found = rowsOf(semantics, new Map([["spec/a.ts", "export const toData = 0;\n"]]), []);
    expect(faultsOf(found, () => true)).toEqual(["2.5: no code has it"]);
    expect(faultsOf(found, () => false)).toContain("2.6: spec/a.ts is not there");
    const cited = new Map([["spec/a.ts", "/** Nowhere [SEMANTICS §2.7]. */\n"]]);
    expect(() => rowsOf(semantics, cited, [])).toThrow("spec/a.ts cites 2.7");
    expect(() => rowsOf(semantics, new Map(), [["a.json", "9.9"]])).toThrow("a.json cites 9.9");
  });
});

describe("the picture of the rooms", () => {
  test("has the rooms that imports are held to", () => {
    expect(roomNames()).toEqual(expect.arrayContaining(["spec", "reference", "engines", "oracle", "cli"]));
  });

  test("has an arrow for each import that no others lead along", () => {
    // Spelt so that the test of imports does not take it for one.
    const imported = "import";
    const sources = new Map([
      ["a/x.ts", 'import { y } from "../b/y.ts";\nimport type {\n  Z,\n} from "../b/deep/z.ts";\n'],
      ["b/y.ts", 'export * from "../c/w.ts";\nconst text = `\n  import "../c/in_a_string.ts"`;\n'],
      ["b/deep/z.ts", `await ${imported}("../../c/w.ts");\nimport "../y.ts";\n`],
      ["c/w.ts", ""],
    ]);
    const rooms = roomsOf(["a", "b", "b/deep", "c"], sources);
    expect(rooms).toEqual([
      { name: "a", folders: [], imports: ["b", "b/deep"] },
      { name: "b", folders: [], imports: [] },
      { name: "b/deep", folders: [], imports: ["c", "b"] },
      { name: "c", folders: [], imports: [] },
    ]);
    expect(shortest(rooms)).toEqual([
      ["a", "b/deep"],
      ["b/deep", "c"],
      ["b/deep", "b"],
    ]);
    const circle = ["a", "b"].map((name) => ({ name, folders: [], imports: name === "a" ? ["b"] : ["a"] }));
    expect(shortest(circle)).toEqual([
      ["a", "b"],
      ["b", "a"],
    ]);
  });
});
