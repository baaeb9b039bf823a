export * from "./emit/export.ts";
export type * from "./emit/flat.ts";
export { type LeanFile, leanFile, leanFormat } from "./emit/lean_file.ts";
export { readLeanFile, refine } from "./emit/refine.ts";
export { exportableOperators } from "./emit/translate.ts";
export { readTorchLean, readTorchLeanText } from "./torchlean/read.ts";
export { writeTorchLean } from "./torchlean/write.ts";
