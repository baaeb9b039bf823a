import { ranCase, sessionCases, sweptCase } from "../../oracle/index.ts";
import {
  at,
  type Block,
  blocksOf,
  type ExpectedCall,
  type FlatTensor,
  type LeftBehind,
  type Procedure,
  type Program,
  type ProgramCase,
  type ProgramVector,
  type Statement,
  type StatementOf,
  statementsOf,
  type Transform,
} from "../../spec/index.ts";
import { expectedCall } from "./state_expected.ts";

/** A fault of a tape or a machine, imitated by a changed program, call, session or answer. */
export type Fault =
  /** Runs another program, or runs the right one and sweeps another. */
  | { readonly kind: "program"; readonly part: "all" | "sweep"; change(program: Program): Program }
  /** Gives each call another beginning, in the sweep alone or throughout. */
  | {
      readonly kind: "call";
      readonly part: "all" | "sweep";
      change(call: ProgramCase, first: ProgramCase): ProgramCase;
    }
  /** Continues the session from other cases. */
  | { readonly kind: "session"; cases(vector: ProgramVector): readonly ProgramCase[] }
  /** Reports what a call leaves behind wrongly. */
  | { readonly kind: "answer"; change(left: LeftBehind, call: ProgramCase): LeftBehind }
  /** Adds to the cotangents of a call those of all calls before it. */
  | { readonly kind: "added up" }
  /** Reads a saved value from its location at the time of the sweep, though it may be overwritten. */
  | { readonly kind: "unsaved" };

/** Returns what an engine with the fault would answer. */
export function answersUnder(fault: Fault, vector: ProgramVector): readonly ExpectedCall[] {
  const honest = honestCases(vector);
  switch (fault.kind) {
    case "program": {
      const changed = (call: ProgramCase): ProgramCase => ({ ...call, program: fault.change(call.program) });
      if (fault.part === "sweep")
        return honest.map((call) => sweptOtherwise(expectedCall(call), expectedCall(changed(call))));
      return casesOf(changed(vector.case), vector).map(expectedCall);
    }
    case "call": {
      const changed = honest.map((call) => expectedCall(fault.change(call, vector.case)));
      if (fault.part === "all") return changed;
      return honest.map((call, i) => sweptOtherwise(expectedCall(call), changed[i]));
    }
    case "session":
      return fault.cases(vector).map(expectedCall);
    case "answer":
      return honest.map((call) => {
        const left = expectedCall(call);
        return left.kind === "left" ? fault.change(left, call) : left;
      });
    case "added up":
      return addedUp(honest.map(expectedCall));
    case "unsaved":
      return honest.map(unsaved);
  }
}

function addedUp(answers: readonly ExpectedCall[]): readonly ExpectedCall[] {
  let sums: readonly FlatTensor[] = [];
  return answers.map((left) => {
    if (left.kind !== "left" || left.cotangents.length === 0) return left;
    const cotangents = left.cotangents.map(({ shape, data }, i) => ({
      shape,
      data: data.map((x, element) => x + (sums[i]?.data[element] ?? 0)),
    }));
    sums = cotangents;
    return { ...left, cotangents };
  });
}

/** Tells whether two answers differ by more than rounding, or one of them refuses. */
export function differs(a: readonly ExpectedCall[], b: readonly ExpectedCall[]): boolean {
  if (a.length !== b.length) return true;
  return a.some((one, i) => {
    const other = b[i];
    if (one.kind !== "left" || other?.kind !== "left") return one.kind !== other?.kind;
    const [x, y] = [numbersOf(one), numbersOf(other)];
    return x.length !== y.length || x.some((number, place) => isFar(number, y[place] ?? Number.NaN));
  });
}

function isFar(x: number, y: number): boolean {
  if (Object.is(x, y)) return false;
  if (!Number.isFinite(x) || !Number.isFinite(y)) return true;
  return !(Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y)));
}

function numbersOf({ results, state, sent, drawn, cotangents, retained }: LeftBehind): number[] {
  const tensors = [...results, ...state, ...sent.map(({ value }) => value), ...cotangents, ...retained];
  return [drawn, ...tensors.flatMap(({ data }) => [...data])];
}

function honestCases(vector: ProgramVector): readonly ProgramCase[] {
  return casesOf(vector.case, vector);
}

