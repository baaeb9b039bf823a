import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

const shipped = [
  "spec",
  "reference",
  "engines",
  "oracle",
  "oracle/diagnosis",
  "oracle/gradients",
  "oracle/obligations",
  "oracle/widths",
  "conformance",
  "lean-export",
  "lean-export/campaign",
];

/** A room may import from these others. A file belongs to the longest room that its path begins with. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  spec: [],
  reference: ["spec"],
  engines: ["spec"],
  // The judge knows engines by their contract alone, which is the language's.
  oracle: ["spec", "reference", "oracle/diagnosis"],
  // What a graph says before it runs needs no judge, and what it refuses is asked again of Z3.
  "oracle/diagnosis": ["spec", "reference"],
  // The text of `oracle/truth` is read, and run on unknown numbers; none of its modules is imported.
  "oracle/obligations": ["spec", "reference", "engines", "oracle/diagnosis"],
  // The widths of sums are those of compiled plans.
  "oracle/widths": ["spec", "reference", "engines", "oracle"],
  // The tree of a gradient puts together what the rooms beside it find.
  "oracle/gradients": ["spec", "reference", "oracle", "oracle/diagnosis", "oracle/widths"],
  conformance: ["spec", "reference", "engines", "oracle"],
  "lean-export": ["spec", "reference"],
  "lean-export/campaign": ["spec", "reference", "engines", "oracle", "lean-export"],
  // What measures the judge stands above it, and nothing imports it.
  // `npm run prove` is the command, but for the mutation run, which belongs to the repository alone.
  strength: ["spec", "reference", "engines", "oracle", "conformance", "oracle/obligations", "cli"],
  cli: shipped,
  // A page for people, built of the same modules; it ships nowhere.
  playground: ["spec", "reference", "oracle", "oracle/diagnosis", "conformance", "lean-export"],
  bench: [...shipped, "cli"],
  tests: [...shipped, "cli", "bench", "playground"],
};

/** The tests of a room may import from these rooms too. */
const forTests: Readonly<Partial<Record<string, readonly string[]>>> = {
  // Bounds of traces are held against the oracle's truth.
  "lean-export": ["oracle"],
  // What a checked document means is asked of the reference and the engines.
  spec: ["reference", "engines", "oracle"],
  // A walk through a plan computes with the reference's functions.
  engines: ["reference"],
  // The judge is tried on right and wrong engines; certificates of formats, on the benchmark's networks.
  oracle: ["engines", "bench"],
  "oracle/widths": ["bench"],
  // What is run on unknown numbers computes of known ones what the truth itself does.
  "oracle/obligations": ["oracle"],
  // Sums are drawn as the search draws them; closed forms of memory are compared with measured tapes.
  "oracle/diagnosis": ["oracle", "bench"],
};

/** A room may be entered at a folder's index, and at these doors, which load less than the index does. */
const doors: readonly RegExp[] = [
  /\/index\.ts$/,
  // Without the schemas; without the generator of WebAssembly, or with it; with what runs libraries.
  /^engines\/compile\/(browser|browser_wasm|wasm_engine|c_engine|c_door)\.ts$/,
  // Whoever opens this one waits for MPFR.
  /^reference\/algebras\/mpfr\.ts$/,
  // Fractions alone, without the rules of operators: whoever tells that these crash must not load them.
  /^reference\/algebras\/rational\.ts$/,
  // Without the parser of texts.
  /^spec\/text\/writer\.ts$/,
  // A process of its own is tied to ours by whoever starts one, and whoever keeps answers has one place; what
  // is installed is asked of Node.
  /^spec\/(lifeline|cache_folder|peers)\.ts$/,
];

/** The package publishes these files, which may look into all folders of a room; the project enters none. */
const packageDoors: readonly string[] = [
  "spec/index.ts",
  "reference/package.ts",
  "engines/index.ts",
  "oracle/index.ts",
  "conformance/index.ts",
];

/** Only one room may import each of these packages. */
const guarded: Readonly<Partial<Record<string, string>>> = { "z3-solver": "oracle/obligations" };

/** In these rooms files import each other's types in a circle, which is gone when the program runs. */
const typeCircles: readonly string[] = [
  // The builder's values have a method for each composite, and composites are written with values; an algebra
  // has the elementary functions, whose slopes are written over an algebra.
  "spec",
];

interface Budget {
  /** A file, or a folder with all of its files that are no tests. */
  readonly door: string;
  readonly files: number;
  readonly lines?: number;
}

