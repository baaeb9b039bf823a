import {
  fail,
  formatShape,
  type Issue,
  isSameShape,
  type NodeId,
  nodeId,
  ok,
  type Result,
  type Shape,
} from "../../spec/shapes/index.ts";
import type { Context, SparseContext } from "../context.ts";
import type { Tensor } from "../tensor.ts";
import { type Measure, Meter } from "./meter.ts";
import { denseSlots, type SlotsOf } from "./slots.ts";
import type { Subject, TapePoint } from "./subject.ts";

/** A value that a tape keeps, in whatever form. */
export interface Saved<S> {
  readonly id: NodeId;
  read(): Tensor<S>;
}

/** A line of a tape. */
export interface Entry<S> {
  /** It tells people the operator, or what stands in its place. */
  readonly op: string;
  readonly inputs: readonly NodeId[];
  readonly output: NodeId;
  readonly saved: readonly Saved<S>[];
  readonly metadata: { readonly shape: Shape };
}

/** This pulls the cotangent of one node back. */
export interface Pull<S> {
  readonly id: NodeId;
  pull(c: Tensor<S>): SparseContext<S>;
}

/** A system keeps these of a run. */
export interface Kept<S> {
  readonly entries: readonly Entry<S>[];
  /** Returns a sweep from these seeds, a step at a time; each that is begun is one of its own. */
  sweep(seed: SparseContext<S>): Sweep<S>;
}

/** An id with a complete cotangent: nothing more is added, and nothing of it was handed on. */
export interface Settled<S> {
  readonly id: NodeId;
  readonly cotangent: Tensor<S>;
}

/** A sweep under way: it tells each id that it visits, readers first, and gives the cotangents last. */
export type Sweep<S> = Generator<Settled<S>, Context<S>>;

/** A system is given these to keep a run. */
export interface Taking<S> {
  readonly subject: Subject<S>;
  readonly point: TapePoint<S>;
  /** The ids that seeds may stand at. */
  readonly of: readonly NodeId[];
  readonly meter: Meter;
  readonly slots: SlotsOf;
}

/** A tape answers these. */
export interface RunTape<S> {
  readonly system: string;
  /** Grew while the run was recorded, and does not grow any more. */
  readonly entries: readonly Entry<S>[];
  /**
   * Returns the cotangents that come of these seeds, zero elsewhere, of all ids, or of Γ if it reaches no
   * further.
   * Law T: as {@link backpropAllCtx}. Fails: `tape/released`, `tape/spent`, `tape/seed-id`,
   * `tape/seed-shape`.
   */
  backward(seed: SparseContext<S>): Result<Context<S>, Issue>;
  /** Begins a sweep step by step. Sweeps are independent; one that fails leaves the tape as it was. */
  begin(seed: SparseContext<S>): Result<Sweep<S>, Issue>;
  /** Gives back all that is kept. Twice is once. */
  release(): void;
  measure(): Measure;
}

/** A system's sweep obeys one of these laws. */
export type Claim =
  /** The sweep has the reference's bits over floats. */
  | "bits"
  /** The sweep is equal over exact algebras; over floats it has other roundings or other zeros. */
  | "exact"
  /** The sweep equals that of what was decoded, or else is within what the codec says. */
  | "bounded";

/** A way to remember a run. */
export interface TapeSystem {
  readonly name: string;
  /** One line says what the system keeps. */
  readonly summary: string;
  readonly claim: Claim;
  /** The system gives the cotangents of these ids. */
  readonly reach: "all" | "inputs";
  /** A tape answers one sweep only, or any number until it is released. */
  readonly life: "once" | "until released";
  /**
   * Is true if a sweep visits every id that a cotangent reaches. Law H: it tells each at most once, with the
   * entry of {@link backpropAllCtx}; others have zero there, or no input moves them [SEMANTICS §4.13].
   */
  readonly settles: boolean;
  /** Runs the subject at a point and saves what it needs. `of`: where seeds may stand; all ids if absent. */
  record<S>(subject: Subject<S>, point: TapePoint<S>, of?: readonly NodeId[]): Result<RunTape<S>, Issue[]>;
}

