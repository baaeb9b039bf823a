import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError } from "commander";
import { missingPeers } from "../../spec/peers.ts";
import { naturalNumber, positiveNumber, report } from "../options/options.ts";
import { withVerbosity } from "../options/verbosity.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { PAGE, RECORD, SCRIPTS } from "./prove_places.ts";
import { isAboutWidths, type WidthOptions } from "./prove_widths_options.ts";
import type { ProveOptions } from "./proving.ts";

/** More lanes than these would cost too much memory: each holds a solver of 150 MB and more. */
const LANES = 4;

/** Adds `adjudge prove [ID]`, which asks the solvers. */
export function proveCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  withVerbosity(program.command("prove"), "print only what is not proved, and the last line")
    .summary("prove what holds for all inputs")
    .description(
      "Has Z3 prove obligations: statements for all inputs. Each one's hypotheses must be satisfiable and needed, and\n" +
        "each wrong variant of it must have a model that shows the fault in the real code. Fails if anything is not proved.",
    )
    .argument("[id]", "one obligation; all of the tier if none is named")
    .option("--tier <tier>", "everyday, long or all", tierOption, "everyday")
    .option("--only <prefix>", "the obligations of all tiers whose id starts so")
    .option(
      "--seeds <count>",
      "ask with so many random seeds, all of which must give the same answers",
      positiveOption,
      1,
    )
    .option("--second <solver>", "ask a second solver too: cvc5, where it is installed", secondOption)
    .option(
      "--second-timeout <milliseconds>",
      "give the second solver so long for each question; default: 3 s",
      positiveOption,
    )
    .option("--all", "go on in a family of which something is not proved; --write does")
    .option("--explain", "tell everything about one obligation: statement, script, core or model, mutants")
    .option("--fresh", "ask everything anew, whatever earlier runs have kept")
    .option(
      "--timeout <milliseconds>",
      "give each question so long; default: 60 s everyday, 600 s long",
      positiveOption,
    )
    .option(
      "--lanes <count>",
      "ask so many solvers side by side",
      positiveOption,
      Math.min(availableParallelism(), LANES),
    )
    .option("--write", `write ${SCRIPTS}, ${PAGE} and ${RECORD}; with --tier all`)
    .option("--scripts <dir>", "ask nothing, but write every script of every tier into a folder")
    .option(
      "--widths <file>",
      "of a graph, a case or a vector: that every sum of it, its gradient and its plan fits",
    )
    .option(
      "--accumulator <name>",
      "the register: quire:posit8, quire:bposit32, …, int32:12; with --widths (default: quire:posit32)",
    )
    .option(
      "--batches <count>",
      "gather gradients over so many batches, in registers that are kept; with --widths (default: 1)",
      batchesOption,
    )
    .option("--ranges <file>", "between which numbers lies what is given (adjudge.ranges.v1); with --widths")
    .option("--within <part>", "or by which part the numbers of the case's point may differ", positiveNumber)
    .option("--of <ids...>", "the results, by id or name; with --widths (default: the last id)")
    .option("--wrt <ids...>", "whose gradients are asked about: ids or names (default: all inputs)")
    .action(async (id: string | undefined, options: ProveOptions & WidthOptions) => {
      // Z3 answers, wrong variants run in every backend, and scripts are handed out without an answer.
      const solver = options.scripts === undefined ? (["z3-solver"] as const) : [];
      const missing = missingPeers(isAboutWidths(options) ? solver : [...solver, "binaryen"]);
      if (missing.length > 0) {
        report(terminal, missing);
        return end(exitCodes.nothingRun);
      }
      if (isAboutWidths(options)) {
        const { proveWidths } = await import("./prove_widths.ts");
        return end(await proveWidths(id, options, terminal));
      }
      // The obligations are half of what the command line would load, and no other command needs them.
      const { processSurroundings, proveWith } = await import("./proving.ts");
      end(await proveWith(id, options, terminal, processSurroundings));
    });
}

function tierOption(text: string): ProveOptions["tier"] {
  if (text === "everyday" || text === "long" || text === "all") return text;
  throw new InvalidArgumentError("It must be one of everyday, long, all.");
}

function secondOption(text: string): "cvc5" {
  if (text === "cvc5") return text;
  throw new InvalidArgumentError("The only second solver is cvc5.");
}

function positiveOption(text: string): number {
  const value = naturalNumber(text);
  if (value > 0) return value;
  throw new InvalidArgumentError("It must be 1 or more.");
}

/** Times the elements of a tensor, this many batches still make a count that a float64 holds exactly. */
const MOST_BATCHES = 2 ** 26;

function batchesOption(text: string): number {
  const value = positiveOption(text);
  if (value <= MOST_BATCHES) return value;
  throw new InvalidArgumentError(`It must be at most ${MOST_BATCHES}.`);
}
