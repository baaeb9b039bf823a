import { fail, type Issue, ok } from "../../spec/shapes/index.ts";
import type { SavedFormat } from "../../spec/wire/index.ts";
import type { Tensor } from "../tensor.ts";
import type { Encoded } from "./encoded.ts";
import { rulesOnOperands } from "./reverse.ts";
import { type Save, saving } from "./saving.ts";
import type { Subject } from "./subject.ts";
import { type Taking, type TapeSystem, tapeSystem } from "./system.ts";

/** A narrower form of tensors. */
export interface Codec {
  readonly name: string;
  /** Decoding restores every value. Otherwise the sweep uses the decoded values, which are within a bound. */
  readonly isLossless: boolean;
  /** Returns the encoder of a subject's values; `undefined` if its elements cannot be encoded. */
  encoderFor<S>(subject: Subject<S>): ((value: Tensor<S>) => Encoded<S>) | undefined;
}

/**
 * Is {@link dynamic} through a codec. Law T: the sweep equals the reference's with `decode(encode(x))` in
 * place of each `x` that a rule reads. Fails: `tape/codec` if the codec cannot encode some elements.
 */
export function compressed(codec: Codec): TapeSystem {
  return tapeSystem({
    name: "compressed",
    summary: `the operands of every node, ${codec.name}`,
    claim: codec.isLossless ? "bits" : "bounded",
    keep: (taking) => {
      const encode = codec.encoderFor(taking.subject);
      if (encode === undefined) return fail([notEncoded(codec)]);
      return ok(saving(taking, rulesOnOperands(taking.subject), through(taking, encode)));
    },
  });
}

function through<S>({ meter }: Taking<S>, encode: (value: Tensor<S>) => Encoded<S>): Save<S> {
  return (id, value) => {
    const { bits, decode } = encode(value);
    meter.hold(id, value.data.length, bits);
    return { id, read: decode };
  };
}

function notEncoded({ name }: Codec): Issue {
  return {
    code: "tape/codec",
    pointer: "",
    message: `elements of this algebra are not kept ${name}.`,
    hint: "choose a codec that loses nothing, or record over floats",
  };
}

const BITS_OF_COUNT = 32;

/**
 * Runs of one element, each told by its end. Nothing is lost, over any algebra. Zeros of a `relu`, masks and
 * broadcasts shrink; other tensors grow. Elements are the same as objects or numbers: NaN is, −0 and +0 are
 * not.
 */
export const inRuns: Codec = {
  name: "in runs of equal elements",
  isLossless: true,
  encoderFor:
    ({ bitsPerElement }) =>
    ({ shape, data }) => {
      const firsts = [...data.keys()].filter((i) => i === 0 || !Object.is(data[i], data[i - 1]));
      const runs = firsts.flatMap((first, run) =>
        data.slice(first, first + 1).map((element) => ({
          element,
          end: firsts[run + 1] ?? data.length,
          first,
        })),
      );
      return {
        bits: runs.length * (bitsPerElement + BITS_OF_COUNT),
        decode: () => ({
          shape,
          data: runs.flatMap(({ element, first, end }) => Array.from({ length: end - first }, () => element)),
        }),
      };
    },
};

/** Makes a codec that keeps each tensor in a narrower format, where there are numbers to keep. */
export function inFormat(format: SavedFormat): Codec {
  return { name: `in ${format}`, isLossless: false, encoderFor: ({ keeping }) => keeping?.(format) };
}
