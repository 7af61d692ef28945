"""Programs that behave badly end all the same, cost little memory, and leave nothing behind."""

import os
import shlex
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import psutil
import pytest

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.search.run import Run
from solver.solving.strategies import make_strategy
from tests.process import MAIN
from tests.web.serving import until
from verify import judge

ANSWER = Path(__file__).resolve().parents[2] / "examples" / "answer.txt"
CAT = f"cat {shlex.quote(str(ANSWER))}; echo"
NUMBER = str(10_000_000 + os.getpid())
LONG = f"sleep {NUMBER}"  # what a test looks for afterwards
# bytes without letters, which by chance would be the names of fields
NOISE = r"LC_ALL=C tr -cd '\n\200-\377' <"

pytestmark = pytest.mark.usefixtures("posix")


def shell(script: str) -> str:
    return f"command:sh -c {shlex.quote(script)}"


def left() -> list[int]:
    """What lives on of the programs that this process has started, in whatever environment."""
    found = []
    for process in psutil.process_iter():
        try:
            ours = NUMBER in process.cmdline()
        except psutil.Error:
            continue
        if ours and process.status() != psutil.STATUS_ZOMBIE:
            found.append(process.pid)
    return found


@pytest.mark.parametrize(
    "script",
    [
        f"{CAT}; exec >&-; {LONG}",  # closes its output
        f"{CAT}; {LONG} &",  # a child holds the pipe
        f"{CAT}; setsid {LONG} & {LONG}",  # a child leaves the session
        f"{CAT}; setsid setsid env -i /bin/{LONG} & {LONG}",  # and forgets who has started it
        # and closes its streams
        f"{CAT}; setsid setsid env -i /bin/{LONG} >/dev/null 2>&1 </dev/null &",
        f"{CAT}; trap '' INT TERM; kill -INT $PPID; kill -TERM $PPID; {LONG}",  # signals its keeper
        f"trap '' TERM; {CAT}; while :; do {LONG}; done",  # ignores the request to exit
        f"{CAT}; kill -STOP $PPID; setsid {LONG}",  # stops its keeper
        f"while :; do {CAT}; done",  # answers without end
        f"{CAT}; cat /dev/zero",  # a line without an end
        f"{CAT}; cat /dev/zero >&2",  # complains without end
        f"{CAT}; kill -SEGV $$",  # crashes
        f"{CAT}; kill -STOP $$",  # stands still
        f"{CAT}; while :; do {LONG} & setsid {LONG} & sleep 0.1; done",  # multiplies
    ],
    ids=map(str, count()),  # the number in the scripts is another one in each process
)
def test_a_good_answer_counts_whatever_the_program_does_then(
    challenge: Problem, script: str
) -> None:
    import resource

    make_strategy(shell(CAT)).search(
        challenge, Run()
    )  # what a first run loads is not the program's
    run = Run(seconds=0.5)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    make_strategy(shell(script)).search(challenge, run)
    assert run.incumbent.score == 1042
    assert len(run.trace) == 1
    assert run.elapsed < 500  # the programs above sleep for longer, or never end
    assert left() == []
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 50_000_000 / (
        1 if sys.platform == "darwin" else 1024
    )


@pytest.mark.parametrize(
    ("script", "what"),
    [
        ("exit 7", "it exited with code 7"),
        ("kill -SEGV $$", "it was killed by SIGSEGV"),
        (LONG, "it was asked to exit"),
        (f"exec 0<&- 1>&- 2>&-; {LONG}", "it closed its output, continued, and was killed"),
        ("printf '\\n\\n0 b b\\n\\n0 c c\\n\\n'", "line 3 of its output"),
        (f"{NOISE} /dev/urandom", "it printed no turn: line "),
        ("printf 'a\\033]0;owned\\007\\n'; printf '\\033[31mred' >&2", r"\x1b[31mred"),
        ("echo first >&2; yes complaint >&2", "complaint"),
        ("head -c 100000 /dev/urandom >&2", "it printed no turn; it exited with code 0"),
    ],
    ids=map(str, count()),
)
def test_without_a_valid_answer_the_first_fault_is_reported_with_the_end_of_standard_error(
    challenge: Problem, script: str, what: str
) -> None:
    run = Run(seconds=0.4)
    with pytest.raises(StrategyError) as refused:
        make_strategy(shell(script)).search(challenge, run)
    message = str(refused.value)
    assert "no valid answer from sh -c" in message
    assert what in message
    assert "\x1b" not in message
    assert len(message) < 1_500
    assert len(run.notes["standard_error"]) <= 2_000
    assert left() == []


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_a_program_ends_with_whoever_started_it(name: str) -> None:
    process = subprocess.Popen(
        [*MAIN, "solve", "--strategy", shell(f"{CAT}; {LONG}")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert until(lambda: len(left()) > 0, 60)
    process.send_signal(signal.Signals[name])
    out, err = process.communicate(timeout=60)
    assert until(lambda: left() == [], 60)
    if name == "SIGTERM":
        assert process.returncode == 130, err
        assert judge(out).score == 1042


def test_at_ctrl_c_a_program_is_asked_to_exit_and_its_last_word_counts(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    last = f"trap '{CAT}; exit' TERM; touch {ready}; while :; do sleep 0.05; done"
    process = subprocess.Popen(
        [*MAIN, "solve", "--strategy", shell(last)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert until(ready.exists, 60)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert judge(out).score == 1042


def test_the_message_for_a_script_without_its_first_line_says_what_it_lacks(
    challenge: Problem, tmp_path: Path
) -> None:
    script = tmp_path / "script"
    script.write_text("cat answer.txt\n")
    script.chmod(0o755)
    with pytest.raises(
        StrategyError, match=r"Exec format error\): a script begins with a line such as #!/bin/sh$"
    ):
        make_strategy(f"command:{script}").search(challenge, Run())
