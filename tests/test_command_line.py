"""What all commands have in common: help, completion, `--quiet`, rules, and empty names."""

import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from solver.commands.cli import main, rowdraw
from solver.commands.running import is_quiet
from tests.conftest import RunCommand

NARROW = 63  # characters that a summary may have in a terminal of 80 columns


def commands(
    group: click.Group, before: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in group.commands.items():
        yield (*before, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*before, name))


ALL = dict(commands(rowdraw))
# commands that read an answer, whose file comes last
READING = [["verify"], ["show"], ["analyse"], ["solve", "--strategy", "beam:width=9", "--after"]]


@pytest.mark.parametrize("command", ALL.values(), ids=map(" ".join, ALL))
def test_the_summary_of_a_command_is_not_cut_off(command: click.Command) -> None:
    summary = command.get_short_help_str(NARROW)
    assert summary
    assert not summary.endswith("...")


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_help_explains_every_command(names: tuple[str, ...], run: RunCommand) -> None:
    assert "--quiet" in run(*names, "--help").out


def completed(words: str) -> list[tuple[str, str]]:
    """Value and type of what the shell is offered for the last word, which may be empty."""
    shell = ShellComplete(rowdraw, {}, "rowdraw", "_ROWDRAW_COMPLETE")
    *before, last = words.split(" ")
    return [(item.value, item.type) for item in shell.get_completions(before, last)]


@pytest.mark.parametrize(
    "words",
    [
        "verify ",
        "verify a.txt ",
        "show ",
        "show a.txt --against ",
        "analyse ",
        "solve ",
        "solve --after ",
        "solve --strategy ",
        "solve --words ",
        "play --resume ",
        "compare --puzzles ",
        "best abc --words ",
        "scrabble score abc --tiles ",
        "scrabble play --words ",
    ],
)
def test_files_are_completed(words: str) -> None:
    assert ("", "file") in completed(words)


@pytest.mark.parametrize("before", ["verify --", "verify -q --", "-q verify --"])
def test_the_referee_reads_all_its_arguments_itself(
    before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: RunCommand
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-x.txt").write_text("6 s?l?mnized solemnized\n")
    assert run(*before.split(), "-x.txt").out.startswith("-x.txt: valid, ")


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("solve --strategy wid", "widening"),
        ("solve --strategy command-", "command-json:"),
        ("compare --strategies be", "beam"),
        ("compare --puzzles shuffled-2", "shuffled-20"),
        ("scrabble play --tiles ice", "icelandic"),
        ("scrabble score abc --tiles ice", "icelandic"),
        ("scrabble play --words en", "enable1"),
        ("puzzle shuffle --of chal", "challenge"),
        ("analyse a.txt --puzzle chal", "challenge"),
        ("verify --expl", "--explain"),
        ("scrabble verify a.gcg --tile", "--tiles"),
        ("show a.gcg --rules wes", "wespa"),
        ("puzzle show chal", "challenge"),
        ("solve --words en", "enable1"),
        ("show a.gcg --words b", "bin"),
    ],
)
def test_names_are_completed(words: str, value: str) -> None:
    assert [item for item, kind in completed(words) if kind == "plain"] == [value]


def test_a_quiet_command_prints_its_answer_and_its_errors_alone(run: RunCommand) -> None:
    solve = ["solve", "--row", "tea?setsoat", "--strategy", "greedy"]
    loud = run(*solve)
    assert "confirmed by the referee" in loud.err
    for quiet in (["-q", *solve], [*solve, "--quiet"]):
        assert run(*quiet) == (loud.out, "")
        assert not is_quiet()
    assert "nowhere: no such puzzle" in run("solve", "nowhere", "-q", code=2).err
    printed = run("best", "a1", "abc", "-q", code=2)
    assert printed.out.startswith("abc")
    assert "'1' at place 2" in printed.err


def test_a_quiet_referee_prints_its_verdicts_and_what_cannot_be_read(
    tmp_path: Path, run: RunCommand
) -> None:
    (tmp_path / "none.txt").write_text("hello")
    (tmp_path / "some.txt").write_text("6 s?l?mnized solemnized\n")
    for quiet in ((), ("-q",)):
        printed = run("verify", tmp_path, *quiet)
        assert "valid, 141 points" in printed.out
        assert ("without an answer" in printed.err) == (not quiet)
    assert "cannot be read" in run("verify", tmp_path / "gone.txt", "-q", code=2).err


