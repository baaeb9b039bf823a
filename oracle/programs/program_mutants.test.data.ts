import {
  entryOf,
  type FlatTensor,
  nodeId,
  type ProgramBuilder,
  type ProgramOperand,
  type ProgramReference,
  program,
  type Refusal,
  type Shape,
  sizeOf,
  type Transform,
} from "../../spec/index.ts";
import type { ProgramTask } from "./ask.ts";

/** Numbers that are no powers of each other, so that what stands in the wrong place is another number. */
function numbers(shape: Shape, first = 1.5): FlatTensor {
  return { shape, data: Float64Array.from({ length: sizeOf(shape) }, (_, i) => first + 1.25 * i) };
}

/** A program of one input, called once; two tensors come on the channel "in". */
function told(
  shape: Shape,
  write: (builder: ProgramBuilder, buffer: ProgramReference) => readonly ProgramOperand[],
  refuse?: Refusal,
): ProgramTask {
  const written = program((builder) => write(builder, builder.buffer(builder.input("x", shape))));
  const { results } = entryOf(written);
  return {
    case: {
      program: written,
      point: { inputs: [numbers(shape)], environment: new Map() },
      generator: { key: [1, 2], drawn: 0 },
      received: new Map([["in", [numbers([2], 3), numbers([2], 7)]]]),
      seeds: results.map((result, place) => ({ id: nodeId(place), cotangent: numbers(result.shape, 2) })),
    },
    calls: [],
    ...(refuse === undefined ? {} : { refuse }),
  };
}

function slice(start: number, size: number): Transform {
  return { kind: "slice", starts: [start], sizes: [size], steps: [1] };
}

const beside = told([2], (_, b) => {
  const square = b.multiply(b);
  b.at(1).update("add", 1);
  return [square, b];
});

const retaining = told([2], ({ for_ }, b) => {
  for_(2, () => {
    const square = b.multiply(b);
    square.retain();
    b.update("add", square);
  });
  return [b];
});