/** All that makes one system differ from another. */
export interface SystemParts extends Pick<TapeSystem, "name" | "summary"> {
  readonly claim?: Claim;
  readonly reach?: TapeSystem["reach"];
  readonly life?: TapeSystem["life"];
  readonly settles?: boolean;
  readonly slots?: SlotsOf;
  /** Makes of a sweep another one; only what is planted does. */
  readonly tapeOf?: <S>(tape: RunTape<S>) => RunTape<S>;
  keep<S>(taking: Taking<S>): Result<Kept<S>, Issue[]>;
}

/** A system of its parts. */
export function tapeSystem(parts: SystemParts): TapeSystem {
  const { name, summary, claim = "bits", reach = "all", slots = denseSlots } = parts;
  const { life = "until released", settles = true } = parts;
  return {
    name,
    summary,
    claim,
    reach,
    life,
    settles,
    record: (subject, point, of = subject.shapes.map((_, id) => nodeId(id))) => {
      const meter = new Meter(subject.shapes, subject.bitsPerElement, subject.watch);
      const kept = parts.keep({ subject, point, of, meter, slots });
      if (!kept.ok) return kept;
      meter.recorded(kept.value.entries.length);
      const tape = new OwnedTape({ name, life, reach }, subject, kept.value, of, meter);
      return ok(parts.tapeOf?.(tape) ?? tape);
    },
  };
}

/** A tape, which somebody owns and gives back. */
class OwnedTape<S> implements RunTape<S> {
  readonly system: string;
  readonly #about: Pick<TapeSystem, "life" | "reach">;
  readonly #subject: Subject<S>;
  readonly #of: ReadonlySet<NodeId>;
  readonly #meter: Meter;
  #kept: Kept<S> | undefined;
  #isSpent = false;

  constructor(
    about: Pick<TapeSystem, "name" | "life" | "reach">,
    subject: Subject<S>,
    kept: Kept<S>,
    of: readonly NodeId[],
    meter: Meter,
  ) {
    this.system = about.name;
    this.#about = about;
    this.#subject = subject;
    this.#kept = kept;
    this.#of = new Set(of);
    this.#meter = meter;
  }

  get entries(): readonly Entry<S>[] {
    return this.#kept?.entries ?? [];
  }

  backward(seed: SparseContext<S>): Result<Context<S>, Issue> {
    const begun = this.begin(seed);
    if (!begun.ok) return begun;
    for (;;) {
      const step = begun.value.next();
      if (step.done === true) return ok(step.value);
    }
  }

  begin(seed: SparseContext<S>): Result<Sweep<S>, Issue> {
    if (this.#kept === undefined) return fail(gone(this.system, this.#isSpent));
    for (const [id, cotangent] of seed) {
      const shape = this.#subject.shapes[id];
      if (shape === undefined || !this.#of.has(id)) return fail(notSeeded(id, shape !== undefined));
      if (!isSameShape(shape, cotangent.shape)) return fail(misshapen(id, cotangent.shape, shape));
    }
    return ok(this.#swept(this.#kept.sweep(seed)));
  }

  release(): void {
    this.#kept = undefined;
  }

  measure(): Measure {
    return this.#meter.measure();
  }

  /** Only a sweep that comes to its end spends the tape. */
  *#swept(sweep: Sweep<S>): Sweep<S> {
    const cotangents = yield* sweep;
    if (this.#about.life === "once") {
      this.#isSpent = true;
      this.#kept = undefined;
    }
    return this.#about.reach === "all" ? cotangents : cotangents.slice(0, this.#subject.data.inputs.length);
  }
}

function gone(system: string, isSpent: boolean): Issue {
  return {
    code: isSpent ? "tape/spent" : "tape/released",
    pointer: "",
    message: isSpent ? `a ${system} tape is swept once.` : "the tape was released.",
    hint: isSpent ? "record again, or on a persistent tape" : "sweep before you release it, or record again",
  };
}

function notSeeded(id: number, isThere: boolean): Issue {
  return {
    code: "tape/seed-id",
    pointer: `/${id}`,
    message: isThere
      ? `the tape was recorded for seeds at other ids than ${id}.`
      : `there is no id ${id} to seed.`,
    hint: isThere ? "name it when you record" : "ids count the inputs first, then the nodes, from 0",
  };
}

function misshapen(id: number, got: Shape, want: Shape): Issue {
  return {
    code: "tape/seed-shape",
    pointer: `/${id}`,
    message: `the seed at id ${id} has shape ${formatShape(got)}, the value ${formatShape(want)}.`,
    hint: "a cotangent has the shape of the value it belongs to",
  };
}