function casesOf(first: ProgramCase, { calls }: ProgramVector): readonly ProgramCase[] {
  return sessionCases(first, calls);
}

/** Combines the values of one run with the cotangents of another. */
function sweptOtherwise(left: ExpectedCall, other: ExpectedCall | undefined): ExpectedCall {
  if (left.kind !== "left" || other?.kind !== "left") return left;
  return { ...left, cotangents: other.cotangents, retained: other.retained };
}

function unsaved(call: ProgramCase): ExpectedCall {
  const left = expectedCall(call);
  const swept = sweptCase(call, "none");
  if (left.kind !== "left" || !swept.ok || swept.value.kind !== "gradient") return left;
  const { cotangents } = swept.value;
  return {
    ...left,
    cotangents: left.cotangents.map((honest, i) => {
      const found = cotangents[i];
      return found === undefined
        ? { shape: honest.shape, data: honest.data.map(() => 0) }
        : { shape: found.shape, data: Float64Array.from(found.data) };
    }),
  };
}

/** Makes a fault that replaces statements everywhere in the program. */
function everywhere(
  part: "all" | "sweep",
  replace: (statement: Statement, about: About) => Block | undefined,
): Fault {
  return {
    kind: "program",
    part,
    change: (program) => {
      const about = aboutProgram(program);
      const within = (block: Block): Block =>
        block.flatMap((statement) => {
          const inner = blocksOf(statement).map(([property, body]) => [property, within(body)]);
          const deeper: Statement = { ...statement, ...Object.fromEntries(inner) };
          return replace(deeper, about) ?? [deeper];
        });
      return mapBodies(program, ({ body }) => within(body));
    },
  };
}

/** Makes a fault that replaces calls that are differentiated. */
function derivedCalls(replace: (statement: StatementOf<"differentiate_call">, about: About) => Block): Fault {
  return everywhere("all", (statement, about) =>
    statement.do === "differentiate_call" ? replace(statement, about) : undefined,
  );
}

function mapBodies(program: Program, change: (procedure: Procedure) => Block): Program {
  return {
    ...program,
    procedures: program.procedures.map((procedure) => ({ ...procedure, body: change(procedure) })),
  };
}

/** It tells what a name stands for, in a program that never uses a name twice, as the builder's do not. */
interface About {
  isReference(name: string): boolean;
  isView(name: string): boolean;
  /** Returns the name of the location that a view is of, as far as the procedure knows it. */
  rootOf(name: string): string;
}

function aboutProgram(program: Program): About {
  const above = new Map<string, string>();
  const references = new Set(program.state.map(({ name }) => name));
  for (const { parameters } of program.procedures)
    for (const { name, kind } of parameters) if (kind === "reference") references.add(name);
  for (const statement of statementsOf(program)) {
    if (statement.do === "buffer") references.add(statement.name);
    if (statement.do === "view") above.set(statement.name, statement.of);
    if (statement.do === "detach" && (references.has(statement.of) || above.has(statement.of)))
      above.set(statement.name, statement.of);
  }
  const rootOf = (name: string): string => {
    const next = above.get(name);
    return next === undefined ? name : rootOf(next);
  };
  return {
    isReference: (name) => references.has(name) || above.has(name),
    isView: (name) => above.has(name),
    rootOf,
  };
}

/** Makes a fault that drops the picked statements and replaces each name they define by another. */
function renaming(
  pick: (statement: Statement, about: About) => readonly [string, string] | undefined,
): Fault {
  return {
    kind: "program",
    part: "all",
    change: (program) => {
      const about = aboutProgram(program);
      const gone = statementsOf(program).flatMap((statement) => {
        const names = pick(statement, about);
        return names === undefined ? [] : [names];
      });
      const text = gone.reduce(
        (all, [name, other]) => all.replaceAll(JSON.stringify(name), JSON.stringify(other)),
        JSON.stringify(
          mapBodies(program, ({ body }) =>
            without(body, (statement) => pick(statement, about) !== undefined),
          ),
        ),
      );
      return JSON.parse(text);
    },
  };
}

function without(block: Block, isGone: (statement: Statement) => boolean): Block {
  return block.flatMap((statement) => {
    if (isGone(statement)) return [];
    const inner = blocksOf(statement).map(([property, body]) => [property, without(body, isGone)]);
    return [{ ...statement, ...Object.fromEntries(inner) }];
  });
}

