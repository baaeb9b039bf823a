import type { Random } from "fast-check";
import type { NodeOf } from "../../spec/graph/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import { happens, oneOf } from "../random/index.ts";
import { type Draft, type Proposal, pickWhere, shapeAt } from "./draft.ts";
import { operandOf, operandsOf } from "./operands.ts";

/** This says how windows lie along one spatial axis. */
interface WindowAxis {
  readonly window: number;
  readonly stride: number;
  readonly dilation: number;
  readonly padding: readonly [low: number, high: number];
}

/** Draws a shape `[N, C, ...spatial]` of few elements, with 1 to 3 spatial axes as the profile allows. */
function drawImage({ random, profile }: Draft): Shape | undefined {
  const rank = Math.min(oneOf(random, [1, 1, 2, 2, 3]), profile.maximumRank - 2);
  if (rank < 1) return undefined;
  const [most, ...tail] = rank === 1 ? [5] : rank === 2 ? [3, 3] : [2, 2, 2];
  const spatial = [most ?? 1, ...tail].map((extent) => random.nextInt(1, extent));
  return [random.nextInt(1, 2), oneOf(random, [1, 2, 2, 3, 4, 6]), ...spatial];
}

/** Takes the shape of an image of the graph half of the time, if there is one. */
function pickImage(draft: Draft): Shape | undefined {
  const isImage = (shape: Shape): boolean => shape.length >= 3 && shape.length <= 5;
  const known = pickWhere(draft, (id) => isImage(shapeAt(draft, id)));
  return known !== undefined && happens(draft.random, 1, 2) ? shapeAt(draft, known) : drawImage(draft);
}

/** Draws windows of up to 3 elements that fit; returns `undefined` where the axis is empty. */
function drawAxis(random: Random, extent: number, mayDilate: boolean): WindowAxis | undefined {
  const padding = [random.nextInt(0, 1), happens(random, 1, 3) ? 2 : random.nextInt(0, 1)] as const;
  const dilation = mayDilate && happens(random, 1, 3) ? 2 : 1;
  const most = Math.min(3, Math.ceil((extent + padding[0] + padding[1]) / dilation));
  if (most < 1) return undefined;
  const window = happens(random, 1, 3) ? most : random.nextInt(1, most);
  return { window, stride: random.nextInt(1, 2), dilation, padding };
}

function drawAxes(random: Random, spatial: Shape, mayDilate: boolean): readonly WindowAxis[] | undefined {
  const axes = spatial.flatMap((extent) => drawAxis(random, extent, mayDilate) ?? []);
  return axes.length === spatial.length ? axes : undefined;
}

/** Draws one group, or two, or one for each channel. */
function drawGroups(random: Random, channels: number): number {
  if (channels < 2 || happens(random, 1, 2)) return 1;
  return channels % 2 === 0 && happens(random, 1, 2) ? 2 : channels;
}

/** Draws an image and kernels on it; `leading` gives the kernels' first two extents for a width of 1 or 2. */
function drawConvolution(
  draft: Draft,
  leading: (channels: number, groups: number, width: number) => readonly [number, number],
) {
  const { random } = draft;
  const image = pickImage(draft);
  const axes = image && drawAxes(random, image.slice(2), true);
  if (image === undefined || axes === undefined) return undefined;
  const [, channels = 0] = image;
  const groups = drawGroups(random, channels);
  const extents = leading(channels, groups, random.nextInt(1, 2));
  const parents = operandsOf(draft, [image, [...extents, ...axes.map(({ window }) => window)]]);
  if (parents === undefined) return undefined;
  const attributes = {
    strides: axes.map(({ stride }) => stride),
    padding: axes.map(({ padding }) => padding),
    dilations: axes.map(({ dilation }) => dilation),
    groups,
  };
  return { axes, parents, attributes };
}

/** Convolves in groups; none if no window fits an image. */
export function proposeConv(draft: Draft): Proposal<NodeOf<"conv">> | undefined {
  const drawn = drawConvolution(draft, (channels, groups, width) => [groups * width, channels / groups]);
  if (drawn === undefined) return undefined;
  return { node: { op: "conv", attributes: drawn.attributes, parents: drawn.parents } };
}

/** Some of the results are too small for their padding, and are refused. */
export function proposeConvTranspose(draft: Draft): Proposal<NodeOf<"conv_transpose">> | undefined {
  const drawn = drawConvolution(draft, (channels, _groups, width) => [channels, width]);
  if (drawn === undefined) return undefined;
  const most = drawn.axes.map(({ stride, dilation }) => Math.max(stride, dilation) - 1);
  const output_padding = most.map((count) => draft.random.nextInt(0, count));
  const attributes = { ...drawn.attributes, output_padding };
  return { node: { op: "conv_transpose", attributes, parents: drawn.parents } };
}

/** Draws an image and windows on it, each side padded by less than the window's extent. */
function drawPool(draft: Draft) {
  const image = pickImage(draft);
  const axes = image && drawAxes(draft.random, image.slice(2), false);
  const x = image && operandOf(draft, image);
  if (axes === undefined || x === undefined) return undefined;
  return {
    parents: [x],
    window: axes.map(({ window }) => window),
    strides: axes.map(({ stride }) => stride),
    padding: axes.map(
      ({ window, padding: [low, high] }) => [Math.min(low, window - 1), Math.min(high, window - 1)] as const,
    ),
  };
}

/** Takes maxima over windows, padded by less than a window; none if none fits. */
export function proposeMaxPool(draft: Draft): Proposal<NodeOf<"max_pool">> | undefined {
  const drawn = drawPool(draft);
  if (drawn === undefined) return undefined;
  const { parents, ...attributes } = drawn;
  return { node: { op: "max_pool", attributes, parents } };
}

/** Takes means over such windows, padding counted or not; none if none fits. */
export function proposeAvgPool(draft: Draft): Proposal<NodeOf<"avg_pool">> | undefined {
  const drawn = drawPool(draft);
  if (drawn === undefined) return undefined;
  const { parents, ...others } = drawn;
  const attributes = { ...others, count_include_pad: happens(draft.random, 1, 2) };
  return { node: { op: "avg_pool", attributes, parents } };
}
