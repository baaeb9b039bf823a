import type { StorageType } from "../../reference/numerics/storage/index.ts";
import type { Answered, Ask, Asked } from "./dialect.ts";

/** The kind of a storage type. */
export type StorageKind = StorageType["kind"];

/** A question is answered with one of these. */
export type Answer<T> =
  | { readonly kind: "answered"; readonly value: T; readonly words: string }
  /** The framework declines to answer, or ends itself by C's `abort` or `exit`. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The framework does not have what is asked for. */
  | { readonly kind: "unsupported"; readonly reason: string }
  /** The reply is no answer, or there is none. */
  | { readonly kind: "broken"; readonly what: string };

/** A framework that stores tensors as codes, and is asked by questions of the dialect. */
export interface StorageFramework {
  readonly name: string;
  readonly version: string;
  /** The kinds of types that it has. */
  readonly kinds: readonly StorageKind[];
  ask<K extends Ask>(ask: K, asked: Asked[K]): Promise<Answer<Answered[K]>>;
  close(): Promise<void>;
}