/** Returns the block with 0 for each derivative. */
function withoutSlopes(block: Block): Block {
  return block.flatMap((statement) =>
    statement.do === "differentiate"
      ? [
          { ...statement, name: `${statement.name}~` },
          applied(statement.name, "subtract", [`${statement.name}~`, `${statement.name}~`]),
        ]
      : [statement],
  );
}

function isWrite(statement: Statement): statement is StatementOf<"write"> | StatementOf<"update"> {
  return statement.do === "write" || statement.do === "update";
}

function applied(
  name: string,
  op: "stop_gradient" | "add" | "subtract" | UpdateName,
  operands: readonly string[],
): Statement {
  return { do: "let", name, op, attributes: {}, operands };
}

type UpdateName = StatementOf<"update">["op"];

/** Turns a write into the definition of a value: for `update`, of the operator's result. */
function writtenAs(name: string, statement: StatementOf<"write"> | StatementOf<"update">): Statement {
  const { to, from } = statement;
  return statement.do === "update"
    ? applied(name, statement.op, [to, from])
    : { do: "rebind", name: from, to: from };
}

/** Makes a fault that changes the transform of every view. */
function seenOtherwise(change: (how: Transform) => Transform): Fault {
  return everywhere("all", (statement) =>
    statement.do === "view" ? [{ ...statement, how: change(statement.how) }] : undefined,
  );
}

function loops(part: "all" | "sweep", turns: (times: number) => number): Fault {
  return everywhere(part, (statement) =>
    statement.do === "for" ? [{ ...statement, times: turns(statement.times) }] : undefined,
  );
}

/** Makes a fault by which each call starts with something of the first call. */
function session(begin: (call: ProgramCase, first: ProgramCase) => ProgramCase): Fault {
  return {
    kind: "session",
    cases: (vector) => honestCases(vector).map((call) => begin(call, vector.case)),
  };
}

/**
 * Makes a fault by which a call after one that failed begins with something that the failed one had reached.
 */
function afterFailed(begin: (next: ProgramCase, reached: ProgramCase) => ProgramCase): Fault {
  return {
    kind: "session",
    cases: ({ case: first, calls }) => {
      const cases = [first];
      for (const call of calls) {
        const last = at(cases, cases.length - 1);
        const next = at(sessionCases(last, [call]), 1);
        const reached = at(sessionCases(untilFault(last), [call]), 1);
        cases.push(ranCase(last).ok ? next : begin(next, reached));
      }
      return cases;
    },
  };
}

/** Returns a call with the entry's statements before the one that fails. */
function untilFault(call: ProgramCase): ProgramCase {
  const ran = ranCase(call);
  const count = ran.ok
    ? undefined
    : /^\/program\/procedures\/0\/body\/(\d+)/.exec(at(ran.error, 0).pointer)?.[1];
  if (count === undefined) return call;
  const [entry, ...others] = call.program.procedures;
  if (entry === undefined) return call;
  const shorter = { ...entry, body: entry.body.slice(0, Number(count)), results: [] };
  return { ...call, program: { ...call.program, procedures: [shorter, ...others] } };
}

function parametersOf({ program, point }: ProgramCase): readonly FlatTensor[] {
  return point.inputs.slice(0, point.inputs.length - program.state.length);
}

function locationsOf({ program, point }: ProgramCase): readonly FlatTensor[] {
  return point.inputs.slice(point.inputs.length - program.state.length);
}

