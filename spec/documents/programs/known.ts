import type { EnvironmentEntry } from "../../operators/index.ts";
import {
  type NameScope,
  type Parameter,
  type Procedure,
  type ResultName,
  seesTwice,
  type View,
  wholeView,
} from "../../programs/index.ts";
import {
  formatShape,
  type Issue,
  nearestName,
  pointerTo,
  quote,
  type Shape,
  visible,
  wellFormedShape,
} from "../../shapes/index.ts";

/** Before a program runs, a name is known to stand for one of these. */
export type Known =
  | { readonly kind: "value"; readonly shape: Shape }
  /** `view` is where the location's own shape is known; a parameter's is the caller's. */
  | { readonly kind: "reference"; readonly shape: Shape; readonly view: View | undefined }
  /** A computed index is below nobody knows what: `times` is left out. */
  | { readonly kind: "counter"; readonly shape: Shape; readonly times?: number }
  /** Something is wrong with it already. */
  | { readonly kind: "unknown" };

/** The statements of a block share these; `issues` and `count` are the program's. */
export interface Surroundings {
  readonly environment: ReadonlyMap<string, EnvironmentEntry>;
  readonly isEnvironmentPartial: boolean;
  readonly procedures: ReadonlyMap<string, Procedure>;
  /** The entry, where it knows persistent locations: nobody calls it. */
  readonly uncalled: Procedure | undefined;
  /** The results of the procedure around. */
  readonly results: readonly ResultName[];
  readonly isInLoop: boolean;
  readonly issues: Issue[];
  readonly count: { statements: number };
}

/** Says what a parameter stands for. */
export function knownOf({ kind, shape }: Parameter): Known {
  return kind === "value" ? { kind, shape } : { kind: "reference", shape, view: undefined };
}

/** Returns a location of this shape, all of which is seen. */
export function referenceTo(shape: Shape): Known {
  return { kind: "reference", shape, view: wholeView(shape) };
}

/** The name stands for this from here on; an issue where it is taken, or has characters that are not seen. */
export function bind<T>(scope: NameScope<T>, name: string, known: T, pointer: string, issues: Issue[]): void {
  if (visible(name) !== name) issues.push(unseenName(name, pointer));
  if (scope.find(name) !== undefined) issues.push(nameTwice(name, pointer));
  scope.bind(name, known);
}

/** Finds what a name stands for; an unknown name is an issue. */
export function lookUp(name: string, pointer: string, scope: NameScope<Known>, issues: Issue[]): Known {
  const found = scope.find(name);
  if (found !== undefined) return found;
  const near = nearestName(name, scope.names());
  issues.push({
    code: "program/name",
    pointer,
    message: `nothing is called ${quote(name)} here.`,
    hint:
      near === undefined
        ? "a name is bound before it is read, and ends with its block"
        : `did you mean ${quote(near)}?`,
  });
  return { kind: "unknown" };
}

/** Returns the shape of what is read under a name; of a counter, that of a scalar. */
export function readable(
  name: string,
  pointer: string,
  scope: NameScope<Known>,
  issues: Issue[],
): Shape | undefined {
  const found = lookUp(name, pointer, scope, issues);
  return found.kind === "unknown" ? undefined : found.shape;
}

/** Finds what a name refers to, which must be a location. */
export function referenced(
  name: string,
  pointer: string,
  scope: NameScope<Known>,
  issues: Issue[],
): (Known & { readonly kind: "reference" }) | undefined {
  const found = lookUp(name, pointer, scope, issues);
  if (found.kind === "reference" || found.kind === "unknown")
    return found.kind === "reference" ? found : undefined;
  issues.push({
    code: "program/kind",
    pointer,
    message: `${quote(name)} is a ${found.kind}, and a reference is wanted.`,
    hint: "make a location of a value with buffer",
  });
  return undefined;
}

/** Finds a reference that is written through, so that none of its elements may be seen twice. */
export function writable(
  name: string,
  pointer: string,
  scope: NameScope<Known>,
  issues: Issue[],
): (Known & { readonly kind: "reference" }) | undefined {
  const found = referenced(name, `${pointer}/to`, scope, issues);
  if (found?.view === undefined || !seesTwice(found.view)) return found;
  issues.push({
    code: "program/write",
    pointer: `${pointer}/to`,
    message: `${quote(name)} sees some element more than once.`,
    hint: "write through a view that sees each element once: one that was not broadcast",
  });
  return undefined;
}

/** Says whether a tensor may have this shape; if not, there is an issue. */
export function checkShape(shape: Shape, pointer: string, issues: Issue[]): boolean {
  const wellFormed = wellFormedShape(shape);
  if (!wellFormed.ok) issues.push({ ...wellFormed.error, pointer });
  return wellFormed.ok;
}

/** Returns the issue `program/name`: a name that is not seen as it is. */
export function unseenName(name: string, pointer: string): Issue {
  return {
    code: "program/name",
    pointer,
    message: `the name ${quote(name)} has characters that are not seen, or half a one.`,
    hint: "leave out control characters, line breaks and marks of format; use whole Unicode characters",
  };
}

/** Returns the issue `program/name-twice`: a name that stands for something already. */
export function nameTwice(name: string, pointer: string): Issue {
  return {
    code: "program/name-twice",
    pointer,
    message: `the name ${quote(name)} is taken.`,
    hint: "a name is bound once in its block and those around it; rebind changes what it stands for",
  };
}

/** Returns the issue `program/shape`: a name that stands for something of another shape than is wanted. */
export function otherShape(name: string, given: Shape, wanted: Shape, pointer: string): Issue {
  return {
    code: "program/shape",
    pointer,
    message: `${quote(name)} has shape ${formatShape(given)}, and ${formatShape(wanted)} is wanted.`,
    hint: "shapes are the same; broadcasts are written out",
  };
}

/** Returns the issue `program/entry`: a reference where nobody has a location to give. */
export function referenceAtEntry(pointer: string): Issue {
  return {
    code: "program/entry",
    pointer: pointerTo(pointer, "kind"),
    message: "the entry has a location for a parameter, and nobody calls it with one.",
    hint: "declare a persistent location under state",
  };
}

/** Returns the issue `program/entry`: a call of the procedure that knows the persistent locations. */
export function calledEntry(pointer: string): Issue {
  return {
    code: "program/entry",
    pointer,
    message: "the entry knows the persistent locations, and nobody calls it from within.",
    hint: "call a procedure of its own, with references to the locations",
  };
}
