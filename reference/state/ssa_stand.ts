import { type Index, isWhole } from "../../spec/programs/index.ts";
import {
  InvariantError,
  isSameShape,
  present,
  type Shape,
  sizeOf,
  stridesOf,
} from "../../spec/shapes/index.ts";
import type { SsaIndex, SsaOperand, SsaTensor, SsaView } from "./ssa.ts";

/** A location, known by identity while its contents change. */
export interface Site {
  readonly name: string;
  readonly shape: Shape;
}

/** What a name stands for. */
export type Bound =
  | { readonly kind: "value"; readonly value: SsaTensor }
  | { readonly kind: "counter"; readonly turn: SsaIndex }
  | Reference;

/** A view of a location, with strides that are known. */
export interface Reference {
  readonly kind: "reference";
  readonly site: Site;
  readonly view: SsaView;
  readonly isDetached: boolean;
}

/** What is known at a point: what names stand for, in the order in which they were bound, and what locations hold. */
export interface Stand {
  readonly names: ReadonlyMap<string, Bound>;
  readonly contents: ReadonlyMap<Site, SsaTensor>;
}

/** The name stands for this from here on. */
export function bind(stand: Stand, name: string, bound: Bound): Stand {
  return { ...stand, names: new Map(stand.names).set(name, bound) };
}

/** Only names that are bound around stay. */
export function within({ names, contents }: Stand, around: readonly string[]): Stand {
  const kept = new Set(around);
  return { names: new Map([...names].filter(([name]) => kept.has(name))), contents };
}

/** The name stands for nothing any more. */
export function without({ names, contents }: Stand, name: string): Stand {
  return { names: new Map([...names].filter(([other]) => other !== name)), contents };
}

/** What a name stands for. */
export function found({ names }: Stand, name: string): Bound {
  return present(names.get(name), `what ${name} stands for in a program that was checked`);
}

/** What a reference stands for. */
export function referenceTo(stand: Stand, name: string): Reference {
  const bound = found(stand, name);
  if (bound.kind !== "reference") throw new InvariantError(`${name} is no reference`);
  return bound;
}

/** The turn that a counter stands at. */
export function turnOf(stand: Stand, name: string): SsaIndex {
  const bound = found(stand, name);
  if (bound.kind !== "counter") throw new InvariantError(`${name} is no counter`);
  return bound.turn;
}

/** A number, or the turn of a counter. */
export function indexOf(index: Index, stand: Stand): SsaIndex {
  return typeof index === "number" ? index : turnOf(stand, index);
}

/** What a location holds. */
export function contentsOf({ contents }: Stand, site: Site): SsaTensor {
  return present(contents.get(site), "what a location holds");
}

/** All of a location of this shape, as it is. */
export function whole(shape: Shape): { readonly view: SsaView; readonly isDetached: boolean } {
  const strides = plainStrides({ shape, strides: stridesOf(shape) });
  return { view: { offset: 0, shape, strides }, isDetached: false };
}

/** The strides, with none along an axis of one element: there it makes no difference. */
export function plainStrides({ shape, strides }: Pick<SsaView, "shape" | "strides">): readonly number[] {
  return strides.map((stride, axis) => (shape[axis] === 1 ? 0 : stride));
}

/** Whether a view is a location as it is. */
export function isAll({ offset, shape, strides }: SsaView, site: Site): boolean {
  return (
    offset === 0 && isSameShape(shape, site.shape) && isWhole({ offset, shape, strides }, sizeOf(site.shape))
  );
}

/** What has to be the same where control meets: which names see which locations, and how. */
export function keyOf({ names }: Stand, sites: readonly Site[]): string {
  const known = [...names].map(([name, bound]) => {
    if (bound.kind !== "reference") return [name, bound.kind];
    const { site, view, isDetached } = bound;
    const offset = typeof view.offset === "number" ? view.offset : "counted";
    return [name, sites.indexOf(site), offset, view.shape, view.strides, isDetached];
  });
  return JSON.stringify([known, sites.map(({ shape }) => shape)]);
}

/** What is passed where control meets, in the order of the parameters there. */
export function operandsOf(stand: Stand, sites: readonly Site[]): SsaOperand[] {
  const named = [...stand.names.values()].flatMap((bound): SsaOperand[] => {
    if (bound.kind === "counter") return [bound.turn];
    if (bound.kind === "value") return [bound.value];
    return typeof bound.view.offset === "number" ? [] : [bound.view.offset];
  });
  return [...named, ...sites.map((site) => contentsOf(stand, site))];
}
