import { at, pair, type Shape, sizeOf, stridesOf } from "../../../../../spec/shapes/index.ts";
import { apply, read } from "../../expression.ts";
import type { Access, Read, ValueId } from "../../program.ts";
import { type Draft, identity, stacked } from "../draft.ts";
import type { Application, Lowering } from "../lowering.ts";

/** The extents of a convolution: of groups, within a group, and along each spatial axis. */
interface Extents {
  readonly batch: number;
  readonly groups: number;
  /** Kernels and channels of one group. */
  readonly kernels: number;
  readonly channels: number;
  readonly window: Shape;
  readonly counts: Shape;
  readonly spatial: Shape;
  /** The spatial extents after padding. */
  readonly padded: Shape;
  readonly low: Shape;
  readonly strides: Shape;
  readonly dilations: Shape;
}

function extentsOf({ attributes, shapes, shape }: Application<"conv">): Extents {
  const [x, w] = pair(shapes);
  const { strides, padding, dilations, groups } = attributes;
  const spatial = x.slice(2);
  return {
    batch: at(x, 0),
    groups,
    kernels: at(w, 0) / groups,
    channels: at(w, 1),
    window: w.slice(2),
    counts: shape.slice(2),
    spatial,
    padded: spatial.map((extent, axis) => {
      const [low, high] = at(padding, axis);
      return extent + low + high;
    }),
    low: padding.map(([low]) => low),
    strides,
    dilations,
  };
}

const product = apply("multiply", read(0), read(1));

const times = (a: readonly number[], b: readonly number[]): number[] => a.map((x, i) => x * at(b, i));

function affine(strides: readonly number[], offset: number = 0): Access {
  return { offset, strides, indirections: [] };
}

/**
 * Spreads `x`, of shape `[outer, ...inner]`, among zeros of extents `to`; returns `x` if there are no zeros.
 */
function amongZeros(
  draft: Draft,
  x: ValueId,
  outer: Shape,
  inner: Shape,
  to: Shape,
  offsets: Shape,
  gaps: Shape,
): ValueId {
  const isAsItIs =
    inner.every((extent, axis) => extent === to[axis]) && offsets.every((offset) => offset === 0);
  if (isAsItIs) return x;
  const shape = [...outer, ...to];
  const strides = stridesOf(shape);
  const along = strides.slice(outer.length);
  const place = affine(
    [...strides.slice(0, outer.length), ...times(along, gaps)],
    along.reduce((sum, stride, axis) => sum + stride * at(offsets, axis), 0),
  );
  const piece = [...outer, ...inner];
  return draft.append({
    kind: "assemble",
    shape,
    isCovered: false,
    pieces: [{ shape: piece, place, reads: [{ value: x, ...identity(piece) }], expression: read(0) }],
  });
}

/** Computes the strides of `[_, second, ...spatial]`: along the first axis, the second, and the others. */
function stridesIn(second: number, spatial: Shape): readonly [number, number, readonly number[]] {
  const size = sizeOf(spatial);
  return [second * size, size, stridesOf(spatial)];
}

/** Makes the reads of x and w in the loops `[n, group, kernel, ...counts | channel, ...window]`. */
function windowReads(extents: Extents, x: ValueId, w: ValueId): readonly [Read, Read] {
  const { groups, kernels, channels, window, counts, padded, strides, dilations } = extents;
  const [image, channel, along] = stridesIn(groups * channels, padded);
  const [kernel, weight, taps] = stridesIn(channels, window);
  return [
    {
      value: x,
      ...affine([
        image,
        channels * channel,
        0,
        ...times(along, strides),
        channel,
        ...times(along, dilations),
      ]),
    },
    { value: w, ...affine([0, kernels * kernel, kernel, ...counts.map(() => 0), weight, ...taps]) },
  ];
}

/** Returns the loops `[n, group, kernel, ...counts]`, which visit the result in row-major order. */
function resultLoops({ batch, groups, kernels, counts }: Extents): Shape {
  return [batch, groups, kernels, ...counts];
}

function paddedInput(draft: Draft, x: ValueId, extents: Extents, outer: Shape): ValueId {
  const { spatial, padded, low } = extents;
  return amongZeros(
    draft,
    x,
    outer,
    spatial,
    padded,
    low,
    low.map(() => 1),
  );
}

