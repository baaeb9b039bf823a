/** What is said of a graph before it runs, as documents: dimensions, memory, formats, gradients. */
export type {
  CoeffectJson,
  CoeffectsJson,
  EscapeSheafJson,
  FigureJson,
  PromotionJson,
} from "./coeffects.ts";
export type {
  BlockJson,
  DimensionsJson,
  ExplanationJson,
  MeasuredJson,
  ObstructionJson,
  SheafJson,
} from "./explanation.ts";
export type {
  AccumulationJson,
  GradientModeJson,
  GradientTreeJson,
  SignatureJson,
  SignaturesJson,
  StageJson,
  TargetTreeJson,
} from "./gradient_tree.ts";
export type {
  AssignmentJson,
  KeptResultJson,
  RangedJson,
  RangeJson,
  RangesJson,
  RepresentationsJson,
  RepresentedRunJson,
  SeenJson,
  StatisticsJson,
  StepJson,
  SteppedJson,
  TargetJson,
} from "./representations.ts";
export { validateExplanation, validateRanges, validateStatistics, validateTarget } from "./validate.ts";
