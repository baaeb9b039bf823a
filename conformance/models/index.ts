/** Models in files of other formats, which become graphs, and graphs that become such files. */
export { caseOfModel, type Model } from "./case.ts";
export { writeOnnx } from "./onnx/export.ts";
export { externalBeside, noExternal } from "./onnx/external.ts";
export { type ImportedModel, readModel } from "./onnx/import.ts";
export { writtenOperators } from "./onnx/writing/rules.ts";
