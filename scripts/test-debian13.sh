#!/usr/bin/env bash
# Runs README's commands, the Debian package and the tests on Debian 13, in a tree of debootstrap.
#
# scripts/test-debian13.sh [short]   Needs root: see scripts/debian-tree.sh, which makes the tree and
# takes down all that is mounted. "short" leaves the tests out: make run, make deb, the installed package with
# the demo, doctor, built once, all in a new clone of HEAD or, where this is no clone, in a copy of the sources. Without
# "short" the clone of the last time is taken to HEAD, and what it has built is used.
# MEDIABATCH_CORPUS is handed on.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1-} != inside ]]; then
  exec scripts/debian-tree.sh trixie bash /checkout/scripts/test-debian13.sh inside "${1-all}"
fi

amount=$2
source=/root/mediabatch
if [[ $amount == all && -d .git && -d $source/.git ]]; then
  head=$(git rev-parse HEAD)
  cd "$source"
  git fetch --quiet /checkout HEAD
  git checkout --quiet --force --detach "$head"
  git clean --quiet --force -d
else
  scripts/copy-sources.sh "$source"
  cd "$source"
fi
echo "debian13: Debian $(</etc/debian_version), $(swift --version 2>/dev/null | head -n 1)"

make run
# The short form builds once: its package has no debug symbols beside it.
if [[ $amount == short ]]; then export DEB_BUILD_OPTIONS=noautodbgsym; fi
make deb
scripts/use-package.sh "$PWD"/.build/deb/mediabatch_*.deb

if [[ $amount == all ]]; then make test; fi
echo "debian13: all as it must be"
