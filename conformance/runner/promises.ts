import type { OperatorName } from "../../spec/composites/index.ts";
import type { Description, ProgramDescription } from "../../spec/contract/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import {
  operatorsOfProgram,
  type Program,
  type StatementKind,
  statementsOf,
} from "../../spec/programs/index.ts";
import type { Issue } from "../../spec/shapes/index.ts";
import type { DataType, EstimateLaw, Mode, TapeDescription, TapeLife } from "../../spec/wire/index.ts";

/** An engine may declare these besides its description. */
export interface Capabilities {
  readonly programs?: ProgramDescription;
  readonly tapes?: TapeDescription;
  readonly estimates?: readonly EstimateLaw[];
  /** It brings questions about functions of its own. */
  readonly brings?: boolean;
}

/** One thing a handshake promises. */
export type Promised =
  | `operator ${OperatorName}`
  | `precision ${DataType}`
  | `mode ${Mode}`
  | `statement ${StatementKind}`
  | `tapes ${TapeLife}`
  | "hooks"
  | `estimates ${EstimateLaw}`;

/** Lists the promises that a request needs. */
export function neededFor(graph: Graph, dtype: DataType): Promised[] {
  const operators = new Set(graph.nodes.map(({ op }) => op));
  return [`precision ${dtype}`, ...Array.from(operators, (op): Promised => `operator ${op}`)];
}

/** Lists the promises that a request about a program needs. */
export function neededForProgram(program: Program, dtype: DataType): Promised[] {
  const kinds = new Set(statementsOf(program).map((statement) => statement.do));
  return [
    `precision ${dtype}`,
    ...Array.from(kinds, (kind): Promised => `statement ${kind}`),
    ...operatorsOfProgram(program).map((op): Promised => `operator ${op}`),
  ];
}

/**
 * Records what an engine promised in its handshake, and whether it kept that. An engine may decline a shape
 * or a combination, and is not accused of it; but a promise that was needed and never kept was a lie.
 */
export class Promises {
  /** Is true if tapes of any life are promised. */
  readonly hasTapes: boolean;
  /** Is true if forward gradients of any directions are promised. */
  readonly hasEstimates: boolean;
  readonly #promised: ReadonlySet<string>;
  readonly #declined = new Map<Promised, { readonly times: number; readonly reason: string }>();
  readonly #kept = new Set<Promised>();

  constructor(description: Description, { programs, tapes, estimates }: Capabilities = {}) {
    this.#promised = new Set<Promised>([
      ...description.operators.map((op): Promised => `operator ${op}`),
      ...description.dtypes.map((dtype): Promised => `precision ${dtype}`),
      ...description.modes.map((mode): Promised => `mode ${mode}`),
      ...(programs?.statements ?? []).map((kind): Promised => `statement ${kind}`),
      ...(tapes?.lives ?? []).map((life): Promised => `tapes ${life}`),
      ...(tapes?.hooks === true ? (["hooks"] as const) : []),
      ...(estimates ?? []).map((law): Promised => `estimates ${law}`),
    ]);
    this.hasTapes = tapes !== undefined;
    this.hasEstimates = estimates !== undefined;
  }

  /** Returns the first of `needed` that was not promised. */
  lacking(needed: readonly Promised[]): Promised | undefined {
    return needed.find((what) => !this.#promised.has(what));
  }

  /** A request that needs these was answered with a result. */
  keep(needed: readonly Promised[]): void {
    for (const what of needed) this.#kept.add(what);
  }

  /** A request that needs these was answered `unsupported`. */
  decline(needed: readonly Promised[], reason: string): void {
    for (const what of needed) {
      const before = this.#declined.get(what) ?? { times: 0, reason };
      this.#declined.set(what, { ...before, times: before.times + 1 });
    }
  }

  /** Returns a fault for each promise that was declined and never kept. */
  broken(): Issue[] {
    const broken = [...this.#declined].filter(([what]) => !this.#kept.has(what));
    return broken.map(([what, { times, reason }]) => ({
      code: "engine/broken-promise",
      pointer: "",
      message: `the handshake promises ${what}, but no request that needed it was granted; ${times} were declined, the first with: ${reason}`,
      hint: "promise only what is there, or make it work",
    }));
  }
}
