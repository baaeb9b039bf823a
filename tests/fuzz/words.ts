import { fileURLToPath } from "node:url";
import { operatorNames } from "../../spec/index.ts";
import { adjudge, faultOf, type Runs } from "./files.ts";
import { Chance } from "./grammar.ts";
import { told } from "./properties.ts";

const square = fileURLToPath(new URL("../../docs/examples/square.adj", import.meta.url));

/**
 * Hostile words follow these words. What they name is small or refused, so that no word makes a command work
 * for long. Flags that write files are left out, and so is `prove`, which could be asked for all obligations.
 */
const commands: readonly (readonly string[])[] = [
  [],
  ["check"],
  ["check", square],
  ["show", square],
  ["lifetimes", square],
  ["run", square],
  ["run", square, "-i", "x=1"],
  ["judge", "/no/such/file.json"],
  ["judge", square],
  ["programs", "/no/such/file.json"],
  ["replay", "-e", "interpreter", "--as-is"],
  ["derive", square],
  ["record", square],
  ["explain", square],
  ["forward-gradient", square],
  ["report"],
  ["report", "/no/such/file.json"],
  ["merge"],
  ["compare"],
  ["issue", "/no/such/file.json"],
  ["smoke"],
  ["lean"],
  ["lean", "export"],
  ["lean", "import"],
  ["lean", "check"],
];

/** Flags of one command or another, and such as none has. */
const flags: readonly string[] = [
  "--json",
  "--seed",
  "-n",
  "--cases",
  "--case",
  "--seconds",
  "--laws-every",
  "--profile",
  "--dtype",
  "-e",
  "--engine",
  "-a",
  "--algebra",
  "-i",
  "--input",
  "--environment",
  "-c",
  "--form",
  "--max-work",
  "--max-elements",
  "--format",
  "--against",
  "--of",
  "--wrt",
  "--plan",
  "--count-given",
  "--mode",
  "--order",
  "--then",
  "--by",
  "--policy",
  "--memory",
  "--units",
  "--directions",
  "--samples",
  "--as",
  "--with",
  "--finding",
  "--help",
  "--version",
  "--",
  "--no-such-flag",
  "-\u001b[2J",
  "--__proto__",
  "--constructor=1",
];

/** Values that readers of numbers, names and paths stumble over. */
const values: readonly string[] = [
  "",
  " ",
  "0",
  "-1",
  "1e999",
  "99999999999999999999999",
  "9007199254740993",
  "0x10",
  "NaN",
  "Infinity",
  "1.5",
  "__proto__",
  "toString",
  "\u001b[2J\u001b]0;owned\u0007",
  "\u009b31m",
  "\u202eevil",
  "a\r\n✓ all agree",
  "a\u0000b",
  "\ud800",
  "\u2028",
  "x=",
  "=1",
  "x=1/0",
  "0=(1;2)",
  '"unended',
  "'",
  "\\",
  "/no/such/file.json",
  "x".repeat(5000),
  "float64",
  "mix",
  "rational",
  `${"dual(".repeat(40)}integer${")".repeat(40)}`,
];

/** A hostile vector of arguments: a command, and words after it in any order. */
function hostileWords(chance: Chance): string[] {
  const command = chance.of(commands);
  const words = Array.from({ length: 1 + chance.below(5) }, () => {
    if (chance.once(2)) return chance.of(flags);
    if (chance.once(8)) return `${chance.of(flags)}=${chance.of(values)}`;
    // Some operators are programs of the machine (sort, split, sum), and these would wait for them to speak.
    const mayBeProgram = ["smoke", "forward-gradient"].includes(command[0] ?? "");
    return chance.once(10) && !mayBeProgram ? chance.of(operatorNames) : chance.of(values);
  });
  return [...command, ...words];
}

/** Tries one hostile vector of arguments. Faults are in how a command took it, not in what it answers. */
export async function tryWords(seed: number, run: Runs = adjudge): Promise<string[]> {
  const argv = hostileWords(new Chance(seed));
  const fault = await run(argv).then(faultOf, told);
  return fault === undefined ? [] : [`${JSON.stringify(argv).slice(0, 500)}: ${fault}`];
}
