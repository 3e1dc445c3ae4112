#!/bin/sh
# A batch and a single question in a script: what the exit codes of grammax are for.
#
#     sh examples/batch.sh [FILE OF QUERIES]
set -u
queries=${1:-$(dirname "$0")/queries.txt}
parsed=$(mktemp -d)/parsed.jsonl

# A line of JSON for each query; the same command again would go on where it was interrupted.
grammax parse --file "$queries" -o "$parsed" || exit
head -n 2 "$parsed"

grammax ask "what is the meaning of life" --csv answer.csv
case $? in
    0) echo "answered: answer.csv" ;;
    3) echo "the parser would rather not say" ;;
    *) echo "something is wrong" ;;
esac
