/** What a framework must hold to that keeps its tensors as codes: thirteen points, asked line by line. */
export { buildFramework, type FrameworkSource } from "./build.ts";
export type { StorageFramework, StorageKind } from "./framework.ts";
export type { Drawing, Finding, LawOutcome } from "./law.ts";
export { startFramework } from "./process_framework.ts";
export { judgeStorage, type Point, type PointOutcome, storagePoints } from "./profile.ts";
