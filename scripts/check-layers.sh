#!/usr/bin/env bash
# Checks that the modules keep to their walls, that the scripts parse, that the links lead somewhere, that the files of
# changes have their form, and that words are spelled the American way; prints the number of tokens of Sources.
# The rules are in check-layers.py, changelog.py and .codespellrc; each mistake is one line, FILE:LINE: what is wrong.
set -euo pipefail
cd "$(dirname "$0")/.."

mistakes=0
for script in scripts/*.sh Benchmarks/*.sh Tests/Schedulers/*.sh .ci/run; do
  [[ -e $script ]] || continue
  bash -n "$script" || mistakes=1
done
for script in scripts/*.py Benchmarks/*.py Tests/Schedulers/*.py Tests/Readers/*.py packaging/mediabatch-verify; do
  [[ -e $script ]] || continue
  python3 - "$script" <<'PYTHON' || mistakes=1
import ast, sys
path = sys.argv[1]
with open(path, encoding="utf-8") as file:
    try:
        ast.parse(file.read(), path)
    except SyntaxError as error:
        sys.exit(f"{path}:{error.lineno}: {error.msg}")
PYTHON
done

python3 scripts/check-layers.py || mistakes=1
scripts/changelog.py --check || mistakes=1

# Not what is kept as it was written: results, frozen vectors, mistakes that tests make on purpose, other languages.
if ! command -v codespell >/dev/null; then
  echo "spelling: not checked, since codespell is missing; make lint installs it" >&2
elif git rev-parse --is-inside-work-tree &>/dev/null; then
  git ls-files -z -- . ':!Benchmarks/results' ':!docs/spec/vectors' ':!Tests/MediaManifestTests/Cases/bad' \
    ':(exclude,glob)Sources/Foundations/MediaPages/Web/languages/[!e]*' |
    xargs -0 codespell || mistakes=1
fi

scripts/tokens.sh
exit "$mistakes"
