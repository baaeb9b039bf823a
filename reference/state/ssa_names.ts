import { isWhole, knownNumber, type StatementOf, transformed, type View } from "../../spec/programs/index.ts";
import {
  InvariantError,
  isSameShape,
  present,
  type Shape,
  sizeOf,
  stridesOf,
} from "../../spec/shapes/index.ts";
import type { SsaIndex, SsaOperand, SsaTensor, SsaView } from "./ssa.ts";

/** A location is known by identity while its contents change. */
export interface Site {
  readonly name: string;
  readonly shape: Shape;
}

/** A name stands for one of these: a tensor, the turn of a loop, or a location seen in some way. */
export type Bound =
  | { readonly kind: "value"; readonly value: SsaTensor }
  | { readonly kind: "counter"; readonly value: SsaIndex }
  | Reference;

export interface Reference {
  readonly kind: "reference";
  readonly site: Site;
  readonly view: SsaView;
  readonly isDetached: boolean;
}

/** At a point this is known: what names stand for, in binding order, and what locations hold. */
export interface Known {
  readonly names: Map<string, Bound>;
  readonly contents: Map<Site, SsaTensor>;
}

/** Finds what a name stands for. */
export function found({ names }: Known, name: string): Bound {
  return present(names.get(name), `what ${name} stands for in a program that was checked`);
}

/** Returns the view that a name stands for. */
export function referenceTo(draft: Known, name: string): Reference {
  const bound = found(draft, name);
  if (bound.kind !== "reference") throw new InvariantError(`${name} is no reference`);
  return bound;
}

/** Returns the turn of a loop that a name stands for. */
export function turnOf(draft: Known, name: string): SsaIndex {
  const bound = found(draft, name);
  if (bound.kind !== "counter") throw new InvariantError(`${name} is no counter`);
  return bound.value;
}

/** Finds what a location holds. */
export function held({ contents }: Known, site: Site): SsaTensor {
  return present(contents.get(site), "what a location holds");
}

/** Lists what locations hold. */
export function contentsOf(draft: Known, sites: readonly Site[]): SsaTensor[] {
  return sites.map((site) => held(draft, site));
}

/** The name stands for a new location that holds the value. */
export function locate({ names, contents }: Known, name: string, value: SsaTensor): void {
  const site: Site = { name, shape: value.shape };
  contents.set(site, value);
  names.set(name, all(site));
}

/** Returns all of a location, as it is. */
export function all(site: Site): Reference {
  const view = plain({ offset: 0, shape: site.shape, strides: stridesOf(site.shape) });
  return { kind: "reference", site, view, isDetached: false };
}

/** Returns what another name of a persistent location sees of it. */
export function seenBy({ of, how }: StatementOf<"view">, names: ReadonlyMap<string, Bound>): Reference {
  const bound = names.get(of);
  const offset = bound?.kind === "reference" ? bound.view.offset : undefined;
  if (bound?.kind !== "reference" || typeof offset !== "number")
    throw new InvariantError(`${of} is no name of a persistent location`);
  const seen = transformed({ ...bound.view, offset }, how, knownNumber);
  if (!seen.ok || seen.value === undefined) throw new InvariantError("an alias that was checked is a view");
  return { ...bound, view: plain(seen.value) };
}

/** The view with a stride of 0 along each axis of one element, where the stride makes no difference. */
export function plain({ offset, shape, strides }: View): View {
  return { offset, shape, strides: strides.map((stride, axis) => (shape[axis] === 1 ? 0 : stride)) };
}

/** Says whether a view is the whole location, in its order. */
export function isAll({ offset, shape, strides }: SsaView, site: Site): boolean {
  return offset === 0 && isSameShape(shape, site.shape) && isWhole({ offset, shape, strides }, sizeOf(shape));
}

/** The locations of these names, behind those that come first. */
export function sitesIn(names: ReadonlyMap<string, Bound>, first: readonly Site[]): readonly Site[] {
  const seen = [...names.values()].flatMap((bound) => (bound.kind === "reference" ? [bound.site] : []));
  return [...new Set([...first, ...seen])];
}

/** Says whether jumps must pass what a name stands for. A view with a known offset is fixed. */
export function isPassed(bound: Bound): boolean {
  return bound.kind !== "reference" || typeof bound.view.offset !== "number";
}

/** Lists what jumps pass of these names to a block where control meets, in their order. */
export function passed(names: ReadonlyMap<string, Bound>): SsaOperand[] {
  return [...names.values()]
    .filter(isPassed)
    .map((bound) => (bound.kind === "reference" ? bound.view.offset : bound.value));
}

/** Tells apart the ways in which names see locations: where control meets, it must be the same. */
export function sharing(names: ReadonlyMap<string, Bound>, sites: readonly Site[]): string {
  const known = [...names].map(([name, bound]) => {
    if (bound.kind !== "reference") return [name, bound.kind];
    const { site, view, isDetached } = bound;
    return [name, sites.indexOf(site), { ...view, offset: isPassed(bound) || view.offset }, isDetached];
  });
  return JSON.stringify([known, sites.map(({ shape }) => shape)]);
}
