import type { Seed } from "../graph/index.ts";
import {
  formatIssue,
  formatShape,
  type Issue,
  isSameShape,
  type NodeId,
  type Shape,
} from "../shapes/index.ts";
import type { FlatTensor, TapeLife } from "../wire/index.ts";
import type { RefusableReply, Reply } from "./reply.ts";

/**
 * A run of a loaded graph that is kept for sweeps [SEMANTICS §4.10, §4.12]. It depends on its point alone:
 * not on what the engine is asked meanwhile, nor on what happens to the point's arrays.
 */
export interface OpenTape {
  /**
   * Returns the cotangents of all inputs, for the caller to keep, by one sweep; or a refusal in the engine's
   * words, which changes nothing. Calls `hook` before it answers, if the tape has hooks.
   */
  sweep(seeds: readonly Seed[], hook?: Hook): Promise<RefusableReply<readonly FlatTensor[]>>;
  /** Gives up what is kept: every later sweep is refused. A second call does nothing. */
  release(): Promise<Reply<undefined>>;
}

/** A tape was released. */
export const hasReleased: Reply<undefined> = { kind: "result", value: undefined };

/** A user's function attached to ids: it gets the id's cotangent, to keep [SEMANTICS §4.13]. */
export type Hook = (id: NodeId, cotangent: FlatTensor) => void;

/** A tape is recorded with these, besides the point. */
export interface TapeTerms {
  readonly life: TapeLife;
  /** The ids that seeds may have. */
  readonly of: readonly NodeId[];
  /** The shape of every id. */
  readonly shapes: readonly Shape[];
}

/** A kept run, in whatever form. */
export interface KeptRun {
  /** Sweeps; the seeds fit. */
  sweep(seeds: readonly Seed[], hook?: Hook): Promise<Reply<readonly FlatTensor[]>>;
}

/**
 * Adds the rules of tapes [SEMANTICS §4.10, §4.11] to a kept run: it refuses with `tape/released`,
 * `tape/spent`, `tape/seed-id` and `tape/seed-shape`. Only a sweep that gives an answer spends a tape.
 */
export function manneredTape(run: KeptRun, terms: TapeTerms): OpenTape {
  let kept: KeptRun | undefined = run;
  let isSpent = false;
  return {
    sweep: async (seeds, hook) => {
      if (kept === undefined) return refused(isSpent ? spent : released);
      const misfit = seeds.map((seed) => seedIssue(seed, terms)).find((issue) => issue !== undefined);
      if (misfit !== undefined) return refused(misfit);
      const reply = await kept.sweep(seeds, hook);
      if (reply.kind === "result" && terms.life === "once") {
        isSpent = true;
        kept = undefined;
      }
      return reply;
    },
    release: async () => {
      kept = undefined;
      isSpent = false;
      return hasReleased;
    },
  };
}

/** Makes a refusal in the words of an issue. */
export function refused(issue: Issue): { readonly kind: "refused"; readonly reason: string } {
  return { kind: "refused", reason: formatIssue(issue) };
}

const released: Issue = {
  code: "tape/released",
  pointer: "/tape",
  message: "the tape was released.",
  hint: "sweep before you release it, or record again",
};

const spent: Issue = {
  code: "tape/spent",
  pointer: "/tape",
  message: "the tape is for one sweep, and has been swept.",
  hint: 'record again, or for a life "until released"',
};

function seedIssue({ id, cotangent }: Seed, { of, shapes }: TapeTerms): Issue | undefined {
  const shape = shapes[id];
  if (shape === undefined || !of.includes(id)) return foreignSeed(id, of);
  if (isSameShape(shape, cotangent.shape)) return undefined;
  return {
    code: "tape/seed-shape",
    pointer: `/${id}`,
    message: `the seed at id ${id} has shape ${formatShape(cotangent.shape)}, the value ${formatShape(shape)}.`,
    hint: "a cotangent has the shape of the value it belongs to",
  };
}

/** Returns the issue of a seed at an id that the tape was not recorded for. */
export function foreignSeed(id: number, of: readonly number[]): Issue {
  return {
    code: "tape/seed-id",
    pointer: `/${id}`,
    message: `the tape was not recorded for a seed at id ${id}.`,
    hint: `it was for ${of.join(", ")}; name the id when you record`,
  };
}
