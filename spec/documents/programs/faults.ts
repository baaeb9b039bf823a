import { formatShape, type Issue, pointerTo, quote, type Shape } from "../../shapes/index.ts";

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
