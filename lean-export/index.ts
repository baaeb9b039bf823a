export * from "./emit/flat.ts";
export * from "./emit/flatten.ts";
export * from "./emit/lean_file.ts";
export * from "./emit/read.ts";
export { exportableOperators } from "./emit/translate.ts";
export * from "./torchlean/read.ts";
export { writeTorchLean } from "./torchlean/write.ts";
