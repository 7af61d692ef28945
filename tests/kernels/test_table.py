"""Every public kernel is called on random input, by a test next to its plain twin, or inside of what such a test calls."""

import ast
from pathlib import Path

# by what the tests call, the kernels that are too deep inside to be called alone
INSIDE = {
    "best_plays": {"rank_word"},
    "ranked_words": {"rate_words"},
    "drawn_racks": {"draw_racks"},
    "ClosedExpander": {"expand_closed", "fish"},
    "TrieExpander": {"expand_trie"},
    "children_of": {"expand_bounded"},
    "LeaveRelaxation": {
        *("block_lefts", "blocks_of", "order_block", "relax_block", "relax_last", "relax_window"),
    },
    "PlayGenerator": {
        *("anchors_of", "board_plays", "bounding_of", "child_of", "ends_of", "fill_crossings", "next_node", "no_beginnings"),
        "with_longer",
    },
    "graph_of": {"fill_lengths", "find_equals"},
}


def public_kernels(root: Path) -> set[str]:
    """The name of every kernel under `root`, in folders `kernels`, without a leading underscore."""
    return {
        node.name
        for path in root.glob("*/kernels/*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
        if {"kernel", "borrowing"} & {name.id for name in node.decorator_list if isinstance(name, ast.Name)}
    }


def named(tests: Path) -> set[str]:
    """What the files of tests on random input name outside of imports."""
    texts = [
        path.read_text(encoding="utf-8") for room in ("kernels", "solver", "table") for path in (tests / room).glob("*.py")
    ]
    nodes = [node for text in texts if "\n@given(" in text for node in ast.walk(ast.parse(text))]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def test_every_public_kernel_is_compared_on_random_input(root: Path) -> None:
    direct = named(root / "tests")
    inside = set[str]().union(*INSIDE.values())
    assert public_kernels(root / "solver") <= direct | inside
    assert inside <= public_kernels(root / "solver") - direct, "a line that nothing needs"
    assert set(INSIDE) <= direct


def test_public_kernels_are_those_with_either_decorator(tmp_path: Path) -> None:
    text = "@kernel\ndef one(): ...\n@borrowing\ndef two(): ...\n@kernel\ndef _three(): ...\ndef four(): ...\n"
    (tmp_path / "room/kernels").mkdir(parents=True)
    (tmp_path / "room/kernels/some.py").write_text(text)
    assert public_kernels(tmp_path) == {"one", "two"}
