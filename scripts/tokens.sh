#!/usr/bin/env bash
# Prints how many tokens of Swift Sources has: the measure of size that layout and comments do not change.
set -euo pipefail
cd "$(dirname "$0")/.."

# The parser is the toolchain's own.
program=.build/tools/tokens
if [[ ! -x $program || scripts/tokens.swift -nt $program ]]; then
  libraries=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift/host
  mkdir -p .build/tools
  swiftc -O -I "$libraries" -L "$libraries" -lSwiftParser -lSwiftSyntax -Xlinker -rpath -Xlinker "$libraries" \
    scripts/tokens.swift -o "$program"
fi
find Sources -name '*.swift' -print0 | xargs -0 "$program" | awk '{ sum += $1 } END { print "tokens of Sources: " sum }'
