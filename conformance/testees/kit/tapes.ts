import {
  foreignSeed,
  hasReleased,
  type OpenTape,
  type RefusableReply,
  type Reply,
  refused,
} from "../../../spec/contract/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { Graph, Point, Seed } from "../../../spec/graph/index.ts";
import { type NodeId, present, type Shape } from "../../../spec/shapes/index.ts";
import type { DataType, FlatTensor, TapeDescription, TapeLife } from "../../../spec/wire/index.ts";
import { answerOf, filled, readAll } from "./answer.ts";
import type { EagerLibrary, LibraryTape, LibraryTapes } from "./library.ts";
import { runGraph } from "./run.ts";

/** A tape is recorded of this run, for these ids. */
interface Recording {
  readonly graph: Graph;
  readonly dtype: DataType;
  readonly point: Point;
  readonly life: TapeLife;
  readonly of: readonly NodeId[];
}

/** Returns what a library says of its tapes. */
export function tapesOf<T>({ lives, releases = false }: LibraryTapes<T>): TapeDescription {
  return { lives, releases };
}

/** Records a library's tape of a graph's function, from its inputs to the ids that seeds may have. */
export async function recorded<T>(
  library: EagerLibrary<T>,
  tapes: LibraryTapes<T>,
  { graph, dtype, point, life, of }: Recording,
): Promise<Reply<OpenTape>> {
  if (!tapes.lives.includes(life)) return { kind: "unsupported", reason: `no tape for a life "${life}"` };
  const ids = [...of];
  const shapes = shapesOf(graph);
  const environment = new Map(point.environment);
  const inputs = point.inputs.map((flat) => library.tensor(flat, dtype));
  const begun = await answerOf(library, async () =>
    tapes.record(
      (inputsAndTaps) => runGraph(library, { graph, dtype, environment, inputsAndTaps, ids }),
      inputs,
      life,
    ),
  );
  if (begun.kind !== "result") return begun;
  return { kind: "result", value: new KitTape(library, begun.value, { ids, shapes, dtype, graph }) };
}

/** A tape answers about these ids. */
interface About {
  readonly ids: readonly NodeId[];
  readonly shapes: readonly Shape[];
  readonly dtype: DataType;
  readonly graph: Graph;
}

/** A tape of a library that takes seeds. It owns what the library keeps. */
class KitTape<T> implements OpenTape {
  readonly #library: EagerLibrary<T>;
  readonly #about: About;
  readonly #tape: LibraryTape<T>;
  #isReleased = false;

  constructor(library: EagerLibrary<T>, tape: LibraryTape<T>, about: About) {
    this.#library = library;
    this.#tape = tape;
    this.#about = about;
  }

  async sweep(seeds: readonly Seed[]): Promise<RefusableReply<readonly FlatTensor[]>> {
    if (this.#isReleased && this.#library.tapes?.releases !== true)
      return {
        kind: "unsupported",
        reason: "the library releases no tape: one that is forgotten cannot be swept",
      };
    const { ids, shapes, dtype, graph } = this.#about;
    const foreign = seeds.find(({ id }) => !ids.includes(id));
    // The library could be given nothing for such a seed.
    if (foreign !== undefined) return refused(foreignSeed(foreign.id, ids));
    const given = new Map(seeds.map(({ id, cotangent }) => [id, cotangent]));
    const library = this.#library;
    const swept = await answerOf(library, async () => {
      const cotangents = ids.map((id) =>
        library.tensor(given.get(id) ?? filled(present(shapes[id], "the shape of an id"), 0), dtype),
      );
      const pulled = await this.#tape.sweep(cotangents);
      return readAll(graph.inputs, async ({ shape }, i) => {
        const cotangent = pulled[i];
        return cotangent === undefined || cotangent === null ? filled(shape, 0) : library.read(cotangent);
      });
    });
    return swept.kind === "error" ? { kind: "refused", reason: swept.message } : swept;
  }

  async release(): Promise<Reply<undefined>> {
    if (this.#isReleased) return hasReleased;
    this.#isReleased = true;
    try {
      this.#tape.release?.();
      return hasReleased;
    } catch (problem) {
      // A library that only forgets is asked nothing more, so that its complaint does not matter.
      if (this.#library.tapes?.releases !== true) return hasReleased;
      return { kind: "error", message: problem instanceof Error ? problem.message : String(problem) };
    }
  }
}
