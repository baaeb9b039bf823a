import type { IdFlags } from "../given/given_ids.ts";
import type { FormatFlags } from "../options/format_flags.ts";
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

/** Says whether an option is given that concerns the widths of a graph. */
export function isAboutWidths(options: WidthOptions): boolean {
  const { widths, accumulator, batches, ranges, within, of, wrt } = options;
  return [widths, accumulator, batches, ranges, within, of, wrt].some((option) => option !== undefined);
}

/** Says whether obligations are chosen, replayed or written, which is possible with adjudge's own alone. */
export function isOfFamilies({ only, second, write, scripts }: WidthOptions): boolean {
  return [only, second, write, scripts].some((option) => option !== undefined);
}
