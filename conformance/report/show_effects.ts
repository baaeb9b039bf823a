import type { EffectKind, ProgramEffects } from "../../reference/state/index.ts";
import { type Program, pointerOfStatement } from "../../spec/programs/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import { labelledOrBelow, narrowed } from "./folded.ts";
import type { WriteStatement } from "./show_sharing.ts";

/** What an effect means for whoever runs a program again, or derives it. */
interface EffectMeaning {
  /** The same start gives the same again. */
  readonly isRepeatable: boolean;
  /** It can be undone by what the program keeps. */
  readonly isReversible: boolean;
  /** It shows in no argument and no result. */
  readonly isHidden: boolean;
  readonly derivative: string;
}

const meanings: Readonly<Record<EffectKind, EffectMeaning>> = {
  generator: {
    isRepeatable: true,
    isReversible: true,
    isHidden: true,
    derivative: "what is drawn is constant",
  },
  key: { isRepeatable: true, isReversible: true, isHidden: false, derivative: "what is drawn is constant" },
  receive: { isRepeatable: false, isReversible: false, isHidden: true, derivative: "what comes is constant" },
  send: { isRepeatable: true, isReversible: false, isHidden: true, derivative: "refused within one" },
  decide: {
    isRepeatable: true,
    isReversible: true,
    isHidden: false,
    derivative: "that of the branch that is taken",
  },
  place: {
    isRepeatable: true,
    isReversible: true,
    isHidden: false,
    derivative: "that at these places",
  },
  state: {
    isRepeatable: true,
    isReversible: false,
    isHidden: true,
    derivative: "that of the call, from the old contents",
  },
};

/** A program's effects as JSON. */
export interface EffectsJson {
  readonly effects: readonly (EffectMeaning & {
    readonly procedure: string;
    readonly statement: string;
    readonly pointer: string;
    readonly kind: EffectKind;
  })[];
  /** These procedures give the same for the same arguments, and leave nothing else. */
  readonly isolated: readonly string[];
  /** The results of the case's run that depend on what came from outside, if the document has a case. */
  readonly fromOutside?: readonly string[];
}

/** Tells the effects of a program as JSON; `fromOutside` are places of results. */
export function effectsJson(
  program: Program,
  { effects, isolated }: ProgramEffects,
  write: WriteStatement,
  fromOutside?: readonly number[],
): EffectsJson {
  const results = program.procedures[0]?.results ?? [];
  return {
    effects: effects.map(({ procedure, statement, kind }) => ({
      procedure,
      statement: write(statement),
      pointer: pointerOfStatement(program, statement),
      kind,
      ...meanings[kind],
    })),
    isolated,
    ...(fromOutside === undefined
      ? {}
      : { fromOutside: fromOutside.map((place) => results[place]?.name ?? `${place}`) }),
  };
}

const names: Readonly<Record<EffectKind, string>> = {
  generator: "draws from the state's generator",
  key: "draws from a key",
  receive: "receives",
  send: "sends",
  decide: "decides what is executed",
  place: "decides places",
  state: "overwrites state",
};

/** Shows the same as lines of at most so many columns. */
export function showEffects({ effects, isolated, fromOutside }: EffectsJson, columns: number): string[] {
  const most = Math.min(28, Math.floor(columns / 3));
  const width = Math.min(most, Math.max(0, ...effects.map(({ statement }) => statement.length)));
  const lines = [
    effects.length === 0 ? "no effects" : "effects",
    ...effects.flatMap((one) => {
      const traits = [
        one.isRepeatable ? "repeatable" : "not repeatable",
        one.isReversible ? "reversible" : "not reversible",
        ...(one.isHidden ? ["hidden"] : []),
      ];
      return labelledOrBelow(
        one.statement,
        `${names[one.kind]}; ${traits.join(", ")}; derivative: ${one.derivative}`,
        width,
        columns,
      );
    }),
    ...(isolated.length === 0
      ? []
      : [`functions of what they are given: ${isolated.map((name) => visible(name)).join(", ")}`]),
    ...(fromOutside === undefined || fromOutside.length === 0
      ? []
      : [
          `results that depend on what came from outside: ${fromOutside.map((name) => visible(name)).join(", ")}`,
        ]),
  ];
  return lines.flatMap((line) => narrowed(line, columns));
}
