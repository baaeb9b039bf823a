/** adnn comes without types; these are for what we use. */
declare module "adnn/ad/index.js" {
  /** A value is a number, or a node of the graph that a call records. */
  export type Lifted = number | Node;
  export interface Node {
    readonly x: number;
    backprop(): void;
  }
  type Binary = (x: Lifted, y: Lifted) => Lifted;
  type Unary = (x: Lifted) => Lifted;
  const ad: {
    readonly scalar: Readonly<Record<"add" | "sub" | "mul" | "div" | "max" | "min", Binary>> &
      Readonly<Record<"sin" | "exp" | "log" | "neg" | "sqrt", Unary>>;
    lift(x: number): Node;
    value(x: Lifted): number;
    derivative(x: Lifted): number;
  };
  export default ad;
}
