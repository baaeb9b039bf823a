import type { ShapeFault } from "../shapes/index.ts";

/** The builder throws it where a graph would not be well-formed; the message says where and what to do. */
export class GraphError extends Error {
  override readonly name = "GraphError";
  readonly fault: ShapeFault;

  constructor(op: string, fault: ShapeFault) {
    super(`${op}: ${fault.message} Hint: ${fault.hint}`);
    this.fault = fault;
  }
}
