/** The elementary functions of one argument, in the order of every table here. */
export const unaryNames = [
  "exp",
  "expm1",
  "log",
  "log1p",
  "log2",
  "sin",
  "cos",
  "tan",
  "asin",
  "acos",
  "atan",
  "sinh",
  "cosh",
  "tanh",
  "asinh",
  "acosh",
  "atanh",
  "erf",
  "sqrt",
] as const;

/** The elementary functions of two arguments: x to the power y, the angle of (x, y) as `atan2(y, x)`, √(x² + y²). */
export const binaryNames = ["pow", "atan2", "hypot"] as const;

/** An elementary function of one argument. */
export type UnaryName = (typeof unaryNames)[number];

/** An elementary function of two arguments. */
export type BinaryName = (typeof binaryNames)[number];

/** Every elementary function over a carrier. */
export type Elementary<S> = { readonly [F in UnaryName]: (x: S) => S } & {
  readonly [F in BinaryName]: (x: S, y: S) => S;
};

/** The table of elementary functions, each made by its name. */
export function elementary<S>(
  unary: (name: UnaryName) => (x: S) => S,
  binary: (name: BinaryName) => (x: S, y: S) => S,
): Elementary<S> {
  return {
    exp: unary("exp"),
    expm1: unary("expm1"),
    log: unary("log"),
    log1p: unary("log1p"),
    log2: unary("log2"),
    sin: unary("sin"),
    cos: unary("cos"),
    tan: unary("tan"),
    asin: unary("asin"),
    acos: unary("acos"),
    atan: unary("atan"),
    sinh: unary("sinh"),
    cosh: unary("cosh"),
    tanh: unary("tanh"),
    asinh: unary("asinh"),
    acosh: unary("acosh"),
    atanh: unary("atanh"),
    erf: unary("erf"),
    sqrt: unary("sqrt"),
    pow: binary("pow"),
    atan2: binary("atan2"),
    hypot: binary("hypot"),
  };
}