/** Lists, by a name that says what is wrong, the faults that the suite must expose. */
export const faults: Readonly<Record<string, Fault>> = {
  saved_value_not_kept: { kind: "unsaved" },
  view_is_a_copy: everywhere("all", (statement) =>
    statement.do === "view"
      ? [
          { ...statement, name: `${statement.name}~` },
          { do: "buffer", name: statement.name, from: `${statement.name}~` },
        ]
      : undefined,
  ),
  reshape_is_a_copy: everywhere("all", (statement) =>
    statement.do === "view" && statement.how.kind === "reshape"
      ? [
          { ...statement, name: `${statement.name}~` },
          { do: "buffer", name: statement.name, from: `${statement.name}~` },
        ]
      : undefined,
  ),
  slice_starts_at_zero: seenOtherwise((how) =>
    how.kind === "slice" ? { ...how, starts: how.starts.map(() => 0) } : how,
  ),
  steps_ignored: seenOtherwise((how) =>
    how.kind === "slice" ? { ...how, steps: how.steps.map(() => 1) } : how,
  ),
  strides_ignored: seenOtherwise((how) =>
    how.kind === "strided" ? { ...how, strides: how.strides.map(Math.sign) } : how,
  ),
  permutation_ignored: seenOtherwise((how) =>
    how.kind === "permute" ? { ...how, axes: how.axes.map((_, axis) => axis) } : how,
  ),
  counter_is_stale: everywhere("all", (statement) => {
    const still = (index: number | string): number | string => (typeof index === "string" ? 0 : index);
    if (statement.do === "view" && statement.how.kind === "slice")
      return [{ ...statement, how: { ...statement.how, starts: statement.how.starts.map(still) } }];
    if (statement.do === "view" && statement.how.kind === "strided")
      return [{ ...statement, how: { ...statement.how, start: still(statement.how.start) } }];
    if (statement.do === "write_rows") return [{ ...statement, rows: statement.rows.map(still) }];
    if (statement.do !== "draw" || statement.key === undefined) return undefined;
    return [{ ...statement, key: [still(statement.key[0]), still(statement.key[1])] }];
  }),
  write_through_view_lost: everywhere("all", (statement, about) =>
    isWrite(statement) && about.isView(statement.to) ? [] : undefined,
  ),
  equal_updates_merged: {
    kind: "program",
    part: "all",
    change: (program) =>
      mapBodies(program, ({ body }) =>
        body.filter((statement, i) => JSON.stringify(statement) !== JSON.stringify(body[i - 1])),
      ),
  },
  update_replaces: everywhere("all", (statement) =>
    statement.do === "update" ? [{ do: "write", to: statement.to, from: statement.from }] : undefined,
  ),
  written_gradient_lost: everywhere("all", (statement) => {
    if (!isWrite(statement)) return undefined;
    const from = `${statement.from}~${statement.to}`;
    return [applied(from, "stop_gradient", [statement.from]), { ...statement, from }];
  }),
  overwritten_gradient_kept: everywhere("all", (statement) => {
    if (!isWrite(statement)) return undefined;
    const { to, from } = statement;
    const [still, zero, sum, own] = ["a", "b", "c", "d"].map((letter) => `${to}~${from}~${letter}`);
    if (still === undefined || zero === undefined || sum === undefined || own === undefined) return undefined;
    const value = statement.do === "update" ? own : from;
    return [
      ...(statement.do === "update" ? [writtenAs(own, statement)] : []),
      applied(still, "stop_gradient", [to]),
      applied(zero, "subtract", [to, still]),
      applied(sum, "add", [value, zero]),
      { do: "write", to, from: sum },
    ];
  }),
  rest_of_location_cut: everywhere("all", (statement, about) => {
    if (!isWrite(statement) || !about.isView(statement.to)) return undefined;
    const root = about.rootOf(statement.to);
    const still = `${root}~${statement.to}`;
    return [applied(still, "stop_gradient", [root]), { do: "write", to: root, from: still }, statement];
  }),
  buffer_shares_memory: renaming((statement, about) =>
    statement.do === "buffer" && about.isReference(statement.from)
      ? [statement.name, statement.from]
      : undefined,
  ),
  buffer_gradient_lost: everywhere("all", (statement) =>
    statement.do === "buffer"
      ? [
          applied(`${statement.name}~`, "stop_gradient", [statement.from]),
          { ...statement, from: `${statement.name}~` },
        ]
      : undefined,
  ),
  read_is_a_view: renaming((statement, about) => {
    if (statement.do !== "let" || statement.op !== "reshape") return undefined;
    const [operand] = statement.operands;
    return operand !== undefined && about.isReference(operand) ? [statement.name, operand] : undefined;
  }),
  value_parameter_is_shared: {
    kind: "program",
    part: "all",
    change: (program) => ({
      ...program,
      procedures: program.procedures.map((procedure, i) => ({
        ...procedure,
        parameters: procedure.parameters.map((parameter) =>
          i === 0 ? parameter : { ...parameter, kind: "reference" },
        ),
      })),
    }),
  },
  reference_parameter_is_copied: {
    kind: "program",
    part: "all",
    change: (program) => ({
      ...program,
      procedures: program.procedures.map((procedure) => {
        const shared = procedure.parameters.filter(({ kind }) => kind === "reference");
        const copies = shared.map(({ name }): Statement => ({ do: "buffer", name, from: `${name}~` }));
        const parameters = procedure.parameters.map((parameter) =>
          parameter.kind === "reference" ? { ...parameter, name: `${parameter.name}~` } : parameter,
        );
        return { ...procedure, parameters, body: [...copies, ...procedure.body] };
      }),
    }),
  },
  donated_is_shared: {
    kind: "program",
    part: "all",
    change: (program) => ({
      ...program,
      procedures: program.procedures.map((procedure) => ({
        ...procedure,
        parameters: procedure.parameters.map((parameter) =>
          parameter.kind === "donated" ? { ...parameter, kind: "reference" } : parameter,
        ),
      })),
    }),
  },
  call_gradient_lost: everywhere("all", (statement) => {
    if (statement.do !== "call") return undefined;
    return [
      { ...statement, names: statement.names.map((name) => `${name}~`) },
      ...statement.names.map((name) => applied(name, "stop_gradient", [`${name}~`])),
    ];
  }),
  loop_one_turn_short: loops("sweep", (times) => Math.max(0, times - 1)),
  loop_one_turn_long: loops("all", (times) => times + 1),
  loop_not_replayed: loops("sweep", () => 0),
  while_once: everywhere("sweep", (statement) =>
    statement.do === "while"
      ? [{ do: "if", condition: statement.condition, body: statement.body, otherwise: [] }]
      : undefined,
  ),
  break_ignored: everywhere("all", (statement) => (statement.do === "break" ? [] : undefined)),
  return_ignored: everywhere("all", (statement) => (statement.do === "return" ? [] : undefined)),
  returned_gradient_lost: everywhere("all", (statement) => {
    if (statement.do !== "return") return undefined;
    const operands = statement.operands.map((name, place) => `${name}~${place}`);
    const still = statement.operands.map((name, i) => applied(operands[i] ?? name, "stop_gradient", [name]));
    return [...still, { ...statement, operands }];
  }),
  fuel_ignored: everywhere("all", (statement) =>
    statement.do === "while" ? [{ ...statement, fuel: 1000 }] : undefined,
  ),
  branch_decided_again: everywhere("sweep", (statement) =>
    statement.do === "if"
      ? [{ ...statement, body: statement.otherwise, otherwise: statement.body }]
      : undefined,
  ),
  rebind_ignored: everywhere("all", (statement) => (statement.do === "rebind" ? [] : undefined)),
  mask_redrawn: {
    kind: "call",
    part: "sweep",
    change: (call) => ({ ...call, generator: { ...call.generator, drawn: call.generator.drawn + 1 } }),
  },
  generator_begins_anew: {
    kind: "call",
    part: "all",
    change: (call) => ({ ...call, generator: { ...call.generator, drawn: 0 } }),
  },
  draws_all_alike: everywhere("all", (statement) =>
    statement.do === "draw" ? [{ ...statement, key: [1, 2] }] : undefined,
  ),
  draw_counts_twice: everywhere("all", (statement) =>
    statement.do === "draw" && statement.key === undefined
      ? [statement, { ...statement, name: `${statement.name}~` }]
      : undefined,
  ),
  key_ignored: everywhere("all", (statement) => {
    if (statement.do !== "draw") return undefined;
    const { key: _, ...drawn } = statement;
    return [drawn];
  }),
  keyed_draw_counts: everywhere("all", (statement) => {
    if (statement.do !== "draw" || statement.key === undefined) return undefined;
    const { key: _, ...drawn } = statement;
    return [statement, { ...drawn, name: `${statement.name}~` }];
  }),
  checkpoint_runs_twice: everywhere("all", (statement) =>
    statement.do === "checkpoint" ? [statement, statement] : undefined,
  ),
  no_grad_ignored: everywhere("all", (statement) =>
    statement.do === "no_grad" ? [{ do: "checkpoint", body: statement.body }] : undefined,
  ),
  no_grad_reaches_derivatives: everywhere("all", (statement) =>
    statement.do === "no_grad" ? [{ ...statement, body: withoutSlopes(statement.body) }] : undefined,
  ),
  no_grad_writes_lost: everywhere("all", (statement) =>
    statement.do === "no_grad" ? [{ ...statement, body: without(statement.body, isWrite) }] : undefined,
  ),
  detach_ignored: renaming((statement) =>
    statement.do === "detach" ? [statement.name, statement.of] : undefined,
  ),
  detach_is_a_copy: everywhere("all", (statement, about) =>
    statement.do === "detach" && about.isReference(statement.of)
      ? [
          { ...statement, name: `${statement.name}~` },
          { do: "buffer", name: statement.name, from: `${statement.name}~` },
        ]
      : undefined,
  ),
  release_ignored: everywhere("all", (statement) => (statement.do === "release" ? [] : undefined)),
  retained_at_the_end: {
    kind: "program",
    part: "sweep",
    change: (program) =>
      mapBodies(program, ({ body }) => [
        ...body.filter((statement) => statement.do !== "retain"),
        ...body.filter((statement) => statement.do === "retain"),
      ]),
  },
  retained_is_the_first: {
    kind: "answer",
    change: (left) => ({ ...left, retained: left.retained.map(() => left.retained[0] ?? none) }),
  },
  retained_is_the_last: {
    kind: "answer",
    change: (left) => ({ ...left, retained: left.retained.map(() => left.retained.at(-1) ?? none) }),
  },
  retained_backwards: {
    kind: "answer",
    change: (left) => ({ ...left, retained: left.retained.toReversed() }),
  },
  derivative_is_constant: everywhere("sweep", (statement) => {
    if (statement.do === "differentiate_call")
      return [
        { ...statement, derivatives: statement.derivatives.map((name) => `${name}~`) },
        ...statement.derivatives.map((name) => applied(name, "stop_gradient", [`${name}~`])),
      ];
    return statement.do === "differentiate"
      ? [
          { ...statement, name: `${statement.name}~` },
          applied(statement.name, "stop_gradient", [`${statement.name}~`]),
        ]
      : undefined;
  }),
  derived_call_first_direction_alone: derivedCalls((statement) => {
    const { mode, of, wrt, along } = statement;
    const kept = mode === "vjp" ? { of: of.slice(0, 1) } : { wrt: wrt.slice(0, 1) };
    return [{ ...statement, ...kept, along: along.slice(0, 1) }];
  }),
  derived_call_last_direction_alone: derivedCalls((statement) => {
    const { mode, of, wrt, along } = statement;
    const kept = mode === "vjp" ? { of: of.slice(-1) } : { wrt: wrt.slice(-1) };
    return [{ ...statement, ...kept, along: along.slice(-1) }];
  }),
  derived_call_happens_twice: derivedCalls((statement) => {
    const { names, procedure, operands } = statement;
    return [statement, { do: "call", names: names.map((name) => `${name}~`), procedure, operands }];
  }),
  derived_call_after_the_call: derivedCalls((statement) => {
    const { names, procedure, operands } = statement;
    const wasted = names.map((name) => `${name}~`);
    return [
      { do: "call", names, procedure, operands },
      { ...statement, names: wasted },
    ];
  }),
  derived_call_on_copies: derivedCalls((statement, about) => {
    const lent = [...new Set(statement.operands.filter((name) => about.isReference(name)))];
    const operands = statement.operands.map((name) => (lent.includes(name) ? `${name}~` : name));
    return [
      ...lent.map((name): Statement => ({ do: "buffer", name: `${name}~`, from: name })),
      { ...statement, operands },
    ];
  }),
  derived_call_unshares: derivedCalls((statement) => {
    const [first = "", ...rest] = statement.operands;
    const { names, procedure, operands } = statement;
    return [
      { do: "buffer", name: `${first}~`, from: first },
      { ...statement, operands: [`${first}~`, ...rest], names: names.map((name) => `${name}~`) },
      { do: "call", names, procedure, operands },
    ];
  }),
  derived_call_location_constant: derivedCalls((statement, about) => {
    const { operands, wrt, derivatives, mode } = statement;
    if (mode === "jvp") return [statement];
    const isLost = wrt.map((place) => about.isReference(operands[place] ?? ""));
    const own = derivatives.map((name, i) => (isLost[i] === true ? `${name}~` : name));
    return [
      { ...statement, derivatives: own },
      ...derivatives.flatMap(
        (name, i): Block => (own[i] === name ? [] : [applied(name, "subtract", [`${name}~`, `${name}~`])]),
      ),
    ];
  }),
  derivative_by_the_first: everywhere("all", (statement) =>
    statement.do === "differentiate" ? [{ ...statement, wrt: 0 }] : undefined,
  ),
  derivative_of_the_first_result: everywhere("all", (statement) =>
    statement.do === "differentiate" ? [{ ...statement, of: 0 }] : undefined,
  ),
  own_derivative_ignored: everywhere("all", (statement) => {
    if (statement.do !== "custom") return undefined;
    const { derivative: _, ...called } = statement;
    return [{ ...called, do: "call" }];
  }),
  mark_forgotten: everywhere("all", (statement, about) => {
    if (statement.do !== "custom") return undefined;
    const marked = statement.operands.filter(about.isReference);
    return [
      ...marked.map((from): Statement => ({ do: "buffer", name: `${from}~before`, from })),
      statement,
      ...marked.flatMap((to): Statement[] => [
        applied(`${to}~still`, "stop_gradient", [`${to}~before`]),
        applied(`${to}~zero`, "subtract", [`${to}~still`, `${to}~before`]),
        applied(`${to}~value`, "stop_gradient", [to]),
        applied(`${to}~after`, "subtract", [`${to}~value`, `${to}~zero`]),
        { do: "write", to, from: `${to}~after` },
      ]),
    ];
  }),
  hook_ignored: renaming((statement) =>
    statement.do === "hook" ? [statement.name, statement.of] : undefined,
  ),
  hook_called_twice: everywhere("all", (statement) =>
    statement.do === "hook"
      ? [
          { ...statement, name: `${statement.name}~` },
          { ...statement, of: `${statement.name}~` },
        ]
      : undefined,
  ),
  last_seed_only: {
    kind: "call",
    part: "sweep",
    change: (call) => ({ ...call, seeds: call.seeds.slice(-1) }),
  },
  gradient_of_state_lost: {
    kind: "answer",
    change: (left, { program }) => ({
      ...left,
      cotangents: left.cotangents.map((each, i) =>
        i < left.cotangents.length - program.state.length
          ? each
          : { shape: each.shape, data: each.data.map(() => 0) },
      ),
    }),
  },
  sent_backwards: { kind: "answer", change: (left) => ({ ...left, sent: left.sent.toReversed() }) },
  send_lost: everywhere("all", (statement) => (statement.do === "send" ? [] : undefined)),
  received_again: { kind: "call", part: "all", change: sameAgain },
  received_again_in_the_sweep: { kind: "call", part: "sweep", change: sameAgain },
  world_gives_zeros: everywhere("all", (statement) =>
    statement.do === "receive"
      ? [
          {
            do: "let",
            name: statement.name,
            op: "full",
            attributes: { shape: statement.shape, value: 0 },
            operands: [],
          },
        ]
      : undefined,
  ),
  state_not_carried: session((call, first) => ({
    ...call,
    point: { ...call.point, inputs: [...parametersOf(call), ...locationsOf(first)] },
  })),
  generator_not_carried: session((call, { generator }) => ({ ...call, generator })),
  failed_call_leaves_state: afterFailed((next, reached) => ({
    ...next,
    point: {
      ...next.point,
      inputs: [...parametersOf(next), ...locationsOf(reached)],
    },
  })),
  failed_call_moves_generator: afterFailed((next, { generator }) => ({ ...next, generator })),
  cotangents_add_up: { kind: "added up" },
  call_runs_twice: {
    kind: "session",
    cases: ({ case: first, calls }) => {
      const doubled = [first, ...calls].flatMap((call) => {
        const parameters =
          "point" in call
            ? call.point.inputs.slice(0, call.point.inputs.length - first.program.state.length)
            : call.parameters;
        const again = { parameters, received: call.received, seeds: call.seeds };
        return [again, again];
      });
      return sessionCases(first, doubled.slice(1)).filter((_, i) => i % 2 === 0);
    },
  },
};

const none: FlatTensor = { shape: [0], data: new Float64Array(0) };

/** Makes every call receive a channel's first tensor again. */
function sameAgain(call: ProgramCase): ProgramCase {
  const received = [...call.received].map(([channel, tensors]): [string, readonly FlatTensor[]] => [
    channel,
    tensors.map((tensor) => tensors[0] ?? tensor),
  ]);
  return { ...call, received: new Map(received) };
}