/** Small programs that tell a mutant which few random programs tell. */
export const tellingPrograms: Readonly<Record<string, ProgramTask>> = {
  overlapping_write: told([3], (_, b) => {
    b.view(slice(1, 2)).write(b.view(slice(0, 2)));
    return [b];
  }),
  first_element_watched: beside,
  contained_watched: beside,
  copy_of_written_alone: told([2], (_, b) => {
    const square = b.multiply(b);
    b.at(0).update("add", 1);
    return [square, b];
  }),
  retains_first_execution: retaining,
  retained_backwards: retaining,
  alias_made_by_reshape: told([2, 3], (_, b) => [
    b
      .view({ kind: "permute", axes: [1, 0] })
      .view({ kind: "reshape", shape: [6] })
      .read(),
  ]),
  counter_index_ignored: told([2], ({ for_ }, b) => {
    for_(2, (i) => b.at(i).update("multiply", 3));
    return [b];
  }),
  release_frees_another: told([2], ({ buffer }, b) => {
    buffer(b).release();
    return [b.add(1)];
  }),
  release_ignored: told(
    [2],
    (_, b) => {
      b.release();
      return [b.add(1)];
    },
    "must",
  ),
  counter_from_one: told([2], ({ for_ }, b) => {
    for_(2, (i) => b.update("add", i));
    return [b];
  }),
  fuel_one_less: told([2], ({ while_, full }, b) => {
    const left = full({ shape: [], value: 3 });
    while_(left, 3, () => left.becomes(left.subtract(1)));
    return [b];
  }),
  fuel_one_more: told(
    [2],
    ({ while_, full }, b) => {
      const left = full({ shape: [], value: 3 });
      while_(left, 2, () => left.becomes(left.subtract(1)));
      return [b];
    },
    "must",
  ),
  recursion_shares_locals: told([2], ({ procedure, call, if_, full }, b) => {
    const parameters = [
      { name: "n", kind: "value", shape: [] },
      { name: "w", kind: "reference", shape: [2] },
    ] as const;
    const down = procedure(
      "down",
      parameters,
      (n, w) => {
        if_(n, () => {
          call({ name: "down", results: [] }, n.subtract(1), w);
          if ("isReference" in w) w.update("add", n);
        });
        return [];
      },
      [],
    );
    call(down, full({ shape: [], value: 2 }), b);
    return [b];
  }),
  reference_parameter_whole: told([3], ({ procedure, call }, b) => {
    const twice = procedure("twice", [{ name: "r", kind: "reference", shape: [2] }], (r) => {
      if ("isReference" in r) r.update("multiply", 2);
      return [];
    });
    call(twice, b.view(slice(1, 2)));
    return [b];
  }),
  no_grad_ignored_for_buffers: told([2], ({ noGrad, buffer, procedure, call }, b) => {
    const given = procedure("given", [{ name: "r", kind: "reference", shape: [2] }], (r) => [r]);
    const y = b.multiply(2);
    noGrad(() => {
      const [same = y] = call(given, buffer(b));
      y.becomes(same);
    });
    return [y];
  }),
  no_grad_ends_at_calls: told([2], ({ noGrad, procedure, call }, b) => {
    const squared = procedure("squared", [{ name: "r", kind: "reference", shape: [2] }], (r) => {
      if ("isReference" in r) r.update("multiply", r);
      return [];
    });
    noGrad(() => call(squared, b));
    return [b];
  }),
  effect_twice: told([2], ({ checkpoint, send }, b) => {
    checkpoint(() => {
      b.update("multiply", b);
      send("out", b);
    });
    return [b];
  }),
  receive_twice: told([2], ({ checkpoint, receive }, b) => {
    checkpoint(() => b.update("multiply", receive("in", [2])));
    return [b];
  }),
  received_again: told([2], ({ receive }, b) => {
    for (let i = 0; i < 2; i++) b.update("multiply", receive("in", [2]));
    return [b];
  }),
  mask_redrawn: told([2], ({ checkpoint, draw }, b) => {
    checkpoint(() => b.update("multiply", draw({ kind: "uniform" }, [2])));
    return [b];
  }),
  differentiate_wrt_off_by_one: told([2], ({ procedure, derivative }, b) => {
    const parameters = [
      { name: "u", kind: "value", shape: [2] },
      { name: "v", kind: "value", shape: [2] },
    ] as const;
    const product = procedure("product", parameters, (u, v) => [u.multiply(u).multiply(v)]);
    return [derivative(product, { mode: "vjp", of: 0, wrt: 0 }, b, b.add(1), b.add(2))];
  }),
  sent_is_looked_at_later: told([2], ({ send }, b) => {
    send("out", b);
    b.update("add", 1);
    return [b];
  }),
  buffer_shares_location: told([2], ({ buffer }, b) => {
    const copy = buffer(b);
    b.update("add", 1);
    return [copy];
  }),
  alias_missed_after_broadcast: told([2], (_, b) => {
    const rows = b.view({ kind: "broadcast", shape: [2, 2] });
    b.update("add", 1);
    return [rows.read()];
  }),
  loop_backwards: told([2], ({ for_ }, b) => {
    for_(2, (i) => {
      b.update("multiply", 3);
      b.update("add", i);
    });
    return [b];
  }),
  branch_decided_again: told([], ({ if_, buffer, full }, b) => {
    const c = buffer(b);
    const [two, three] = [2, 3].map((value) => full({ shape: [], value }));
    if (two === undefined || three === undefined) return [];
    if_(
      b,
      () => c.update("multiply", two),
      () => c.update("multiply", three),
    );
    b.write(0);
    return [c];
  }),
  argument_without_past: told([2], ({ procedure, call }, b) => {
    const square = procedure("square", [{ name: "v", kind: "value", shape: [2] }], (v) => [v.multiply(v)]);
    return call(square, b);
  }),
  detach_of_reference_reads_alone: told([2], (_, b) => {
    const square = b.multiply(b);
    b.detached().write(square);
    return [b];
  }),
  detached_write_raises_no_version: told([2], (_, b) => {
    const square = b.multiply(b);
    b.detached().update("add", 1);
    return [square];
  }),
  detach_lost_by_view: told([2], (_, b) => {
    const first = b.detached().at(0);
    return [first.multiply(first)];
  }),
};

