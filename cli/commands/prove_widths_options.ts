import type { FormatFlags } from "../format_flags.ts";
import type { IdFlags } from "../given_ids.ts";
import type { ProveOptions } from "./proving.ts";

/** The options of `adjudge prove --widths FILE`. */
export interface WidthOptions
  extends IdFlags,
    Pick<FormatFlags, "ranges" | "within">,
    Pick<ProveOptions, "only" | "second" | "write" | "scripts" | "explain"> {
  readonly widths?: string;
  readonly accumulator?: string;
  readonly batches?: number;
}

/** Whether a graph's widths are asked about, or something that is said of them alone. */
export function isAboutWidths(options: WidthOptions): boolean {
  const { widths, accumulator, batches, ranges, within, of, wrt } = options;
  return [widths, accumulator, batches, ranges, within, of, wrt].some((option) => option !== undefined);
}

/** Whether obligations are chosen, replayed or written, which is done with those of adjudge alone. */
export function isOfFamilies({ only, second, write, scripts }: WidthOptions): boolean {
  return [only, second, write, scripts].some((option) => option !== undefined);
}
