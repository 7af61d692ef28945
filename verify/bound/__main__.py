"""Prints the list whose hash certificates state: `python -m verify.bound [LIST] > words.txt`.

LIST is a file or the name of a bundled list.
"""

import sys

from verify.rules import RulesError, load_rules


def main(arguments: list[str]) -> int:
    """Print the words as the referee reads them; return the exit code."""
    if len(arguments) > 1:
        print("verify.bound: expected one LIST at most", file=sys.stderr)
        return 2
    try:
        rules = load_rules(words=arguments[0] if arguments else None)
    except RulesError as error:
        print(f"verify.bound: {error}", file=sys.stderr)
        return 2
    # bytes, since some systems write another end of a line in text
    sys.stdout.buffer.write("".join(f"{word}\n" for word in rules.word_list.words).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
