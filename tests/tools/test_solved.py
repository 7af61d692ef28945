"""`tools/solved.py`: a beam on ten tiles, and the figures of the page that come from it."""

import json

import solved
from verify.files import data_folder


def test_the_figures_of_the_page_are_those_of_the_beam() -> None:
    figures = json.loads((data_folder() / "solved.json").read_text(encoding="utf-8"))
    layers = solved.beam(solved.ROW, solved.WIDTH)
    assert [layer["games"] for layer in figures["layers"]] == [len(layer) for layer in layers]
    shown = [[[line.points, [*line.words]] for line in layer[:4]] for layer in layers]
    assert [layer["first"] for layer in figures["layers"]] == shown
    assert figures["best"] >= max(line.points for layer in layers for line in layer)
