"""Every public kernel, its plain twin, and the test that compares the two on random input."""

from typing import NamedTuple


class Pair(NamedTuple):
    """A kernel (module and function in a folder `kernels` of solver), its twin and its test (in tests).

    caller: what the test calls in its place, where a kernel is too deep inside to be called alone.
    """

    kernel: str
    twin: str
    test: str
    caller: str = ""


PACKING, INDEX, LAYERS = "kernels.test_packing", "kernels.test_index", "kernels.test_layers"
SWEEPING = "kernels.test_sweep_kernels"
PLAYS, TURNS = "kernels.test_relaxed_plays", "kernels.test_relaxed_turns"
WORTH = "test_the_relaxed_game_is_worth_what_a_recursion_finds"
GENERATOR, TRYING = "table.test_generator", "table.twins.plays_by_trying"
ALL_PLAYS = f"{GENERATOR}.test_all_plays_are_found_each_once_with_its_points"
EQUITY = f"{GENERATOR}.test_the_equity_of_a_play_is_its_points_and_what_its_leave_is_worth"
GRAPH = f"{GENERATOR}.test_a_graph_of_words_has_a_node_for_each_set_of_continuations"
OLD_KERNELS, EXPANSION = "solver.test_kernels", "solver.test_expansion"

TABLE = (
    Pair(
        "best_plays.best_plays", "kernels.twins.ranking", f"{INDEX}.test_best_plays_are_the_first_of_all_that_the_rack_allows"
    ),
    Pair(
        "best_plays.node_reaches",
        "kernels.twins.best_below",
        f"{INDEX}.test_a_node_reaches_the_best_score_below_it",
        "with_reaches",
    ),
    Pair(
        "best_plays.rank_word",
        "kernels.twins.ranking",
        f"{INDEX}.test_best_plays_are_the_first_of_all_that_the_rack_allows",
        "best_plays",
    ),
    Pair("best_plays.word_score", "reference.play_score", f"{OLD_KERNELS}.test_word_score_gives_blanks_to_the_earliest_copies"),
    Pair("anchors.anchors_of", TRYING, ALL_PLAYS, "PlayGenerator"),
    Pair("anchors.bounding_of", TRYING, ALL_PLAYS, "PlayGenerator"),
    Pair("anchors.ends_of", TRYING, ALL_PLAYS, "PlayGenerator"),
    Pair("board_lines.fill_crossings", TRYING, ALL_PLAYS, "PlayGenerator"),
    Pair("board_plays.board_plays", TRYING, ALL_PLAYS, "PlayGenerator"),
    Pair(
        "build_closed.close_under_blanks",
        "reference.best_by_tiles",
        f"{INDEX}.test_words_closed_under_blanks_are_their_best_plays",
    ),
    Pair(
        "build_closed.first_code", "kernels.twins.first_tile", f"{PACKING}.test_a_packed_multiset_is_taken_apart_tile_by_tile"
    ),
    Pair(
        "build_closed.without_first",
        "kernels.twins.packed_rest",
        f"{PACKING}.test_a_packed_multiset_is_taken_apart_tile_by_tile",
    ),
    Pair("build_trie.build_trie", "kernels.twins.trie", f"{INDEX}.test_a_trie_is_all_beginnings_in_order"),
    Pair("closed_index.fill_filter", "kernels.twins.filtered", f"{INDEX}.test_a_filter_holds_the_largest_entry_of_each_place"),
    Pair("closed_index.fill_slots", "kernels.twins.filled_table", f"{INDEX}.test_every_play_stands_in_the_first_free_slot"),
    Pair("closed_index.hashes_of", "kernels.twins.hash_of", f"{INDEX}.test_a_hash_is_the_sum_of_those_of_the_tiles"),
    Pair(
        "closed_index.needed_entry",
        "kernels.twins.least_entry",
        f"{INDEX}.test_the_needed_entry_is_the_first_that_may_stand_for_the_worth",
    ),
    Pair("closed_index.rate_plays", "kernels.twins.ratings", f"{INDEX}.test_a_rating_has_as_many_steps_as_a_byte_and_no_more"),
    Pair(
        "closed_index.settled_slot",
        "kernels.twins.settled_place",
        f"{INDEX}.test_a_search_settles_on_the_mark_or_on_an_empty_slot",
    ),
    Pair("draw_racks.draw_racks", "reference.draws", f"{EXPANSION}.test_draws_of_a_state_are_those_of_the_game", "drawn_racks"),
    Pair(
        "expand_closed.expand_closed",
        "reference.best_by_tiles",
        f"{EXPANSION}.test_children_of_a_rack_are_its_plays_above_the_cut",
        "ClosedExpander",
    ),
    Pair(
        "expand_trie.expand_trie",
        "reference.best_by_tiles",
        f"{EXPANSION}.test_children_of_a_rack_are_its_plays_above_the_cut",
        "TrieExpander",
    ),
    Pair(
        "expand_trie.rack_plays",
        "reference.best_by_tiles",
        f"{OLD_KERNELS}.test_spending_blanks_finds_the_best_play_of_every_multiset",
    ),
    Pair(
        "fishing.fish",
        "reference.draws",
        f"{EXPANSION}.test_fishing_finds_every_pair_of_plays_of_which_the_second_leaves_a_tile_at_most",
        "ClosedExpander",
    ),
    Pair("fishing.new_scratch", "kernels.twins.scratch_sizes", f"{LAYERS}.test_there_is_room_for_every_draw_less_every_tile"),
    Pair("fitting_plays.fitting_plays", "kernels.twins.fitting", f"{INDEX}.test_fitting_plays_need_no_tile_too_often"),
    Pair(
        "hashing.first_slot",
        "kernels.twins.first_place",
        f"{INDEX}.test_a_table_is_searched_from_the_place_that_fibonacci_hashing_says",
    ),
    Pair("hashing.log2", "kernels.twins.logarithm", f"{INDEX}.test_the_logarithm_is_that_of_a_power_of_two"),
    Pair("layer.compact", "kernels.twins.without_low", f"{LAYERS}.test_a_compacted_layer_holds_the_rest_in_order_and_finds_it"),
    Pair("layer.merge_children", "kernels.twins.merged", f"{LAYERS}.test_a_layer_keeps_the_best_child_of_each_key"),
    Pair(
        "leave_prices.leave_cell", "kernels.relaxed.cell", f"{TURNS}.test_the_price_of_a_leave_is_that_of_its_part_of_the_game"
    ),
    Pair(
        "leave_prices.leave_price",
        "kernels.relaxed.RelaxedGame",
        f"{TURNS}.test_the_price_of_a_leave_is_that_of_its_part_of_the_game",
    ),
    Pair(
        "expand_bounded.expand_bounded",
        "reference.best_by_tiles",
        f"{SWEEPING}.test_children_are_the_plays_whose_bounds_suffice",
        "children_of",
    ),
    Pair(
        "expand_bounded.fill_play_filter",
        "kernels.twins.beginnings",
        f"{SWEEPING}.test_a_filter_knows_how_the_hashes_of_plays_begin",
    ),
    *(
        Pair(
            f"rack_halves.{name}",
            "reference.best_by_tiles",
            f"{SWEEPING}.test_children_are_the_plays_whose_bounds_suffice",
            "children_of",
        )
        for name in ("new_rack", "new_half", "new_reach", "sort_by_value", "fill_half", "fill_reach")
    ),
    Pair(
        "leave_prices.lefts_in",
        "kernels.relaxed.window_lefts",
        f"{TURNS}.test_a_window_holds_all_left_draws_that_its_states_can_reach",
    ),
    Pair(
        "outlook.fill_outlook",
        "kernels.relaxed.rest_bound",
        f"{SWEEPING}.test_the_bound_of_a_state_is_that_of_its_cheapest_tiles",
    ),
    Pair(
        "outlook.lower_bounds",
        "kernels.twins.lowered",
        f"{SWEEPING}.test_a_bound_falls_to_that_of_the_lowest_focus_unless_it_is_too_low_already",
    ),
    Pair(
        "packed_states.packed", "kernels.twins.sweep_number", f"{SWEEPING}.test_a_number_holds_partition_rank_lefts_and_score"
    ),
    Pair(
        "packed_states.packed_rank",
        "kernels.twins.sweep_number",
        f"{SWEEPING}.test_a_number_holds_partition_rank_lefts_and_score",
    ),
    Pair(
        "packed_states.packed_left",
        "kernels.twins.sweep_number",
        f"{SWEEPING}.test_a_number_holds_partition_rank_lefts_and_score",
    ),
    Pair(
        "packed_states.packed_score",
        "kernels.twins.sweep_number",
        f"{SWEEPING}.test_a_number_holds_partition_rank_lefts_and_score",
    ),
    Pair("packed_states.best_of_each", "kernels.twins.best_numbers", f"{SWEEPING}.test_of_equal_states_the_best_stays"),
    Pair("packed_states.packed_racks", "reference.draws", f"{SWEEPING}.test_racks_of_states_are_those_of_the_game"),
    Pair(
        "dominance.find_dominated",
        "kernels.twins.dominated_numbers",
        f"{SWEEPING}.test_a_blank_dominates_a_letter_if_its_score_is_higher_by_the_value_of_the_letter_in_the_last_place",
    ),
    Pair("parents.possible_parents", "reference.draws", f"{SWEEPING}.test_parents_are_the_states_whose_racks_hold_the_leave"),
    Pair(
        "placed_plays.placed_plays",
        "kernels.twins.ranking",
        f"{INDEX}.test_plays_with_placed_blanks_are_the_first_of_all_that_the_rack_allows",
    ),
    Pair("placed_plays.rate_words", "kernels.twins.ranking", f"{INDEX}.test_words_are_ranked_by_what_they_can_score", "ranks"),
    Pair("placed_plays.placed_score", "kernels.twins.placed", f"{INDEX}.test_blanks_stand_where_they_score_most"),
    Pair("ranks.rank_counts", "kernels.twins.rank", f"{PACKING}.test_a_rank_counts_the_multisets_before"),
    Pair("ranks.unrank_counts", "kernels.twins.rank", f"{PACKING}.test_a_rank_is_taken_apart_into_its_tiles"),
    Pair("ranks.unrank_tiles", "kernels.twins.rank", f"{PACKING}.test_a_rank_is_taken_apart_into_its_tiles"),
    Pair(
        "relax_r1.cheapest_tiles",
        "kernels.relaxed.drawn_places",
        f"{PLAYS}.test_a_node_has_the_cheapest_tiles_that_any_of_its_draws_may_have_drawn",
    ),
    Pair("relax_r1.relax_r1", "kernels.relaxed.free_value", f"{PLAYS}.test_a_node_of_r1_has_the_best_play_of_any_drawn_tiles"),
    *(
        Pair(name, "kernels.relaxed.RelaxedGame", f"{TURNS}.{WORTH}", "LeaveRelaxation")
        for name in (
            "game_orders.block_lefts",
            "game_orders.blocks_of",
            "game_orders.order_new",
            *(f"relax_r3.relax_{part}" for part in ("last", "r3", "window")),
        )
    ),
    Pair(
        "relax_r3.fill_slack",
        "kernels.relaxed.RelaxedGame",
        f"{TURNS}.test_slack_is_what_the_best_game_through_a_state_falls_short",
        "LeaveRelaxation",
    ),
    Pair("game_orders.order_old", "kernels.relaxed.reach", f"{TURNS}.test_words_stand_by_what_they_gain_from_old_tiles"),
    Pair("relaxed_play.best_play", "kernels.relaxed.best_word", f"{PLAYS}.test_the_best_play_is_that_of_a_scan"),
    Pair("relaxed_play.fill_masks", "kernels.relaxed.masks", f"{PLAYS}.test_masks_have_a_bit_for_each_of_four_copies"),
    Pair("relaxed_play.masks_of", "kernels.relaxed.masks", f"{PLAYS}.test_masks_have_a_bit_for_each_of_four_copies"),
    Pair(
        "relaxed_play.merge_prices",
        "kernels.relaxed.merged_prices",
        f"{PLAYS}.test_new_tiles_and_old_ones_are_offered_side_by_side",
    ),
    Pair("relaxed_play.order_words", "kernels.relaxed.reach", f"{PLAYS}.test_words_stand_by_what_they_gain_at_most"),
    Pair(
        "relaxed_play.play_value", "kernels.relaxed.play_gain", f"{PLAYS}.test_a_play_gains_what_the_best_choice_of_tiles_does"
    ),
    Pair("relaxed_turn.best_turn", "kernels.relaxed.turn_gain", f"{TURNS}.test_the_best_turn_is_that_of_a_scan"),
    Pair("relaxed_turn.new_scratch", "kernels.relaxed.turn_gain", f"{TURNS}.test_the_best_turn_is_that_of_a_scan"),
    Pair(
        "sieve.fill_sieves", "kernels.twins.sieve_level", f"{INDEX}.test_a_sieve_is_as_large_as_its_plays_need_and_holds_them"
    ),
    Pair("sieve.sieve_bits", "kernels.twins.bits_of_hash", f"{INDEX}.test_a_play_sets_three_bits_of_a_sieve"),
    Pair("states.left_of", "kernels.twins.key", f"{PACKING}.test_a_key_holds_a_rank_and_left_draws"),
    Pair("states.packed_key", "kernels.twins.key", f"{PACKING}.test_a_key_holds_a_rank_and_left_draws"),
    Pair("states.packed_move", "kernels.twins.move", f"{PACKING}.test_a_move_holds_one_play_or_two"),
    Pair("states.packed_moves", "kernels.twins.move", f"{PACKING}.test_a_move_holds_one_play_or_two"),
    Pair("states.rank_of", "kernels.twins.key", f"{PACKING}.test_a_key_holds_a_rank_and_left_draws"),
    Pair("states.write_child", "kernels.twins.by_length", f"{LAYERS}.test_children_stand_by_the_tiles_that_they_have_played"),
    Pair("rack_leaves.no_beginnings", TRYING, ALL_PLAYS, "PlayGenerator"),
    Pair("rack_leaves.rack_of", "table.twins.worth_of", EQUITY, "PlayGenerator"),
    Pair("rack_leaves.with_longer", TRYING, ALL_PLAYS, "PlayGenerator"),
    Pair("word_graph.child_of", TRYING, ALL_PLAYS, "PlayGenerator"),
    Pair("word_graph.fill_lengths", "table.twins.continuations", GRAPH, "graph_of"),
    Pair("word_graph.find_equals", "table.twins.continuations", GRAPH, "graph_of"),
    Pair("word_graph.next_node", TRYING, ALL_PLAYS, "PlayGenerator"),
)
