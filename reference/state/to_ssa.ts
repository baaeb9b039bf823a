import type { Procedure, Program } from "../../spec/programs/index.ts";
import { at, fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import {
  jumpsOf,
  operandsIn,
  readByEnd,
  replaced,
  resolved,
  type SsaBlock,
  type SsaForm,
  type SsaFunction,
  type SsaOperand,
  type SsaValue,
  withJumps,
} from "./ssa.ts";
import { all, type Bound, seenBy, sharing } from "./ssa_names.ts";
import type { Form, Task } from "./ssa_statements.ts";
import { FunctionWriter } from "./ssa_writer.ts";

/** The most instructions and blocks of one form. */
export const MAXIMUM_INSTRUCTIONS: number = 2 ** 18;

/**
 * Returns the program in static single assignment form [SEMANTICS §10.11]. Source: Braun et al., "Simple and
 * Efficient Construction of Static Single Assignment Form" (2013). The variables are names and locations: a
 * write, and a call that may write, makes new contents. Which names share a location is no variable but is
 * followed: a point reached with others shared is another block, and a procedure so called another function.
 * There are finitely many of both. Limits, fuel and released locations are not in the form, which is of runs
 * that end well.
 * **Law S**: unrolled along the decisions of a run it is the recorded graph (`unroll`).
 * Fails: `program/too-long` beyond `most` instructions and blocks. Cost: linear in the form, and in its
 * parameters for each round in which one goes.
 */
export function toSsa(program: Program, most: number = MAXIMUM_INSTRUCTIONS): Result<SsaForm, Issue[]> {
  const functions = written(program, most);
  return functions === undefined
    ? fail([
        {
          code: "program/too-long",
          pointer: "",
          message: `its form would have more than ${most} instructions.`,
          hint: "let references see the same locations wherever control meets",
        },
      ])
    : ok({ functions: functions.map(sealed) });
}

/** The functions before they are sealed, the entry first. */
function written(program: Program, most: number): SsaFunction[] | undefined {
  // A procedure is known by identity: those that differentiate a call have a name of their own making.
  const known = new Map<Procedure, Map<string, string>>();
  const used = new Map<string, number>();
  const pending: Task[] = [];
  const add = (task: Omit<Task, "name">): string => {
    const base = task.procedure.name;
    const count = used.get(base) ?? 0;
    used.set(base, count + 1);
    const name = count === 0 ? base : `${base}.${count}`;
    pending.push({ ...task, name });
    return name;
  };
  const form: Form = {
    program,
    function: (task) => {
      const { procedure, names, sites, isConstant } = task;
      const key = `${isConstant} ${sharing(names, sites)}`;
      const own = known.get(procedure) ?? new Map<string, string>();
      const name = own.get(key) ?? add(task);
      known.set(procedure, own.set(key, name));
      return name;
    },
  };
  const procedure = at(program.procedures, 0);
  const names = new Map<string, Bound>();
  for (const { name, shape } of procedure.parameters)
    names.set(name, { kind: "value", value: { kind: "tensor", name, shape } });
  for (const site of program.state) names.set(site.name, all(site));
  for (const alias of program.aliases ?? []) names.set(alias.name, seenBy(alias, names));
  add({ procedure, names, sites: program.state, isConstant: false });
  const functions: SsaFunction[] = [];
  let left = most;
  for (let task = pending.shift(); task !== undefined; task = pending.shift()) {
    const made = new FunctionWriter(form, task, left).write();
    if (made === undefined) return undefined;
    left -= made.blocks.reduce((sum, { body }) => sum + body.length + 1, 0);
    functions.push(made);
  }
  return functions;
}

/**
 * The function without the parameters of blocks that are always the same, and without parameters and counts
 * that nobody reads. A parameter to which only one other value is passed is that value: a trivial φ of Braun
 * et al. **Law**: it computes what it did, instruction for instruction but for those counts.
 */
function sealed(given: SsaFunction): SsaFunction {
  const parametersOf = new Map(given.blocks.map(({ label, parameters }) => [label, parameters]));
  const jumps = Map.groupBy(
    given.blocks.flatMap(({ end }) => jumpsOf(end)),
    ({ label }) => label,
  );
  const passed = new Map(
    given.blocks.flatMap(({ label, parameters }) =>
      parameters.map((parameter, i) => {
        const operands = (jumps.get(label) ?? []).map((jump) => at(jump.operands, i));
        return [parameter, operands] as const;
      }),
    ),
  );
  const same = onlyPassed(passed);
  const blocks = given.blocks.map((block) => replaced(block, same));
  const read = whatIsRead(blocks, passed, same);
  return {
    ...given,
    blocks: blocks.map(({ label, parameters, body, end }) => ({
      label,
      parameters: parameters.filter((parameter) => read.has(parameter)),
      body: body.filter((instruction) => instruction.do !== "count" || read.has(instruction.to)),
      end: withJumps(end, (jump) => ({
        label: jump.label,
        operands: jump.operands.filter((_, i) => read.has(at(parametersOf.get(jump.label) ?? [], i))),
      })),
    })),
  };
}

/** Finds for each parameter the value that all jumps pass to it, if there is one. */
function onlyPassed(passed: ReadonlyMap<SsaValue, readonly SsaOperand[]>): ReadonlyMap<SsaValue, SsaOperand> {
  const same = new Map<SsaValue, SsaOperand>();
  for (let before = -1; before < same.size; ) {
    before = same.size;
    for (const [parameter, operands] of passed) {
      if (same.has(parameter)) continue;
      const others = new Set(operands.map((operand) => resolved(operand, same)));
      others.delete(parameter);
      const [other] = others;
      if (other !== undefined && others.size === 1) same.set(parameter, other);
    }
  }
  return same;
}

/** Finds what ends and instructions but counts read, directly or through parameters and counts. */
function whatIsRead(
  blocks: readonly SsaBlock[],
  passed: ReadonlyMap<SsaValue, readonly SsaOperand[]>,
  same: ReadonlyMap<SsaValue, SsaOperand>,
): ReadonlySet<SsaValue> {
  const sources = new Map<SsaValue, readonly SsaOperand[]>(passed);
  const waiting: SsaOperand[] = [];
  for (const { body, end } of blocks) {
    for (const instruction of body) {
      if (instruction.do === "count") sources.set(instruction.to, operandsIn(instruction));
      else waiting.push(...operandsIn(instruction));
    }
    waiting.push(...readByEnd(end));
  }
  const read = new Set<SsaValue>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const value = resolved(next, same);
    if (typeof value === "number" || read.has(value)) continue;
    read.add(value);
    waiting.push(...(sources.get(value) ?? []));
  }
  return read;
}
