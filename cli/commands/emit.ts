import { Argument, type Command, Option } from "commander";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { checkWritable, writeText } from "../files/files.ts";
import { namedGraphIn } from "../given/given_graph.ts";
import { askedIds } from "../given/given_ids.ts";
import { report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface EmitFlags {
  readonly mode: "gradient" | "vjp" | "jvp";
  readonly dtype: "float64" | "float32";
  readonly bitExact?: true;
  readonly name?: string;
  readonly of?: string;
}

const description = `Writes the value and a derivative of a graph as one file of C11 without dependencies: nothing is allocated, the caller
hands in a workspace, and finds the results in it where the header says (docs/c.md). OUT.c gets OUT.h beside it.`;

/** Adds `adjudge emit c GRAPH OUT`, which writes a derivative as a C file. */
export function emitCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("emit")
    .summary("write a gradient as a C file")
    .description(description)
    .addArgument(new Argument("<language>", "what to write").choices(["c"]))
    .argument("<file>", "a graph, a case or a vector, or - for standard input")
    .argument("[out]", "the file to write, which ends in .c; default: standard output", "-")
    .addOption(
      new Option("--mode <mode>", "the derivative; vjp takes a cotangent, jvp tangents")
        .choices(["gradient", "vjp", "jvp"])
        .default("gradient"),
    )
    .addOption(
      new Option("-d, --dtype <type>", "what it computes in")
        .choices(["float64", "float32"])
        .default("float64"),
    )
    .option("--bit-exact", "the reference's order of operations, and the functions of <math.h>")
    .option("--name <name>", "the name of the function; default: the mode")
    .option("--of <id>", "the output, by id or name; default: the last one")
    .action(async (_language: string, file: string, out: string, flags: EmitFlags) => {
      const told = await emitted(file, out, flags, terminal);
      if (!told.ok) report(terminal, told.error);
      end(told.ok ? exitCodes.agrees : exitCodes.badInput);
    });
}

async function emitted(
  file: string,
  out: string,
  flags: EmitFlags,
  terminal: Terminal,
): Promise<Result<void, Issue[]>> {
  if (out !== "-" && !out.endsWith(".c")) return fail([noFileOfC]);
  const headerFile = out.replace(/\.c$/, ".h");
  for (const path of out === "-" ? [] : [out, headerFile]) {
    const writable = await checkWritable(path);
    if (!writable.ok) return writable;
  }
  const given = await namedGraphIn(file);
  if (!given.ok) return given;
  const { graph } = given.value;
  const asked = flags.of === undefined ? undefined : askedIds(graph, { of: [flags.of] }, "emit", given.value);
  if (asked?.ok === false) return asked;
  const [output] = asked?.value.of ?? [];
  const { emitC } = await import("../../engines/compile/c/index.ts");
  const { mode, dtype, name, bitExact } = flags;
  const made = emitC(graph, {
    mode,
    dtype,
    regime: bitExact ? "bit_exact" : "fast",
    ...(name === undefined ? {} : { name }),
    ...(output === undefined ? {} : { output }),
  });
  if (!made.ok) return fail([made.error]);
  const { source, header } = made.value;
  if (out === "-") return ok(terminal.out(source.trimEnd()));
  const written = await writeText(out, source);
  return written.ok ? writeText(headerFile, header) : written;
}

const noFileOfC: Issue = {
  code: "emit/file",
  pointer: "",
  message: "the file to write does not end in .c.",
  hint: "name it so, and the header goes beside it: adjudge emit c graph.adj gradient.c",
};
