export function straightProgramText(_a: unknown, _b: boolean): string | undefined {
  return undefined;
}
