/** The engines that are known by name, and how an engine is chosen. */
export {
  bundledEngine,
  bundledEngines,
  candleManifest,
  candleTestee,
  gorgoniaFolder,
  gorgoniaTestee,
  pythonTestee,
  type Started,
} from "./bundled.ts";
export {
  chooseEngine,
  chooseEngines,
  commandOf,
  type EngineChoice,
  everyEngine,
  type NamedEngines,
} from "./choice.ts";
export { jaxjsLibrary } from "./jaxjs.ts";
export { eagerEngine } from "./kit/eager.ts";
export type { EagerLibrary } from "./kit/library.ts";
export { packageRoot } from "./package_root.ts";
export { quoteWord, splitWords } from "./shell_words.ts";
export { tfjsLibrary } from "./tfjs.ts";
