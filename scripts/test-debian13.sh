#!/usr/bin/env bash
# Runs README's commands, the Debian package and the tests on Debian 13, in a tree of debootstrap.
#
# scripts/test-debian13.sh [short]   Needs root: see scripts/debian-tree.sh, which makes the tree and
# takes down all that is mounted. A new clone of HEAD is built there, or, where this is no clone, a copy of
# the sources. "short" leaves the tests out: make run, make deb, the installed package with the demo, doctor.
# MEDIABATCH_CORPUS is handed on.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1-} != inside ]]; then
  exec scripts/debian-tree.sh trixie bash /checkout/scripts/test-debian13.sh inside "${1-all}"
fi

amount=$2
source=/root/mediabatch
scripts/copy-sources.sh "$source"
cd "$source"
echo "debian13: Debian $(</etc/debian_version), $(swift --version 2>/dev/null | head -n 1)"

make run
make deb
scripts/use-package.sh "$PWD"/.build/deb/mediabatch_*.deb

if [[ $amount == all ]]; then make test; fi
echo "debian13: all as it must be"
