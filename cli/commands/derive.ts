import { type Command, Option } from "commander";
import { showGraph } from "../../conformance/report/index.ts";
import {
  type Derivative,
  type DerivedAgain,
  type DeriveOnce,
  deriveAgain,
  MAXIMUM_ORDER,
} from "../../spec/derivatives/index.ts";
import { checkGraphText } from "../../spec/documents/index.ts";
import { derive, deriveByTransposition } from "../../spec/expansion/index.ts";
import { fail, type Issue, ok, type Result, visibleJson } from "../../spec/shapes/index.ts";
import { checkWritable, writeText } from "../files/files.ts";
import { namedGraphIn } from "../given/given_graph.ts";
import { askedIds } from "../given/given_ids.ts";
import { orderNumber, report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface DeriveFlags {
  readonly mode: Derivative["mode"];
  readonly then?: Derivative["mode"];
  readonly of?: readonly string[];
  readonly wrt?: readonly string[];
  readonly order: number;
  readonly by: "rules" | "transposition";
  readonly json?: boolean;
  readonly output?: string;
  readonly check?: boolean;
}

const description = `Prints the derivative of a graph as a graph of primitives. Its inputs are the graph's, then the seeds: with
vjp a cotangent for each of --of, with jvp a tangent for each of --wrt. FILE is a graph, a case or a vector.

--order 2 derives the derived graph: all its results, with respect to the same inputs, in the mode of
--then. vjp twice, or vjp then jvp, is a Hessian-vector product. docs/derivatives.md says more.

--check lowers and plans the derivative, as compiled engines do, and plans the graph with the planner's own
pullbacks: over the rationals both have the same numbers after each pass. The exit code is 70 if not.`;

/** Adds `adjudge derive FILE`, which writes the derivative of a graph as a graph. */
export function deriveCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  const modes = ["vjp", "jvp"];
  program
    .command("derive")
    .summary("print the derivative of a graph as a graph")
    .description(description)
    .argument("<file>", "a graph, a case or a vector, or - for standard input")
    .addOption(
      new Option("-m, --mode <mode>", "pull cotangents back, or push tangents forward")
        .choices(modes)
        .makeOptionMandatory(),
    )
    .option("--of <ids...>", "what is differentiated, by id or name; default: the last id")
    .option("--wrt <ids...>", "with respect to what: ids or names; default: all inputs")
    .option("--order <number>", `derive so often, ${MAXIMUM_ORDER} times at most`, orderNumber, 1)
    .addOption(new Option("--then <mode>", "the mode of orders from 2 on; default: --mode").choices(modes))
    .addOption(
      new Option("--by <way>", "how vjp is written: rules, or linearise and transpose")
        .choices(["rules", "transposition"])
        .default("rules"),
    )
    .option("--check", "confirm that deriving and lowering may be done in either order; of a vjp, once")
    .option("--json", "print the derived graph as a file (adjudge.graph.v1)")
    .option("-o, --output <file>", "write that file")
    .action(async (file: string, flags: DeriveFlags) => end(await run(file, flags, terminal)));
}

async function run(file: string, flags: DeriveFlags, terminal: Terminal): Promise<ExitCode> {
  const derived = await derivedFrom(file, flags);
  const told = derived.ok ? await deliver(derived.value, flags, terminal) : derived;
  if (told.ok) return exitCodes.agrees;
  report(terminal, told.error);
  return exitCodes.badInput;
}

/** A derivative, with what a check of it says. */
interface Checked extends DerivedAgain {
  readonly checked: readonly string[];
}

async function derivedFrom(file: string, flags: DeriveFlags): Promise<Result<Checked, Issue[]>> {
  const writable = flags.output === undefined ? ok(undefined) : await checkWritable(flags.output);
  if (!writable.ok) return writable;
  const { mode, order } = flags;
  const further = Array.from({ length: order - 1 }, () => flags.then ?? mode);
  if (flags.check === true && (mode !== "vjp" || order > 1)) return fail([notChecked]);
  if (flags.by === "transposition" && [mode, ...further].includes("jvp")) return fail([notTransposed]);
  const given = await namedGraphIn(file);
  if (!given.ok) return given;
  const { graph } = given.value;
  const asked = askedIds(graph, flags, "derive", given.value);
  if (!asked.ok) return asked;
  const once: DeriveOnce = flags.by === "rules" ? derive : deriveByTransposition;
  const derived = deriveAgain(graph, { mode, ...asked.value }, further, once);
  if (!derived.ok || flags.check !== true)
    return derived.ok ? ok({ ...derived.value, checked: [] }) : derived;
  const { checkedSquare } = await import("./derive_check.ts");
  const checked = checkedSquare(graph, asked.value, once);
  return checked.ok ? ok({ ...derived.value, checked: checked.value }) : checked;
}

const notChecked: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--check is of a vjp, derived once.",
  hint: "leave --check out, or ask for --mode vjp without --order",
};

const notTransposed: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--by transposition computes a vjp only, and jvp is asked.",
  hint: "leave --by out, or ask for vjp alone",
};

/** Prints or writes the derived graph. With `--json` everything said about it goes to standard error. */
async function deliver(
  { graph, seeds, results, words, checked }: Checked,
  { json, output }: DeriveFlags,
  terminal: Terminal,
): Promise<Result<void, Issue[]>> {
  const isText = json !== true && output === undefined;
  const tell = (line: string): void =>
    json === true ? terminal.note(line) : terminal.out(isText ? `# ${line}` : line);
  if (json === true || output !== undefined) {
    const text = `${visibleJson(graph)}\n`;
    const readBack = checkGraphText(text);
    if (!readBack.ok) return readBack;
    const written = output === undefined ? ok(undefined) : await writeText(output, text);
    if (!written.ok) return written;
    if (json === true) terminal.out(text.trimEnd());
  }
  if (isText) for (const line of showGraph(graph)) terminal.out(line);
  for (const id of seeds) tell(`seed ${id}: ${graph.inputs[id]?.name}`);
  for (const [place, id] of results.entries()) tell(`result ${id}: ${words[place]}`);
  for (const line of checked) tell(line);
  return ok(undefined);
}
