import type { OperatorName } from "../composites/index.ts";
import type { DataType } from "./precision.ts";

/** What a project always asks, as the file `adjudge.config.json`; `$schema` is for editors. */
export interface ConfigJson {
  readonly $schema?: string;
  /** Commands, or names of bundled engines, by names that the project chooses. */
  readonly engines?: Readonly<Record<string, string>>;
  readonly dtypes?: readonly DataType[];
  readonly profile?: string;
  readonly seed?: number;
  readonly cases?: number;
  readonly budgets?: { readonly seconds?: number; readonly elements?: number; readonly work?: number };
  readonly exclude?: readonly OperatorName[];
  /** Paths are from the file's folder. */
  readonly known?: string;
  readonly reports?: readonly string[];
}
