/** An engine's answer: a result, or none; a bystander's was lost when it ended while it owed another one. */
export type Reply<T> =
  | { readonly kind: "result"; readonly value: T }
  | { readonly kind: "unsupported"; readonly reason: string }
  | { readonly kind: "error"; readonly message: string }
  | { readonly kind: "crashed"; readonly message: string; readonly isBystander?: true };

/** A reply that may also refuse: a program whose needed value was overwritten, or a sweep of a tape. */
export type RefusableReply<T> = Reply<T> | { readonly kind: "refused"; readonly reason: string };
