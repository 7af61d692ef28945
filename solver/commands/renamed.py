"""Old names on the command line: those of version 1 that go on working in version 2, and what has replaced the others."""

import re
from collections.abc import Sequence
from itertools import takewhile

from solver.errors import RowdrawError

_OF_PACKAGE = re.compile("(?:greedy|beam|widening|exact|refined)(?::.*)?", re.DOTALL)  # strategies

_WITH_FORCE = {"--html", "--collect", "merge"}

RENAMED = {
    "compare --executor dask": "--scheduler local",
    "compare --executor process": "",
    "compare --force": "--again",
    "show --html PAGE": "--format html -o PAGE",
    "show --svg PICTURE": "--format svg -o PICTURE",
    "solve --executor dask": "--scheduler local",
    "solve --executor threads": "",
    "solve --width N": "--strategy beam:width=N",
}
"""The new words for an option with its value, by command. A value in capitals stands for any."""
GONE = {
    "compare --list-strategies": "`rowdraw solve --list-strategies`",
    "hunt": "`rowdraw solve PUZZLE --time SECONDS -o FILE`, which keeps the best answer",
    "lab bench": "`python tools/bench.py` in a clone",
    "lab games": "`python tools/games.py` in a clone",
    "lab learn": "`python tools/learn.py` in a clone",
    "lab leaves": "`python tools/leaves.py` in a clone",
    "lab optima": "`python tools/optima.py` in a clone",
    "lab sweep": "`rowdraw solve PUZZLE --prove`",
    "lab": "the folder `tools` of a clone",
    "records --toml": "`python tools/record_book.py` in a clone",
    "solve --bound": "`rowdraw bound PUZZLE --time SECONDS`",
    "solve --refine-workers": "`rowdraw solve --strategy refined:workers=N`",
    "verify --html": "`rowdraw verify --format html > PAGE`",
}


def with_new_names(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words of a command line, from the command on, with new names for old ones, and a message for each.

    Raises `RowdrawError` that says what has replaced a command or an option that is gone.
    """
    command, *words = arguments
    named = {command, *(word.partition("=")[0] for word in words)}
    for old, new in GONE.items():
        if named >= set(old.split()) and old.startswith(command):
            raise RowdrawError(f"`rowdraw {old}` is now {new}")
    messages: list[str] = []
    for old, new in RENAMED.items():
        name, option, value = [*old.split(), ""][:3]
        # where nothing runs again, this option has its new meaning
        is_other = command != name or (
            old == "compare --force" and not _WITH_FORCE.isdisjoint(named)
        )
        found = None if is_other else _without(words, option, value)
        if found is None:
            continue
        others = {word.partition("=")[0] for word in found[0]}
        if (
            new.startswith("--format")
            and value
            and others & {"-o", "--output", "--format", "--json"}
        ):
            raise RowdrawError(f"`rowdraw {command}` writes one form: expected a command for each")
        words, given = found
        own = [word.replace(value, given) if value else word for word in new.split()]
        words = [*own, *words] if own[:1] != ["--strategy"] else _with_setting(words, own[1])
        messages.append(f"`rowdraw {old}` is now `{new or 'the default'}`")
    return [command, *words], messages


def _without(words: Sequence[str], option: str, value: str = "") -> tuple[list[str], str] | None:
    """Return the words without an option and its value, and this value; None if the option is not there.

    `value` is the value that the option must have; a word in capitals stands for any, and no word for an option without one.
    """
    for place, word in enumerate(takewhile(lambda word: word != "--", words)):
        name, sign, given = word.partition("=")
        if name != option:
            continue
        if not value:
            return [*words[:place], *words[place + 1 :]], ""
        end = place + (1 if sign else 2)
        given = given if sign else "".join(words[place + 1 : end])
        if value.isupper() or given == value:
            return [*words[:place], *words[end:]], given
    return None


def _with_setting(words: Sequence[str], strategy: str) -> list[str]:
    """Return the words with the setting of `strategy`, which joins the strategy that they name."""
    found = _without(words, "--strategy", "NAME")
    if found is None:
        return ["--strategy", strategy, *words]
    others, named = found
    setting = strategy.partition(":")[2]
    if not _OF_PACKAGE.fullmatch(named):
        raise RowdrawError(
            f"`--width` is now a setting of a strategy, such as `beam:width=1000`, which {named} is not"
        )
    return ["--strategy", f"{named}{',' if '=' in named else ':'}{setting}", *others]
