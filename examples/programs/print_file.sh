# The smallest program: a line of a shell, for `command:sh programs/print_file.sh`. It hands in a file that was made before.
exec cat answer.txt
