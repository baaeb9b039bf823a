/** What an engine answers: a result, that it cannot do this, that it failed, or that it broke. */
export type Reply<T> =
  | { readonly kind: "result"; readonly value: T }
  | { readonly kind: "unsupported"; readonly reason: string }
  | { readonly kind: "error"; readonly message: string }
  | { readonly kind: "crashed"; readonly message: string };

/** A reply that may say no besides: to *this* program, because a value that its sweep needs was overwritten, or to this sweep of a tape. */
export type RefusableReply<T> = Reply<T> | { readonly kind: "refused"; readonly reason: string };
