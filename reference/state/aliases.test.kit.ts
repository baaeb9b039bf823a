import {
  type Block,
  blocksOf,
  NameScope,
  type Program,
  type Statement,
  type StatementOf,
  type View,
} from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import type { Tensor } from "../tensor.ts";
import type { Binder } from "./aliases.ts";
import type { Start } from "./execute.ts";
import { Machine } from "./machine.ts";
import type { Memory } from "./memory.ts";
import { Run } from "./run.ts";
import { defaultLimits, Progress } from "./setting.ts";

/** A program that sends what each reference sees once it is bound, on a channel for its binder. */
interface Instrumented {
  readonly program: Program;
  readonly binders: readonly Binder[];
}

/** A reference saw a memory. */
export interface Sighting {
  readonly binder: Binder;
  readonly memory: Memory<number>;
}

/** Returns the memories that a program's references saw when they were bound, in a run over float64. */
export function sightingsIn(program: Program, start: Start<number>): Sighting[] {
  const { program: instrumented, binders } = instrument(program);
  const seen = new WeakMap<Tensor<number>, Memory<number>>();
  const surroundings = {
    declared: new Map(program.environment.map((entry) => [entry.name, entry])),
    values: new Map(start.environment),
  };
  /** Remembers where each tensor was read. */
  class Watcher extends Machine<number, boolean> {
    override read(memory: Memory<number>, view: View): Tensor<number> {
      const tensor = super.read(memory, view);
      seen.set(tensor, memory);
      return tensor;
    }

    override apply(...given: Parameters<Machine<number, boolean>["apply"]>): Tensor<number> {
      const [node, [operand]] = given;
      const value = super.apply(...given);
      const memory = operand && seen.get(operand);
      if (node.op === "stop_gradient" && memory !== undefined) seen.set(value, memory);
      return value;
    }
  }
  const run = new Run(new Watcher(float64, surroundings), instrumented, {
    literals: {
      literal: Number,
      isZero: (x) => x === 0,
      wholeOf: (x) => (Number.isSafeInteger(x) && x >= 0 ? x : undefined),
    },
    limits: defaultLimits,
    world: start.world,
    key: start.generator.key,
    progress: new Progress(start.generator.drawn),
    nodes: new Map(),
  });
  run.enter(start.parameters, start.state);
  return run.sent.flatMap(({ channel, value }) => {
    const [binder, memory] = [binders[Number(channel)], seen.get(value)];
    return binder === undefined || memory === undefined ? [] : [{ binder, memory }];
  });
}

function instrument(program: Program): Instrumented {
  const binders: Binder[] = [];
  const send = (binder: Binder, name: string): StatementOf<"send"> => {
    if (!binders.includes(binder)) binders.push(binder);
    return { do: "send", channel: `${binders.indexOf(binder)}`, from: name };
  };
  const differentiated = new Set<string>();
  const [entry] = program.procedures;
  const block = (statements: Block, scope: NameScope<Binder>): Statement[] =>
    statements.flatMap((statement): Statement[] => {
      if (statement.do === "differentiate") differentiated.add(statement.procedure);
      const bound = boundBy(statement, scope);
      const entries = blocksOf(statement).map(([property, inner]) => [
        property,
        block(inner, new NameScope(scope)),
      ]);
      const probe = bound === undefined ? [] : [send(bound.binder, bound.name)];
      return [{ ...statement, ...Object.fromEntries(entries) }, ...probe];
    });
  const globals = new NameScope<Binder>();
  const persistent = [...program.state, ...(program.aliases ?? [])];
  for (const location of persistent) globals.bind(location.name, location);
  const probes = persistent.map((location) => send(location, location.name));
  const procedures = program.procedures.map((procedure) => {
    const scope = new NameScope<Binder>(procedure === entry ? globals : undefined);
    const references = procedure.parameters.filter(({ kind }) => kind !== "value");
    for (const parameter of references) scope.bind(parameter.name, parameter);
    const sent = references.map((parameter) => send(parameter, parameter.name));
    const first = procedure === entry ? probes : [];
    return { ...procedure, body: [...first, ...sent, ...block(procedure.body, scope)] };
  });
  // Nothing is sent from within a derivative: there the program stays as it is.
  const kept = procedures.map((procedure, i) =>
    differentiated.has(procedure.name) ? (program.procedures[i] ?? procedure) : procedure,
  );
  return { program: { ...program, procedures: kept }, binders };
}

/** The reference that a statement binds, or binds again, with its name. */
function boundBy(
  statement: Statement,
  scope: NameScope<Binder>,
): { readonly binder: Binder; readonly name: string } | undefined {
  switch (statement.do) {
    case "buffer":
    case "view":
      scope.bind(statement.name, statement);
      return { binder: statement, name: statement.name };
    case "detach":
      if (scope.find(statement.of) === undefined) return undefined;
      scope.bind(statement.name, statement);
      return { binder: statement, name: statement.name };
    case "rebind": {
      const binder = scope.find(statement.name);
      return binder && { binder, name: statement.name };
    }
    default:
      return undefined;
  }
}
