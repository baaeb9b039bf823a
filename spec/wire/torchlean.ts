import type { EnvironmentEntry } from "../operators/index.ts";
import type { Shape } from "../shapes/index.ts";

/**
 * A forward graph in the exchange format of TorchLean (https://github.com/lean-dojo/TorchLean): it has one
 * input, for each node the shape of its value, and numbers of constants and layers if whoever wrote it had
 * them. `name` and `environment` are adjudge's own; TorchLean looks at neither.
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
  /** The numbers of a constant, flat or nested; so are those of the layers below. */
  readonly values?: unknown;
  /** Random numbers are those of this seed. */
  readonly seed?: number;
  readonly out_dim?: number;
  readonly in_dim?: number;
  readonly weight?: unknown;
  readonly bias?: unknown;
  readonly kernel?: readonly number[];
  readonly stride?: readonly number[];
  readonly padding?: readonly number[];
  readonly padding_after?: readonly number[];
  readonly dilation?: readonly number[];
  readonly groups?: number;
  readonly channel_axis?: number;
  readonly in_channels?: number;
  readonly out_channels?: number;
  readonly channels?: number;
  readonly gamma?: unknown;
  readonly beta?: unknown;
  readonly mean?: unknown;
  readonly var?: unknown;
  readonly eps?: number;
}