/** By mutant, the first random program of {@link TOLD_SEED} that tells it: what is not here none of 2,000 tells. */
export const toldAt: Readonly<Record<string, number>> = {
  aliasing_results_share_seeds: 0,
  buffer_without_tangent: 0,
  cotangent_first_alone: 0,
  cotangent_replaced: 0,
  detach_keeps_tangent: 0,
  detach_leaks_in_reverse: 0,
  gradient_of_whole_write_lost: 0,
  no_grad_ignored: 0,
  no_grad_ignored_for_writes: 0,
  repeated_result_seeded_once: 0,
  tangent_added: 0,
  tangent_not_written: 0,
  tangent_of_zero_kept: 0,
  alias_missed_after_reshape: 1,
  alias_missed_after_slice: 1,
  copy_too_late: 1,
  copy_too_shallow: 1,
  first_overwritten_alone: 1,
  forbids_whole_writes_alone: 1,
  gradient_beside_written_lost: 1,
  gradient_of_overwritten_kept: 1,
  gradient_of_written_lost: 1,
  last_element_not_written: 1,
  old_value_after_write: 1,
  read_gives_back_backwards: 1,
  read_offset_lost_in_reverse: 1,
  read_without_offset: 1,
  recalled_from_start: 1,
  saved_once_per_place: 1,
  session_keeps_state: 1,
  state_without_last_element: 1,
  tangent_written_at_start: 1,
  update_forgets_old_value: 1,
  version_late: 1,
  version_of_another: 1,
  version_of_views_skipped: 1,
  version_through_views_skipped: 1,
  view_of_view_begins_anew: 1,
  views_unwatched: 1,
  watched_at_offset_zero: 1,
  write_without_offset: 1,
  written_gradient_from_start: 1,
  written_offset_lost_in_reverse: 1,
  first_turn_not_swept: 2,
  last_turn_not_swept: 2,
  loop_one_turn_less: 2,
  loop_one_turn_more: 2,
  no_grad_sticks: 2,
  rebinding_without_past: 2,
  while_once_more: 2,
  buffer_shares_value: 3,
  checkpoint_drops_cotangent: 3,
  checkpoint_from_current_memory: 3,
  checkpoint_is_constant: 3,
  run_again_in_place: 3,
  sent_twice: 3,
  differentiate_mode_swapped: 4,
  differentiate_tangent_zero: 4,
  generator_advanced_twice: 4,
  gradient_of_written_part_lost: 4,
  same_operand_once: 4,
  scalar_write_lost: 4,
  session_begins_where_the_last_ended: 4,
  session_generator_not_kept: 4,
  session_state_not_kept: 4,
  update_operands_swapped: 4,
  while_decided_once: 4,
  condition_is_truncated: 5,
  detach_freezes_location: 5,
  detach_of_reference_ignored: 5,
  alias_missed_after_permute: 6,
  keyed_draw_advances: 6,
  keyed_draw_ignores_key: 6,
  last_operand_lost: 6,
  maximum_in_tie_both: 6,
  permutation_lost_in_reverse: 6,
  read_is_looked_at_later: 6,
  read_strides_lost_in_reverse: 6,
  read_without_strides: 6,
  retain_copies: 6,
  write_without_strides: 6,
  reshape_ends_gradient: 7,
  seen_twice_counted_once: 7,
  rebound_in_block_alone: 8,
  otherwise_ignored: 10,
  differentiate_point_constant: 12,
  run_again_from_zero: 12,
  reference_parameter_copied: 13,
  draw_leaks: 19,
  mask_drawn_once_per_shape: 19,
  mask_keeps_with_rate: 19,
  alias_missed_after_diagonal: 27,
  generator_key_used: 35,
  key_words_swapped: 35,
  same_view_watched: 35,
  detach_copies: 44,
  condition_must_be_positive: 46,
  generator_stands_still: 52,
  checkpoint_swept_twice: 58,
  no_grad_ends_at_calls: 99,
  contained_watched: 107,
  copy_of_written_alone: 107,
  counter_from_one: 151,
  loop_backwards: 151,
  effect_twice: 198,
  counter_index_ignored: 227,
  retained_backwards: 239,
  retains_first_execution: 239,
  received_again: 308,
  detach_lost_by_view: 333,
  detach_of_reference_reads_alone: 437,
  overlapping_write: 566,
  alias_made_by_reshape: 628,
  first_element_watched: 694,
  reference_parameter_whole: 786,
  detached_write_raises_no_version: 851,
};

/** The seed of the random programs. */
export const TOLD_SEED = 1;