/** Writes `Σ c[n, g, o, p] xp[n, g, ch, p s + k d]`, over n and p. */
function kernelCotangent(draft: Draft, extents: Extents, padded: ValueId, c: ValueId, w: Shape): ValueId {
  const { batch, groups, kernels, channels, window, counts, strides, dilations } = extents;
  const [image, channel, along] = stridesIn(groups * channels, extents.padded);
  const [result, kernel, places] = stridesIn(groups * kernels, counts);
  const none = window.map(() => 0);
  const total = draft.append({
    kind: "fold",
    operation: "add",
    shape: [groups, kernels, channels, ...window],
    over: [batch, ...counts],
    reads: [
      { value: c, ...affine([kernels * kernel, kernel, 0, ...none, result, ...places]) },
      {
        value: padded,
        ...affine([
          channels * channel,
          0,
          channel,
          ...times(along, dilations),
          image,
          ...times(along, strides),
        ]),
      },
    ],
    expression: product,
  });
  return draft.move(total, identity(w), w);
}

/** Elements of x along an axis that the same taps reach: every `stride`-th one. */
interface Phase {
  /** The first of them, and their number. */
  readonly first: number;
  readonly count: number;
  /** The first tap that reaches them, and the number of those taps, a stride apart. */
  readonly tap: number;
  readonly taps: number;
  /** The place of c that the first tap takes to the first element. */
  readonly place: number;
}

/** Lists the phases of an axis; one that no tap reaches has zeros alone, and is left out. */
function phasesAlong({ spatial, low, strides, window }: Extents, axis: number): readonly Phase[] {
  const [extent, stride, taps, before] = [spatial, strides, window, low].map((some) => at(some, axis));
  if (extent === undefined || stride === undefined || taps === undefined || before === undefined) return [];
  return Array.from({ length: Math.min(stride, extent) }, (_, first) => {
    const tap = (before + first) % stride;
    return {
      first,
      count: Math.ceil((extent - first) / stride),
      tap,
      taps: Math.max(0, Math.ceil((taps - tap) / stride)),
      place: (before + first - tap) / stride,
    };
  }).filter((phase) => phase.taps > 0);
}

/**
 * Writes `Σ c[n, g, o, p] w[g, o, ch, k]`, over o and the taps k at p, where strides put zeros between the
 * elements of c: a sum for each phase, of the taps that reach it.
 */
function inputCotangentInPhases(draft: Draft, extents: Extents, w: ValueId, c: ValueId, x: Shape): ValueId {
  const { batch, groups, kernels, channels, window, counts, spatial, strides } = extents;
  const phases = window.map((_, axis) => phasesAlong(extents, axis));
  const before = phases.map((all) => Math.max(0, ...all.map(({ taps, place }) => taps - 1 - place)));
  const to = phases.map((all, axis) => {
    const after = all.map(({ count, place }) => place + count - at(counts, axis));
    return at(before, axis) + at(counts, axis) + Math.max(0, ...after);
  });
  const gaps = window.map(() => 1);
  const spread = amongZeros(draft, c, [batch, groups * kernels], counts, to, before, gaps);
  const [image, kernelImage, along] = stridesIn(groups * kernels, to);
  const [kernel, weight, taps] = stridesIn(channels, window);
  const [whole, channel, places] = stridesIn(groups * channels, spatial);
  const combined = phases.reduce<readonly (readonly Phase[])[]>(
    (all, own) => all.flatMap((some) => own.map((phase) => [...some, phase])),
    [[]],
  );
  const offset = (some: readonly number[], of: readonly number[]): number =>
    times(some, of).reduce((sum, one) => sum + one, 0);
  const pieces = combined.map((some) => {
    const shape = [batch, groups, channels, ...some.map(({ count }) => count)];
    const total = draft.append({
      kind: "fold",
      operation: "add",
      shape,
      over: [kernels, ...some.map((phase) => phase.taps)],
      reads: [
        {
          value: spread,
          ...affine(
            [image, kernels * kernelImage, 0, ...along, kernelImage, ...along.map((stride) => -stride)],
            offset(
              along,
              some.map(({ place }, axis) => place + at(before, axis)),
            ),
          ),
        },
        {
          value: w,
          ...affine(
            [0, kernels * kernel, weight, ...spatial.map(() => 0), kernel, ...times(taps, strides)],
            offset(
              taps,
              some.map(({ tap }) => tap),
            ),
          ),
        },
      ],
      expression: product,
    });
    const first = some.map((phase) => phase.first);
    const place = affine(
      [whole, channels * channel, channel, ...times(places, strides)],
      offset(places, first),
    );
    return { shape, place, reads: [{ value: total, ...identity(shape) }], expression: read(0) };
  });
  const covered = pieces.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
  return draft.append({ kind: "assemble", shape: x, isCovered: covered === sizeOf(x), pieces });
}

