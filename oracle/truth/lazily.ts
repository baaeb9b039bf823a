/** Computes once, when first asked. */
export function lazily<T>(compute: () => T): () => T {
  const memory: { value?: { readonly of: T } } = {};
  return () => {
    memory.value ??= { of: compute() };
    return memory.value.of;
  };
}
