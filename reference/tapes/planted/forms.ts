import { at } from "../../../spec/shapes/index.ts";
import { addTensors, type Tensor } from "../../tensor.ts";
import { type Codec, compressed, inRuns } from "../compressed.ts";
import { fusedTape, groupsOf, passedThrough } from "../fused.ts";
import { contextOf } from "../saving.ts";
import { planTape, staticTape, type TapePlan } from "../static.ts";
import { idAt } from "../sweeping.ts";
import type { TapeSystem } from "../system.ts";
import { planted, type TapeMutant } from "./mutant.ts";

/** The codec of runs, what is decoded being another. */
function decoding(
  change: <S>(decoded: Tensor<S>, add: (x: Tensor<S>, y: Tensor<S>) => Tensor<S>) => Tensor<S>,
): TapeSystem {
  const codec: Codec = {
    ...inRuns,
    encoderFor: (subject) => {
      const encode = inRuns.encoderFor(subject);
      return (
        encode &&
        ((value) => {
          const { bits, decode } = encode(value);
          return { bits, decode: () => change(decode(), (x, y) => addTensors(subject.additive, x, y)) };
        })
      );
    },
  };
  return compressed(codec);
}

/** Returns a codec with one table for all values of a shape. */
function oneTable(): TapeSystem {
  const codec: Codec = {
    ...inRuns,
    encoderFor: <S>() => {
      const tables = new Map<string, Tensor<S>>();
      return (value: Tensor<S>) => {
        const key = value.shape.join();
        tables.set(key, value);
        return { bits: value.data.length, decode: () => tables.get(key) ?? value };
      };
    },
  };
  return compressed(codec);
}

function isZero(element: unknown): boolean {
  return typeof element === "number" && element === 0;
}

function elementAt<S>(data: readonly S[], position: number): S {
  const [element] = data.slice(position, position + 1);
  if (element === undefined) throw new RangeError("no such element");
  return element;
}

function planning(change: (plan: TapePlan) => ReadonlyMap<number, number>): TapeSystem {
  return staticTape((subject) => {
    const plan = planTape(subject);
    const offsets = change(plan);
    return { ...plan, offsets: new Map([...plan.offsets.keys()].map((id) => [id, offsets.get(id) ?? 0])) };
  });
}

/** Faults in the form in which values are kept: narrower, in places, or computed again within a line. */
export const formMutants: readonly TapeMutant[] = [
  planted(
    decoding((decoded, add) => add(decoded, decoded)),
    "another-scale",
    "decodes with twice the scale",
  ),
  planted(
    decoding((decoded) => ({ ...decoded, data: decoded.data.toReversed() })),
    "last-first",
    "decodes the last element first",
  ),
  planted(
    decoding((decoded) => ({
      ...decoded,
      data: decoded.data.map((_, i) => elementAt(decoded.data, Math.max(0, i - 1))),
    })),
    "run-too-long",
    "makes the first run one too long",
  ),
  planted(
    decoding((decoded) => ({ ...decoded, data: decoded.data.map(() => elementAt(decoded.data, 0)) })),
    "one-run",
    "decodes one run alone",
  ),
  planted(oneTable(), "one-table", "has one table for all values of a shape, and overwrites it"),
  planted(
    decoding((decoded) => {
      const first = decoded.data.findIndex(isZero);
      const data = decoded.data.map((element) =>
        isZero(element) ? elementAt(decoded.data, first) : element,
      );
      return { ...decoded, data };
    }),
    "zeros-alike",
    "takes −0 and +0 for one element",
  ),
  planted(
    planning(({ offsets }) => new Map([...offsets].map(([id, offset], n) => [id, Math.max(0, offset - n)]))),
    "places-overlap",
    "plans each place one too early",
  ),
  planted(
    planning(() => new Map()),
    "one-place",
    "plans one place for all",
  ),
  planted(
    planning(({ offsets }) => {
      const places = [...offsets.values()];
      return new Map(
        [...offsets.keys()].map((id, n) => [id, n % 2 === 1 ? at(places, n - 1) : at(places, n)]),
      );
    }),
    "places-shared",
    "plans one place for two values that live together",
  ),
  planted(
    fusedTape(groupsOf, (taking, group, entering) => {
      const context = passedThrough(taking, group, entering);
      const [first] = entering;
      for (let index = group.first; index < group.end - 1; index++)
        if (first !== undefined) context[idAt(taking, index)] = first.read();
      return context;
    }),
    "stale-input",
    "gives each rule of a group what came into the group",
  ),
  planted(
    fusedTape(groupsOf, (taking, { first, end }, entering) =>
      passedThrough(taking, { first, end: Math.max(first, end - 1) }, entering),
    ),
    "one-less",
    "computes one node too few of a group again",
  ),
  planted(
    fusedTape((data) =>
      groupsOf(data).map(({ first, end }) => (end - first > 2 ? { first, end: end - 1 } : { first, end })),
    ),
    "last-of-group-lost",
    "leaves the last node of a long group out",
  ),
  planted(
    fusedTape(groupsOf, (taking, group, entering) => {
      const context = passedThrough(taking, group, entering);
      const own = contextOf(entering);
      const last = entering.at(-1);
      for (const { id } of entering) {
        const value = own[id];
        if (last !== undefined && value?.shape.join() === last.read().shape.join()) context[id] = last.read();
      }
      return context;
    }),
    "entering-merged",
    "takes the last value that comes into a group for the others",
  ),
];