/** A door may load at most so much of the project; types, and what is loaded later, count too. */
const budgets: readonly Budget[] = [
  // Who needs shapes, or the primitives, loads no composites.
  { door: "spec/shapes", files: 25 },
  { door: "spec/operators", files: 25 },
  { door: "reference/definition.ts", files: 60 },
  { door: "oracle/truth", files: 300, lines: 30_000 },
  { door: "cli/commands/check.ts", files: 250 },
];

/** Tells the files that load the parser library. */
const parsesTexts =
  (imports: readonly Import[]) =>
  (file: string): boolean =>
    imports.some(({ from, to }) => from === file && to === "chevrotain");

/** The wings of the reference. */
const wings = /^reference\/(state|tapes|numerics|forward_gradient|units)\//;

/** The core of the reference, and what judges graphs: they owe nothing to a wing. */
const withoutWings =
  /^reference\/(algebras|operators)\/|^reference\/(?!package)\w+\.ts$|^oracle\/(truth|case|hearing|judge|shrink|laws|generate)\//;

/** The truth of values that an engine keeps as codes asks the wing of numbers how coarse their grids are. */
const withWings: readonly string[] = ["oracle/truth/nodes/saved_narrowly.ts"];

interface Import {
  readonly from: string;
  /** A path in the project, or the name of a package. */
  readonly to: string;
  /** It imports types alone. */
  readonly isType: boolean;
  /** It is loaded when the program comes to it. */
  readonly isLater?: true;
}

