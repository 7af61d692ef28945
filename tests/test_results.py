"""Every result file is a valid game with the score that its name and its comments claim."""

from pathlib import Path

import pytest

import checks
import optima
from verify import judge, load_rules


def test_every_solution_in_results_is_valid_with_score_and_puzzle_of_its_name(root: Path) -> None:
    checked = 0
    for folder in (root / "results").iterdir():
        for path in folder.glob("[0-9]*.txt") if folder.is_dir() else ():
            for file in (path, path.with_suffix(".json")):
                verdict = judge(file.read_bytes(), load_rules(folder.name))
                assert verdict.valid, verdict.as_text()
                assert verdict.score == int(path.stem)
            comments = [line for line in path.read_text().splitlines() if line.startswith("#")]
            assert comments == ([] if folder.name == "challenge" else [f"# puzzle {folder.name}"])
            checked += 1
    assert checked >= 1


def test_the_checks_on_file_are_of_the_certificates_on_file(root: Path) -> None:
    known = checks.JOURNAL.entries(root / "results")
    assert len(known) == len((root / "results/checks.jsonl").read_text().splitlines()) > 0
    for check in known.values():
        assert check.verdict == "holds"
        certificate = root / "results" / check.puzzle / "certificate.txt"
        assert f"end {check.certificate}" in certificate.read_text()[-100:]
        assert check.checker in checks.versions()


def test_the_digest_of_a_certificate_is_that_of_its_last_line(root: Path, tmp_path: Path) -> None:
    (tmp_path / "shuffled-01").symlink_to(root / "results" / "shuffled-01")
    last = (tmp_path / "shuffled-01" / "certificate.txt").read_text().splitlines()[-1]
    assert last.startswith(f"end {checks.digests(tmp_path)['shuffled-01']}")


@pytest.mark.parametrize("tiles", [30, 40, 50, 60, 80, 100])
def test_tables_of_optima_are_what_their_journals_say(tiles: int, root: Path) -> None:
    folder = root / f"results/optima-{tiles}"
    truths = list(optima.JOURNAL.entries(folder).values())
    assert (folder / "table.md").read_text() == optima.table(truths)
    assert all(truth.optimum is not None for truth in truths)
