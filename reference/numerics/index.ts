/**
 * Number formats as algebras, and the library that decides their roundings. A door of its own: it loads MPFR,
 * which takes a moment, and the rest of the reference does without.
 */
export * from "../algebras/mpfr.ts";
export * from "../algebras/posit_format.ts";
export * from "./integer_step.ts";
export * from "./posit.ts";
export * from "./posit_text.ts";
export * from "./quire.ts";
export {
  int32Register,
  quireRegister,
  type Register,
  registerNamed,
  type Summand,
} from "./register.ts";
export * from "./storage/index.ts";
export * from "./sum_width.ts";