const FROM = /^(?:import|export)\b(\s+type\b)?(?:[^;"'`]*?\bfrom)?\s*"([^"]+)"/gm;
const DYNAMIC = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** Every import in files, by their paths. */
function importsIn(files: ReadonlyMap<string, string>): readonly Import[] {
  return [...files].flatMap(([from, text]) => {
    const to = (name: string): string =>
      name.startsWith(".")
        ? posix.join(posix.dirname(from), name)
        : name.replace(/^((?:@[^/]+\/)?[^/]+).*/, "$1");
    return [
      ...[...text.matchAll(FROM)].map(([, type, name = ""]) => ({
        from,
        to: to(name),
        isType: type !== undefined,
      })),
      ...[...text.matchAll(DYNAMIC)].map(([, name = ""]) => ({
        from,
        to: to(name),
        isType: false,
        isLater: true as const,
      })),
    ];
  });
}

function roomOf(path: string): string | undefined {
  const around = Object.keys(rooms).filter((room) => path.startsWith(`${room}/`));
  return around.toSorted((a, b) => b.length - a.length)[0];
}

const isTest = (path: string): boolean => path.includes(".test.");

/** Says whether an import runs up, passes by a door, or takes what is guarded or for tests alone. */
function faultsOf({ from, to }: Import): readonly string[] {
  const [room = "", other] = [roomOf(from), roomOf(to)];
  const say = (what: string): readonly string[] => [`${from}: ${to} ${what}`];
  if (other === undefined) return (guarded[to] ?? room) === room ? [] : say(`is for ${guarded[to]} alone`);
  if (isTest(to) && !isFree(from)) return say("is for tests");
  if (packageDoors.includes(to) && !isFree(from) && room !== "") return say("is the package's");
  if (room === other || (packageDoors.includes(from) && other.startsWith(`${room}/`))) return [];
  const allowed = [...(rooms[room] ?? []), ...(isTest(from) ? (forTests[room] ?? []) : [])];
  if (!allowed.includes(other)) return say(`is not for ${room}`);
  return isFree(from) || doors.some((door) => door.test(to)) ? [] : say("is no door");
}

/** Finds circles: files each of which reaches all others. Source: Tarjan, Depth-first search … (1972). */
function circlesOf(imports: readonly Import[]): readonly (readonly string[])[] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const found = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const own = found.size;
    found.set(file, own);
    const place = path.push(file) - 1;
    let low = own;
    for (const { to } of next.get(file) ?? []) {
      const reached = found.has(to) ? (path.includes(to) ? found.get(to) : undefined) : visit(to);
      low = Math.min(low, reached ?? own);
    }
    if (low === own) {
      const circle = path.splice(place);
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return low;
  };
  for (const file of next.keys()) if (!found.has(file)) visit(file);
  return circles;
}

/** The files that a door's own reach. */
function reachedFrom(door: string, imports: readonly Import[]): ReadonlySet<string> {
  const next = Map.groupBy(imports, ({ from }) => from);
  const reached = new Set(
    [...files.keys()].filter((file) => file === door || (file.startsWith(`${door}/`) && !isTest(file))),
  );
  for (const file of reached) {
    for (const { to } of next.get(file) ?? []) if (files.has(to)) reached.add(to);
  }
  return reached;
}

/** Counts what a door loads: the files that its own reach, and their lines. */
function closureOf(
  door: string,
  imports: readonly Import[],
): { readonly files: number; readonly lines: number } {
  const reached = reachedFrom(door, imports);
  const lines = [...reached].reduce((sum, file) => sum + (files.get(file) ?? "").split("\n").length - 1, 0);
  return { files: reached.size, lines };
}

/** Says whether a file may look behind doors: tests may, and so may what measures. */
const isFree = (file: string): boolean =>
  isTest(file) || ["bench", "tests", "strength"].includes(roomOf(file) ?? "");

/** Says whether an import passes by the innermost door of its target. */
function passesBy({ from, to }: Import): boolean {
  if (isFree(from) || !files.has(to) || doors.some((door) => door.test(to))) return false;
  if (packageDoors.includes(from) && from.split("/")[0] === to.split("/")[0]) return false;
  const within = to.split("/").slice(0, -1);
  const folders = within.map((_, n) => within.slice(0, n + 1).join("/"));
  const door = folders.findLast(
    (folder) => files.has(`${folder}/index.ts`) && !from.startsWith(`${folder}/`),
  );
  return door !== undefined && to !== `${door}/index.ts`;
}

/** Tells whether an import takes a wing of the reference to where none belongs. */
const entersWing = ({ from, to }: Import): boolean =>
  !isTest(from) && withoutWings.test(from) && wings.test(to);

/** Returns the imports between two folders of one folder, as imports of these folders. */
function betweenFolders(imports: readonly Import[]): readonly Import[] {
  return imports.flatMap(({ from, to, isType }) => {
    const [own, other] = [from.split("/"), to.split("/")];
    const n = own.findIndex((part, place) => part !== other[place]);
    if (isTest(from) || !files.has(to) || n >= own.length - 1 || n >= other.length - 1) return [];
    return [{ from: own.slice(0, n + 1).join("/"), to: other.slice(0, n + 1).join("/"), isType }];
  });
}

/** Returns the folder that some files have in common. */
function folderOf(files: readonly string[]): string {
  const [first = [], ...others] = files.map((file) => file.split("/").slice(0, -1));
  return first
    .filter((_, n) => others.every((parts) => first.slice(0, n + 1).every((part, i) => part === parts[i])))
    .join("/");
}

const files = new Map(
  Object.keys(rooms).flatMap((room) =>
    readdirSync(`${root}/${room}`, { recursive: true, encoding: "utf8" })
      .map((name) => `${room}/${name.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(".ts") && !/node_modules|\.venv/.test(path))
      .map((path) => [path, readFileSync(`${root}/${path}`, "utf8")] as const),
  ),
);

/** Lists the project's imports after a line is added to a file. */
const planted = (path: string, line: string): readonly Import[] =>
  importsIn(new Map([...files, [path, `${line}\n${files.get(path) ?? ""}`]]));

describe("the imports of the project", () => {
  const imports = importsIn(files);

  test("are all found, each of a file that is there", () => {
    expect(imports.length).toBeGreaterThan(3_000);
    expect(imports.filter(({ to }) => to.endsWith(".ts") && !files.has(to))).toEqual([]);
  });

  test("go down from room to room, through doors", () => {
    expect(imports.flatMap(faultsOf)).toEqual([]);
  });

  test("go round in no circle when the program runs", () => {
    expect(circlesOf(imports.filter(({ isType }) => !isType))).toEqual([]);
  });

  test.each(
    budgets.map((budget) => ({ ...budget, ...closureOf(budget.door, imports), most: budget })),
  )("bring $files files and $lines lines with $door", ({ files: count, lines, most }) => {
    expect(count).toBeLessThanOrEqual(most.files);
    expect(lines).toBeLessThanOrEqual(most.lines ?? Number.POSITIVE_INFINITY);
  });

  test.each([
    "cli",
    "conformance/report",
    "conformance/testing",
    "spec/index.ts",
  ])("load no parser of texts with %s, before a text is read", (door) => {
    const atOnce = imports.filter(({ isType, isLater }) => !isType && isLater !== true);
    expect([...reachedFrom(door, atOnce)].filter(parsesTexts(imports))).toEqual([]);
  });

  test("enter folders by their doors", () => {
    expect(imports.filter(passesBy)).toEqual([]);
  });

  test("leave the wings of the reference to those who need them", () => {
    expect([...new Set(imports.filter(entersWing).map(({ from }) => from))]).toEqual(withWings);
  });

  test("go round in no circle between folders when the program runs", () => {
    expect(circlesOf(betweenFolders(imports.filter(({ isType }) => !isType)))).toEqual([]);
  });

  test("go round in circles of types where that is known", () => {
    const circles = circlesOf(imports).map((circle) => [folderOf(circle), circle] as const);
    expect(circles.filter(([folder]) => !typeCircles.includes(folder))).toEqual([]);
  });
});

describe("a planted import is noticed that", () => {
  test.each([
    ["oracle/judge/judge.ts", 'import { z3 } from "../obligations/index.ts";', "is not for oracle"],
    [
      "oracle/obligations/run.ts",
      'import type { Verdict } from "../hearing/index.ts";',
      "is not for oracle/obligations",
    ],
    ["spec/shapes/at.ts", 'export * from "../../reference/index.ts";', "is not for spec"],
    [
      "oracle/judge/judge.ts",
      'import { interpret } from "../../engines/interpretation/index.ts";',
      "is not for oracle",
    ],
    ["engines/fit.ts", 'await import("../reference/index.ts");', "is not for engines"],
    [
      "oracle/obligations/run.ts",
      'import {\n  plan,\n} from "../../engines/compile/plan/planned.ts";',
      "is no door",
    ],
    ["cli/terminal/exit.ts", 'import { judge } from "../../oracle/judge/judge.ts";', "is no door"],
    ["cli/terminal/exit.ts", 'import { judge } from "../../oracle/index.ts";', "is the package's"],
    ["cli/terminal/exit.ts", 'import { adjudge } from "../process/recording.test.kit.ts";', "is for tests"],
    [
      "oracle/judge/judge.ts",
      'import { init } from "z3-solver/build/node.js";',
      "is for oracle/obligations alone",
    ],
  ])("in %s: %s", (path, line, what) => {
    expect(files.has(path)).toBe(true);
    expect(planted(path, line).flatMap(faultsOf)).toEqual([expect.stringMatching(`^${path}: .* ${what}$`)]);
  });

  test("makes a door heavier, passes by one, or closes a circle of folders", () => {
    const heavier = planted("reference/definition.ts", 'import type { Case } from "../oracle/index.ts";');
    expect(closureOf("reference/definition.ts", heavier).files).toBeGreaterThan(300);
    const wing = 'import { lifetimes } from "./state/index.ts";';
    expect(planted("reference/sweep.ts", wing).filter(entersWing)).toHaveLength(withWings.length + 1);
    const line = 'import { solvers } from "../obligations/solve/solver.ts";';
    expect(planted("oracle/judge/judge.ts", line).filter(passesBy).length).toBe(1);
    const parser = planted("cli/commands/check.ts", 'import { readText } from "../../spec/text/index.ts";');
    const atOnce = parser.filter(({ isType, isLater }) => !isType && isLater !== true);
    expect([...reachedFrom("cli", atOnce)].filter(parsesTexts(parser)).length).toBeGreaterThan(0);
    const within = 'import { expand } from "../expansion/expand.ts";';
    expect(planted("spec/wire/tensor.ts", within).filter(passesBy).length).toBe(1);
    const round = betweenFolders(
      planted("oracle/truth/truth.ts", 'import { judge } from "../judge/index.ts";'),
    );
    expect(circlesOf(round).flat()).toEqual(expect.arrayContaining(["oracle/judge", "oracle/truth"]));
  });

  test("closes a circle, at run time or of types", () => {
    const [low, high] = ["spec/shapes/at.ts", "spec/index.ts"];
    const running = planted(low, 'import { graph } from "../index.ts";').filter(({ isType }) => !isType);
    expect(circlesOf(running)).toEqual([expect.arrayContaining([low, high])]);
    const told = planted(low, 'import type { Graph } from "../index.ts";');
    expect(circlesOf(told.filter(({ isType }) => !isType))).toEqual([]);
    expect(circlesOf(told).flat()).toEqual(expect.arrayContaining([low, high]));
  });
});
