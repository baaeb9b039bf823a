/** An engine's answer: a result, that it cannot do this, that it failed, or that it crashed. */
export type Reply<T> =
  | { readonly kind: "result"; readonly value: T }
  | { readonly kind: "unsupported"; readonly reason: string }
  | { readonly kind: "error"; readonly message: string }
  | { readonly kind: "crashed"; readonly message: string };

/** A reply that may also refuse: a program whose needed value was overwritten, or a sweep of a tape. */
export type RefusableReply<T> = Reply<T> | { readonly kind: "refused"; readonly reason: string };
