import type { StorageType } from "../../reference/numerics/storage/index.ts";
import type { Answered, Ask, Asked } from "./dialect.ts";

/** A kind of type. */
export type StorageKind = StorageType["kind"];

/** What comes of a question. */
export type Answer<T> =
  | { readonly kind: "answered"; readonly value: T; readonly words: string }
  /** It says that there is no answer, or ends itself as C's `abort` and `exit` do. */
  | { readonly kind: "refused"; readonly reason: string }
  /** It does not have what is asked for. */
  | { readonly kind: "unsupported"; readonly reason: string }
  /** What came is no answer, or none came. */
  | { readonly kind: "broken"; readonly what: string };

/** A framework that keeps tensors as codes, as it is asked. */
export interface StorageFramework {
  readonly name: string;
  readonly version: string;
  /** Which kinds of types it has. */
  readonly kinds: readonly StorageKind[];
  ask<K extends Ask>(ask: K, asked: Asked[K]): Promise<Answer<Answered[K]>>;
  close(): Promise<void>;
}
