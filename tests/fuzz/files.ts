import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createColors } from "picocolors";
import { main } from "../../cli/process/main.ts";
import { exitCodes } from "../../cli/terminal/exit.ts";
import {
  caseAt,
  chainProfile,
  drawnAt,
  mix,
  nestedProfile,
  scriptAt,
  tensorProfile,
} from "../../oracle/index.ts";
import { float64, integer, traceOf } from "../../reference/package.ts";
import { encodeCase, encodeTapeCase, operatorNames, present, statementKinds } from "../../spec/index.ts";
import { everyStatement } from "../../spec/programs/specimens.test.data.ts";
import { documents } from "../../spec/schema/specimens.test.data.ts";
import { Chance, hostileText } from "./grammar.ts";
import { faultInWords, told } from "./properties.ts";

/** A command of the command line: runs with these words, and says what it says. */
export type Runs = (argv: readonly string[]) => Promise<{ readonly code: number; readonly words: string }>;

const square = fileURLToPath(new URL("../../docs/examples/square.adj", import.meta.url));

/** A report with a finding. */
const [, sound] = present(
  documents.find(([reference]) => reference === "report.schema.json"),
  "a report",
);

/**
 * Lists the commands that read a file, whose name is the last word. The folder has a sound report. `lean
 * check` is left out, since Lean is what reads its files.
 */
const commandsIn = (folder: string): readonly (readonly string[])[] => [
  ["check"],
  ["check", "--json"],
  ["show"],
  ["show", "--expand"],
  ["record", "--json"],
  ["record", "--policy", "copy"],
  ["derive", "--mode", "vjp"],
  ["derive", "--mode", "jvp", "--json"],
  ["derive", "--mode", "vjp", "--by", "transposition", "--order", "2"],
  ["lifetimes"],
  ["lifetimes", "--count-given", "--plan", "size", "--json"],
  ["run"],
  ["run", "-a", "rational", "-c", "0=1"],
  ["run", "-a", "dual(integer)", "--form", "sparse"],
  ["judge", "-e", "interpreter", "--dtype", "float64", "--seconds", "2"],
  ["programs", "-e", "interpreter"],
  ["replay", "-e", "interpreter", "--as-is"],
  ["lean", "export"],
  ["export", "--as", "torchlean"],
  ["import", "--from", "torchlean"],
  ["import", "--from", "onnx"],
  ["explain"],
  ["explain", "--json", "--memory", "--sheaf"],
  ["explain", square, "--units"],
  ["forward-gradient"],
  ["prove", "--widths"],
  ["report"],
  ...["html", "junit", "sarif", "github", "badge", "shields", "json"].map((form) => ["report", "--as", form]),
  ["report", join(folder, SOUND), "--as", "html", "--with"],
  ["merge"],
  ["compare", join(folder, SOUND)],
  ["issue", "-e", "interpreter", "--out", folder],
  ["judge", square, "-e", "interpreter", "--known"],
  ["judge", "-e", "interpreter", "-n", "1", "--resume"],
];

const SOUND = "sound.json";

/** `adjudge` in this process. */
export const adjudge: Runs = async (argv) => {
  const said: string[] = [];
  const code = await main(argv, {
    palette: createColors(false),
    columns: 80,
    out: (line) => said.push(line),
    note: (line) => said.push(line),
    progress: () => {},
  });
  return { code, words: said.join("\n") };
};

const words: readonly string[] = [
  ...operatorNames,
  "adjudge.graph.v1",
  "adjudge.case.v1",
  "adjudge.vector.v1",
  "adjudge.trace.v1",
  "adjudge.program.v1",
  "adjudge.program-case.v1",
  "torchlean.ir.v1",
  "index",
  "real",
  "dense",
  "sparse",
  "vjp",
  "jvp",
  ...statementKinds,
  "value",
  "reference",
  "exact",
  "hull",
  "record",
  "sweep",
  "once",
  "until released",
  "must",
  "adjudge.report.v1",
  "adjudge.known.v1",
  "agrees",
  "disagrees",
  "accepted",
];

/** A program with every kind of statement, and where it is run. */
const programCase = {
  format: "adjudge.program-case.v1",
  program: everyStatement,
  parameters: [{ shape: [2], data: ["3", "4"] }],
  state: [{ shape: [2], data: ["0", "0"] }],
  environment: { c: { shape: [2], data: ["2", "2"] } },
  generator: { key: [1, 2], drawn: 0 },
  received: { in: [{ shape: [2], data: ["1", "1"] }] },
  seeds: [{ id: 0, cotangent: { shape: [2], data: ["1", "1"] } }],
};

/** Returns a script for tapes with every kind of step. */
function tapeCase(chance: Chance): unknown {
  const lives = ["once", "until released"] as const;
  const profile = { drawing: mix, operators: operatorNames, lives, hooks: true } as const;
  return encodeTapeCase(scriptAt(profile, 1, chance.below(10_000)));
}

/** Draws a well-formed document: a case, its graph, its trace, a program, a tape script, or a schema's. */
function documentOf(chance: Chance): unknown {
  const index = chance.below(10_000);
  const question = chance.once(2)
    ? drawnAt(mix, operatorNames, 1, index)
    : caseAt(chance.of([tensorProfile, chainProfile, nestedProfile]), 1, index);
  const { graph, ...numbers } = encodeCase(question);
  switch (chance.below(9)) {
    case 0:
      return graph;
    case 5:
      return tapeCase(chance);
    case 6:
      return chance.of(documents)[1];
    case 7:
      return sound;
    case 4:
      return programCase;
    case 1: {
      const texts = {
        inputs: graph.inputs.map(({ shape }) =>
          Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => "1"),
        ),
        environment: new Map<string, readonly string[]>(),
        seeds: new Map([[0, []]]),
      };
      const run = chance.once(2)
        ? traceOf(graph, integer, texts, "dense")
        : traceOf(graph, float64, texts, "sparse");
      return run.ok ? run.value : { graph, ...numbers };
    }
    default:
      return { graph, ...numbers };
  }
}

/** Gives one hostile file to every command, and lists faults in how they took it, not in what they answer. */
export async function tryFile(seed: number, folder: string, run: Runs = adjudge): Promise<string[]> {
  const chance = new Chance(seed);
  const text = hostileText(documentOf(chance), words, chance);
  const file = join(folder, `${seed}.json`);
  await writeFile(file, text);
  await writeFile(join(folder, SOUND), JSON.stringify(sound));
  const faults: string[] = [];
  for (const argv of commandsIn(folder)) {
    const fault = await run([...argv, file]).then(faultOf, told);
    if (fault !== undefined) faults.push(`${argv.join(" ")}: ${fault}`);
  }
  return faults;
}

const documented: readonly number[] = Object.values(exitCodes).filter((code) => code !== exitCodes.internal);

/** Finds what is wrong with how a command ended. */
export function faultOf({ code, words: said }: Awaited<ReturnType<Runs>>): string | undefined {
  if (documented.includes(code)) return faultInWords(said);
  return `exit code ${code}: ${said.slice(-1500).replaceAll("\n", " | ")}`;
}
