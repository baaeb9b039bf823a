import type { Parameter, Procedure, Program } from "../../spec/programs/index.ts";
import { at, fail, type Issue, ok, present, type Result } from "../../spec/shapes/index.ts";
import type { SsaForm, SsaFunction } from "./ssa.ts";
import { withoutIdleParameters } from "./ssa_parameters.ts";
import type { Site } from "./ssa_stand.ts";
import type { Callee, Given } from "./ssa_task.ts";
import { FunctionWriter } from "./ssa_writer.ts";

/** The most instructions and blocks of one form. */
export const MAXIMUM_INSTRUCTIONS: number = 2 ** 18;

/**
 * The program with every name assigned once [SEMANTICS §10.11]. A location is threaded as the tensor that it holds: a write, and a call that may
 * write, make new contents. Blocks have parameters where control meets, and none that is always the same. What references see is followed: a point that
 * is reached with other locations shared is another block, and a procedure that is called so another function; of both there are finitely
 * many. Limits, fuel and released locations are not in the form: it is of runs that end well.
 * **Law S**: unrolled along the decisions of a run it is the recorded graph (`unroll`).
 * Fails: `program/too-long` beyond `most` instructions and blocks.  Cost: linear in the form, and in its parameters for each round in which one went.
 */
export function toSsa(program: Program, most: number = MAXIMUM_INSTRUCTIONS): Result<SsaForm, Issue[]> {
  const written = new FormWriter(program).write(most);
  return written === undefined
    ? fail([
        {
          code: "program/too-long",
          pointer: "",
          message: `its form would have more than ${most} instructions.`,
          hint: "let references see the same locations wherever control meets",
        },
      ])
    : ok({ functions: written.map(withoutIdleParameters) });
}

/** Writes the functions of a form, the entry first. Owns which are known and which are still to write. */
class FormWriter {
  readonly #program: Program;
  readonly #names: Map<string, string> = new Map();
  readonly #used: Map<string, number> = new Map();
  readonly #pending: (() => FunctionWriter)[] = [];

  constructor(program: Program) {
    this.#program = program;
  }

  write(most: number): SsaFunction[] | undefined {
    const entry = present(this.#program.procedures[0], "a program's entry");
    const sites = this.#program.state.map(({ name, shape }): Site => ({ name, shape }));
    this.#pending.push(() => this.#function(entry, this.#fresh(entry.name), sites, "entry", false));
    const functions: SsaFunction[] = [];
    let left = most;
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      const written = next().write(left);
      if (written === undefined) return undefined;
      left -= written.blocks.reduce((sum, { body }) => sum + body.length + 1, 0);
      functions.push(written);
    }
    return functions;
  }

  #function(
    procedure: Procedure,
    name: string,
    sites: readonly Site[],
    given: "entry" | readonly Given[],
    isConstant: boolean,
  ): FunctionWriter {
    const callee: Callee = (wanted, passed, passedSites, isQuiet) =>
      this.#callee(wanted, passed, passedSites, isQuiet);
    return new FunctionWriter({ program: this.#program, procedure, name, sites, given, isConstant, callee });
  }

  /** The function that a procedure is where it is given this: the same for the same. */
  #callee(
    procedureName: string,
    given: readonly Given[],
    sites: readonly Site[],
    isConstant: boolean,
  ): string {
    const shapes = sites.map(({ shape }) => shape);
    const key = JSON.stringify([procedureName, given, shapes, isConstant]);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = this.#fresh(procedureName);
    this.#names.set(key, name);
    const procedure = present(
      this.#program.procedures.find((one) => one.name === procedureName),
      "a procedure of a program that was checked",
    );
    const own = sites.map(({ shape }, site): Site => ({ name: nameOfSite(procedure, given, site), shape }));
    this.#pending.push(() => this.#function(procedure, name, own, given, isConstant));
    return name;
  }

  #fresh(base: string): string {
    const count = this.#used.get(base) ?? 0;
    this.#used.set(base, count + 1);
    return count === 0 ? base : `${base}.${count}`;
  }
}

/** A location has the name of the first parameter that sees it. */
function nameOfSite({ parameters }: Procedure, given: readonly Given[], site: number): string {
  const place = given.findIndex((one) => one.kind === "reference" && one.site === site);
  const parameter: Parameter = at(parameters, place);
  return parameter.name;
}
