import type { Statement, StatementKind } from "../../spec/index.ts";

/** A statement of one of these kinds is rightly blamed; `""` if no statement is. */
export type Blamed = StatementKind | "";

const writes: readonly Blamed[] = ["write", "update"];
const reads: readonly Blamed[] = ["let", "buffer", "view", "update", "write", "call"];

/**
 * For each mutant the statements that it runs wrongly, or after which its fault is first seen: a write, where
 * memory is shared that should not be. They follow from the faults' sentences alone: a persistent location
 * is there before any statement, a counter is its loop's, and a run that goes on is seen where it should end.
 */
export const rightlyBlamed: Readonly<Record<string, readonly Blamed[]>> = {
  alias_is_a_copy: ["", ...writes],
  alias_parts_when_written: writes,
  alias_write_not_kept: ["", ...writes],
  alias_gradient_lost: ["", ...reads],
  alias_gradient_twice: ["", ...reads],
  write_without_strides: writes,
  write_without_offset: writes,
  read_without_strides: ["view"],
  read_without_offset: ["view"],
  overlapping_write: writes,
  buffer_shares_location: ["buffer", ...writes],
  buffer_shares_value: ["buffer", ...writes],
  last_element_not_written: writes,
  rows_from_what_was_there: ["write_rows"],
  rows_backwards: ["write_rows"],
  first_row_lost: ["write_rows"],
  mask_ignored: ["write_where"],
  masked_update_writes: ["write_where"],
  masked_update_clears: ["write_where"],
  masked_update_cuts: ["write_where"],
  masked_update_computes_all: ["write_where"],
  mask_not_in_derivative: ["write_where"],
  fill_lost: ["write_where"],
  index_is_zero: ["index"],
  index_of_the_first_turn: ["index", "for", "while"],
  scalar_write_lost: writes,
  gradient_of_written_part_lost: writes,
  gradient_of_whole_write_lost: writes,
  written_offset_lost_in_reverse: writes,
  read_offset_lost_in_reverse: ["view"],
  read_strides_lost_in_reverse: ["view"],
  permutation_lost_in_reverse: ["view"],
  tangent_not_written: writes,
  tangent_written_at_start: writes,
  tangent_added: writes,
  tangent_of_zero_kept: writes,
  buffer_without_tangent: ["", "buffer"],
  run_again_in_place: ["checkpoint"],
  run_again_from_zero: ["checkpoint"],
  old_value_after_write: writes,
  views_unwatched: writes,
  version_of_views_skipped: writes,
  version_through_views_skipped: writes,
  // The location that was made last may be made behind the write, or within what is differentiated.
  version_of_another: ["buffer", "differentiate", ...writes],
  detached_write_raises_no_version: writes,
  version_late: writes,
  forbids_whole_writes_alone: writes,
  copy_too_shallow: writes,
  copy_too_late: writes,
  copy_of_written_alone: writes,
  first_element_watched: writes,
  same_view_watched: writes,
  contained_watched: writes,
  watched_at_offset_zero: writes,
  recalled_from_start: ["let", ...writes],
  saved_once_per_place: ["let", ...writes],
  gradient_of_overwritten_kept: writes,
  gradient_of_written_lost: writes,
  gradient_beside_written_lost: writes,
  first_overwritten_alone: writes,
  written_gradient_from_start: writes,
  seen_twice_counted_once: ["view"],
  read_gives_back_backwards: ["buffer", "view"],
  cotangent_replaced: reads,
  cotangent_first_alone: reads,
  same_operand_once: ["let", "update"],
  // A derivative is an operation with three operands or more where its procedure has two parameters.
  last_operand_lost: ["let", "update", "differentiate"],
  maximum_in_tie_both: ["let", "update"],
  checkpoint_drops_cotangent: ["checkpoint"],
  checkpoint_swept_twice: ["checkpoint"],
  detach_leaks_in_reverse: ["detach", "no_grad"],
  reshape_ends_gradient: ["let", "view"],
  retains_first_execution: ["retain", "for", "while"],
  retained_backwards: ["retain"],
  retain_copies: ["retain"],
  repeated_result_seeded_once: ["", "buffer", "rebind"],
  aliasing_results_share_seeds: [""],
  alias_missed_after_slice: ["view", ...writes],
  alias_missed_after_reshape: ["view", ...writes],
  alias_missed_after_permute: ["view", ...writes],
  alias_missed_after_diagonal: ["view", ...writes],
  alias_missed_after_broadcast: ["view", ...writes],
  alias_missed_after_unfold: ["view", ...writes],
  alias_missed_after_strided: ["view", ...writes],
  alias_made_by_reshape: ["view", ...writes],
  view_of_view_begins_anew: ["view"],
  counter_index_ignored: ["view", "for"],
  view_backwards_is_forwards: ["view"],
  diagonal_offset_ignored: ["view"],
  window_step_ignored: ["view"],
  strides_over_location: ["view"],
  write_through_windows_clears_the_rest: writes,
  overlapping_windows_written: writes,
  // What is given back has the location's own order then, and a view that has another is not seen.
  read_is_looked_at_later: ["call", "view", ...writes],
  update_operands_swapped: ["update"],
  update_forgets_old_value: ["update"],
  release_frees_another: ["release", ...reads],
  release_ignored: reads,
  counter_from_one: ["for", "index"],
  loop_one_turn_less: ["for"],
  loop_one_turn_more: ["for"],
  loop_backwards: ["for"],
  first_turn_not_swept: ["for"],
  last_turn_not_swept: ["for"],
  while_once_more: ["while"],
  while_decided_once: ["while"],
  fuel_one_less: ["while"],
  fuel_one_more: ["while"],
  break_ends_branch_alone: ["break"],
  break_ends_procedure: ["break"],
  return_ends_loop_alone: ["return"],
  return_without_past: ["return"],
  condition_must_be_positive: ["if", "while"],
  condition_is_truncated: ["if", "while"],
  otherwise_ignored: ["if"],
  branch_decided_again: ["if"],
  rebound_in_block_alone: ["rebind", "if", "for", "while", "no_grad", "checkpoint"],
  rebinding_without_past: ["rebind"],
  recursion_shares_locals: ["call"],
  donated_stays_readable: ["call", ...reads],
  donation_forgets_saved: ["call", ...writes],
  reference_parameters_unshared: ["call"],
  reference_parameter_copied: ["call"],
  reference_parameter_whole: ["call"],
  argument_without_past: ["call"],
  detach_of_reference_ignored: ["detach"],
  detach_of_reference_reads_alone: writes,
  detach_copies: ["detach", ...writes],
  detach_lost_by_view: ["view"],
  detach_keeps_tangent: ["detach", "no_grad"],
  detach_freezes_location: ["detach"],
  no_grad_ignored: ["no_grad"],
  no_grad_ignored_for_writes: ["no_grad"],
  no_grad_ignored_for_buffers: ["no_grad"],
  no_grad_sticks: ["no_grad"],
  no_grad_ends_at_calls: ["no_grad", "call"],
  said_derivative_ignored: ["custom"],
  said_derivative_beside_own: ["custom", "hook"],
  said_derivative_has_value: ["custom", "hook"],
  said_derivative_of_first: ["custom"],
  saved_after_marking: ["custom"],
  mark_forgotten: ["custom"],
  marked_constant: ["custom"],
  hook_ignored: ["hook"],
  hook_called_twice: ["hook"],
  hook_not_in_forward_mode: ["hook"],
  no_grad_reaches_derivatives: ["no_grad", "differentiate"],
  checkpoint_from_current_memory: ["checkpoint"],
  checkpoint_is_constant: ["checkpoint"],
  mask_redrawn: ["checkpoint"],
  effect_twice: ["checkpoint"],
  receive_twice: ["checkpoint"],
  differentiate_tangent_zero: ["differentiate"],
  differentiate_point_constant: ["differentiate"],
  differentiate_wrt_off_by_one: ["differentiate"],
  differentiate_mode_swapped: ["differentiate"],
  generator_stands_still: ["draw"],
  generator_advanced_twice: ["draw"],
  generator_key_used: ["draw"],
  keyed_draw_advances: ["draw"],
  keyed_draw_ignores_key: ["draw"],
  key_words_swapped: ["draw"],
  mask_keeps_with_rate: ["draw"],
  mask_drawn_once_per_shape: ["draw"],
  draw_leaks: ["draw"],
  received_again: ["receive"],
  sent_is_looked_at_later: ["send", ...writes],
  sent_twice: ["send", "for", "while"],
  session_state_not_kept: ["", ...writes],
  session_generator_not_kept: ["", "draw"],
  session_begins_where_the_last_ended: ["", "draw"],
  session_keeps_state: ["", ...writes],
  state_without_last_element: [""],
};

/** Tells whether a statement is rightly blamed for a fault: it, or one of those that it stands for. */
export function isRightlyBlamed(fault: string, statement: Statement | undefined): boolean {
  const kinds = rightlyBlamed[fault] ?? [];
  return meantBy(statement).some((kind) => kinds.includes(kind));
}

/** Lists the kinds of the plain statements that one stands for (`plainOf`), with its own. */
function meantBy(statement: Statement | undefined): readonly Blamed[] {
  if (statement === undefined) return [""];
  switch (statement.do) {
    case "write_rows":
      return ["write_rows", "buffer", "view", statement.op === undefined ? "write" : "update"];
    // A scalar is kept in a location of its own, and a view spreads it.
    case "write_where":
      return ["write_where", "buffer", "view", "let", "write"];
    // A call whose derivative is said is two calls, one with constant operands, and so is a hook.
    case "custom":
      return ["custom", "buffer", "detach", "call", "let", "write"];
    case "hook":
      return ["hook", "detach", "call", "let"];
    default:
      return [statement.do];
  }
}
