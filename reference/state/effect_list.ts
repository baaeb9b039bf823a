import {
  type Procedure,
  type Program,
  proceduresOf,
  type Statement,
  statementsIn,
} from "../../spec/programs/index.ts";
import { sharingOf } from "./aliases.ts";

/**
 * What a statement does beside computing values. `generator`: it draws from the state's generator; `key`: it
 * draws from a key of its own; `receive`, `send`: from the world and to it; `decide`: it chooses what is
 * executed; `place`: it makes places of numbers; `state`: it overwrites what may be a persistent location.
 */
export type EffectKind = "generator" | "key" | "receive" | "send" | "decide" | "place" | "state";

/** A statement of a procedure with its effect. */
export interface StatementEffect {
  readonly procedure: string;
  readonly statement: Statement;
  readonly kind: EffectKind;
}

/** A program's effects, and its procedures that are functions of what they are given, whatever they call. */
export interface ProgramEffects {
  readonly effects: readonly StatementEffect[];
  readonly isolated: readonly string[];
}

/** Finds the effects of a program without a run [SEMANTICS §10.7]. Cost: as `sharingOf`. */
export function effectsIn(program: Program): ProgramEffects {
  const { overwritings, aliasing } = sharingOf(program);
  const onState = new Set<Statement>(
    overwritings
      .filter(({ target }) => program.state.some((location) => aliasing(location, target) !== "cannot"))
      .map(({ statement }) => statement),
  );
  const effects = program.procedures.flatMap((procedure) =>
    statementsIn(procedure.body).flatMap((statement): StatementEffect[] => {
      const kind = onState.has(statement) ? "state" : kindOf(statement);
      return kind === undefined ? [] : [{ procedure: procedure.name, statement, kind }];
    }),
  );
  return { effects, isolated: isolatedIn(program.procedures, effects) };
}

function kindOf(statement: Statement): EffectKind | undefined {
  switch (statement.do) {
    case "draw":
      return statement.key === undefined ? "generator" : "key";
    case "receive":
    case "send":
      return statement.do;
    case "if":
    case "while":
      return "decide";
    case "index":
    case "write_scatter":
      return "place";
    default:
      return undefined;
  }
}

/** These effects are those of its arguments alone. */
const closed: ReadonlySet<EffectKind> = new Set(["decide", "key", "place"]);

/** A procedure is isolated if it gives the same results for the same arguments, and leaves nothing else. */
function isolatedIn(procedures: readonly Procedure[], effects: readonly StatementEffect[]): string[] {
  const open = new Set(effects.filter(({ kind }) => !closed.has(kind)).map(({ procedure }) => procedure));
  for (const { name, parameters } of procedures)
    if (parameters.some(({ kind }) => kind === "reference")) open.add(name);
  const called = ({ body }: Procedure): readonly string[] => statementsIn(body).flatMap(proceduresOf);
  for (let before = -1; before < open.size; ) {
    before = open.size;
    for (const procedure of procedures)
      if (called(procedure).some((name) => open.has(name))) open.add(procedure.name);
  }
  return procedures.map(({ name }) => name).filter((name) => !open.has(name));
}
