import type { EnvironmentEntry } from "../operators/index.ts";
import type { Shape } from "../shapes/index.ts";

/**
 * A forward graph in the exchange format of TorchLean (https://github.com/lean-dojo/TorchLean): it carries no
 * numbers, one input, and for each node the shape of its value. `name` and `environment` are adjudge's own;
 * TorchLean looks at neither.
 */
export interface TorchLeanJson {
  readonly format: "torchlean.ir.v1";
  readonly input_id: number;
  readonly output_ids: readonly number[];
  readonly nodes: readonly TorchLeanNode[];
  readonly environment?: readonly EnvironmentEntry[];
}

/** A node: which of the optional properties it has is a matter of its kind. */
export interface TorchLeanNode extends TorchLeanAttributes {
  /** The id is the node's position. */
  readonly id: number;
  readonly kind: string;
  readonly parents: readonly number[];
  readonly shape: Shape;
}

/** The kinds of nodes need these attributes. */
export interface TorchLeanAttributes {
  readonly name?: string;
  readonly perm?: readonly number[];
  readonly axes?: readonly number[];
  readonly axis?: number;
  readonly axis1?: number;
  readonly axis2?: number;
  readonly keepdim?: boolean;
  readonly from_shape?: Shape;
  readonly to_shape?: Shape;
  readonly in_shape?: Shape;
  readonly out_shape?: Shape;
  readonly value_shape?: Shape;
}