@pytest.mark.parametrize(
    "command",
    [
        "solve ''",
        "solve --words ''",
        "solve --after ''",
        "solve -o ''",
        "bound ''",
        "bound --results ''",
        "verify ''",
        "verify a.txt --puzzle ''",
        "verify a.txt --words ''",
        "show ''",
        "analyse ''",
        "play --save ''",
        "play --resume ''",
        "scrabble play --words ''",
        "compare -o ''",
        "compare --merge '' -o x",
        "compare --results '' -o x",
    ],
)
def test_an_empty_name_is_not_the_working_folder(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: RunCommand
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("6 s?l?mnized solemnized\n")
    printed = run(*shlex.split(command), code=2).err
    assert "is empty" in printed
    assert "Is a directory" not in printed


@pytest.mark.parametrize(
    "command", ["play --resume -", "scrabble play --save -", "solve --keep -", "bound --start -"]
)
def test_a_stream_is_refused_where_a_file_is_kept_or_read_twice(
    command: str, run: RunCommand
) -> None:
    assert "not a stream" in run(*shlex.split(command), code=2).err


def test_a_puzzle_by_other_rules_is_solved_and_judged_by_them(
    tmp_path: Path, run: RunCommand
) -> None:
    rules = ["--row", "tea? se\ntsoat", "--rack", "5", "--values", "q=15, e=3"]
    answer = str(tmp_path / "a.txt")
    run("solve", *rules, "-o", answer)
    said = run("verify", answer).out
    assert "valid, 49 points" in said
    assert "rack 5, letter values of its own (e=3 q=15)" in said
    assert json.loads(run("bound", *rules, "--json").out)["bound"] >= 49


def test_a_puzzle_is_printed_as_the_file_that_it_can_be_read_from(
    tmp_path: Path, run: RunCommand
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(run("puzzle", "show", "shuffled-03").out)
    assert run("puzzle", "show", mine).out == mine.read_text()
    assert "shuffled-03" in json.loads(run("puzzle", "list", "--json").out)


def test_a_bundled_list_is_named_wherever_a_file_of_words_is(
    tmp_path: Path, run: RunCommand
) -> None:
    answer = tmp_path / "a.txt"
    words = ("--words", "enable1")
    run("solve", "--row", "tea?setsoat", "--strategy", "greedy", *words, "-o", answer)
    assert "# words" not in answer.read_text()
    answer.write_text(answer.read_text().replace("# row", "# words own 0123\n# row"))
    for command in READING:
        run(*command, answer, *words)
    run("best", "teas", *words)
    assert json.loads(run("can", "teas", "seat", "--json").out)["play"] == "seat"
    assert "needs l" in json.loads(run("can", "teas", "seal", "--json", code=1).out)["lack"]


def test_one_answer_of_a_file_is_named_alike_by_all_commands(
    tmp_path: Path, run: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text(
        "# row tea?setsoat\n9 ?oattests coattests\n\n# row seatea\n6 seat seat\n"
    )
    for command in READING:
        assert "seat" in run(*command, "a.txt#2").out
        assert "2 answers" in run(*command, "a.txt#3", code=2).err


def test_a_bound_says_what_the_record_book_knows(run: RunCommand) -> None:
    known = "the best known answer has 1042 points, which is optimal"
    quick = ("--time", "0.1")
    assert f"rowdraw: record book: {known}\n" in run("bound", *quick).err
    assert "record book" not in run("bound", "--row", "tea?setsoat", *quick).err


def test_one_of_a_thing_is_not_several(tmp_path: Path, run: RunCommand) -> None:
    answer = tmp_path / "a.txt"
    answer.write_text("# row ab\n# values a=1\n2 ab ab\n")
    for command in ("verify", "show"):
        assert "1 point in 1 turn" in run(command, answer).out
    shown = run("show", answer, "--format", "markdown").out
    assert "1 point in 1 turn on" in shown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_word_that_is_not_text_is_completed_as_the_bytes_that_it_is(
    shell: str, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setenv("_ROWDRAW_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", os.fsdecode(b"rowdraw verify \xff"))
    monkeypatch.setenv("COMP_CWORD", os.fsdecode(b"\xff") if shell == "fish" else "2")
    with pytest.raises(SystemExit) as ended:
        main([])
    assert not ended.value.code
    assert b"\xff" in capfdbinary.readouterr().out


@pytest.mark.parametrize(
    ("asked", "words", "message"),
    [
        ("foo", "", "expected a shell and a request, such as bash_source or bash_complete"),
        ("bash_foo", "", "expected a shell and a request"),
        ("bash_complete", "", "expected a command in COMP_WORDS"),
        ("bash_complete", "rowdraw so", "the place of a word in COMP_CWORD"),
    ],
)
def test_completion_that_is_asked_for_wrongly_says_what_was_expected(
    asked: str, words: str, message: str, monkeypatch: pytest.MonkeyPatch, run: RunCommand
) -> None:
    monkeypatch.setenv("_ROWDRAW_COMPLETE", asked)
    monkeypatch.delenv("COMP_WORDS", raising=False)
    monkeypatch.setenv("COMP_CWORD", "abc")
    if words:
        monkeypatch.setenv("COMP_WORDS", words)
    assert message in run(code=2).err


def test_rules_that_an_answer_overrides_are_named(tmp_path: Path, run: RunCommand) -> None:
    answer = tmp_path / "a.txt"
    answer.write_text("# row tea?setsoat\n# rack 7\n7 tea tea\n")
    note = "the answer states its own rules: going on with a row of your own, not with"
    for rules, is_told in (["--rack", "3"], True), (["--row", "seat"], True), ([], False):
        printed = run("solve", *rules, "--strategy", "beam:width=9", "--after", f"{answer}:1")
        assert "# rack 7\n" in printed.out
        assert (note in printed.err) == is_told


def test_a_list_in_a_folder_is_a_file_whatever_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: RunCommand
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("enable1").write_text("tea\n")
    solve = ("solve", "--row", "tea?setsoat", "--strategy", "greedy", "--words")
    for words, word in (("./enable1", "tea"), ("enable1", "coattests")):
        assert f" {word}\n" in run(*solve, words).out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--collect -o cmp --force", "--force replaces the page of --html"),
        ("-o cmp --html - --json", "--json and --html -"),
        ("--merge cmp", "--collect and --merge need runs that are kept"),
    ],
)
def test_options_of_a_comparison_that_cannot_hold_are_refused(
    options: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: RunCommand
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cmp").mkdir()
    assert message in run("compare", *options.split(), code=2).err


def test_two_puzzles_by_other_rules_have_folders_of_their_own(
    tmp_path: Path, run: RunCommand
) -> None:
    for rack in ("5", "6"):
        command = f"bound --rack {rack} --time 0.1 --results"
        run(*command.split(), tmp_path)
    assert len(list(tmp_path.glob("row-*/certificate.txt"))) == 2