/** Writes `Σ c[n, g, o, p] w[g, o, ch, k]`, over o and the taps k at p: flipped kernels over a spread c. */
function inputCotangent(draft: Draft, extents: Extents, w: ValueId, c: ValueId, x: Shape): ValueId {
  const { batch, groups, kernels, channels, window, counts, padded, spatial, low, strides, dilations } =
    extents;
  if (strides.some((stride) => stride > 1) && dilations.every((dilation) => dilation === 1))
    return inputCotangentInPhases(draft, extents, w, c, x);
  const reach = window.map((taps, axis) => (taps - 1) * at(dilations, axis));
  const to = padded.map((extent, axis) => extent + at(reach, axis));
  const spread = amongZeros(draft, c, [batch, groups * kernels], counts, to, reach, strides);
  const [image, kernelImage, along] = stridesIn(groups * kernels, to);
  const [kernel, weight, taps] = stridesIn(channels, window);
  const first = along.reduce((sum, stride, axis) => sum + stride * (at(low, axis) + at(reach, axis)), 0);
  const total = draft.append({
    kind: "fold",
    operation: "add",
    shape: [batch, groups, channels, ...spatial],
    over: [kernels, ...window],
    reads: [
      {
        value: spread,
        ...affine(
          [image, kernels * kernelImage, 0, ...along, kernelImage, ...times(along, dilations).map((d) => -d)],
          first,
        ),
      },
      { value: w, ...affine([0, kernels * kernel, weight, ...spatial.map(() => 0), kernel, ...taps]) },
    ],
    expression: product,
  });
  return draft.move(total, identity(x), x);
}

/**
 * The result is one sum over channels and taps, and each cotangent is one sum as well, but for that of the
 * input where strides are greater than 1, which is one for each phase.
 */
export const conv: Lowering<"conv"> = {
  forward(draft, application) {
    const { operands, shapes, shape } = application;
    const [x, w] = pair(operands);
    const extents = extentsOf(application);
    const padded = paddedInput(draft, x, extents, at(shapes, 0).slice(0, 2));
    const total = draft.append({
      kind: "fold",
      operation: "add",
      shape: resultLoops(extents),
      over: [extents.channels, ...extents.window],
      reads: windowReads(extents, padded, w),
      expression: product,
    });
    return draft.move(total, identity(shape), shape);
  },
  tangent(draft, application, _value, { count, values: [xDot, wDot] }) {
    const { shape } = application;
    const [x, w] = pair(application.operands);
    const [xShape, wShape] = pair(application.shapes);
    const extents = extentsOf(application);
    const outer = xShape.slice(0, 2);
    const paddedSize = sizeOf(outer) * sizeOf(extents.padded);
    const summed = (reads: readonly Read[]): ValueId => {
      const total = draft.append({
        kind: "fold",
        operation: "add",
        shape: [count, ...resultLoops(extents)],
        over: [extents.channels, ...extents.window],
        reads,
        expression: product,
      });
      return draft.move(total, identity([count, ...shape]), [count, ...shape]);
    };
    const along = (value: ValueId, which: 0 | 1, size: number): Read => ({
      value,
      ...stacked(windowReads(extents, value, value)[which], size),
    });
    const fromX =
      xDot === undefined
        ? undefined
        : summed([
            along(paddedInput(draft, xDot, extents, [count, ...outer]), 0, paddedSize),
            along(w, 1, 0),
          ]);
    const fromW =
      wDot === undefined
        ? undefined
        : summed([along(paddedInput(draft, x, extents, outer), 0, 0), along(wDot, 1, sizeOf(wShape))]);
    if (fromX === undefined || fromW === undefined) return fromX ?? fromW;
    return draft.add(fromX, fromW);
  },
  cotangents(draft, application, _value, c, isWanted) {
    const [x, w] = pair(application.operands);
    const [xShape, wShape] = pair(application.shapes);
    const extents = extentsOf(application);
    const padded = paddedInput(draft, x, extents, xShape.slice(0, 2));
    return [
      isWanted(0) ? inputCotangent(draft, extents, w, c, xShape) : undefined,
      isWanted(1) ? kernelCotangent(draft, extents, padded, c, wShape) : undefined,
    ];
  },
};
