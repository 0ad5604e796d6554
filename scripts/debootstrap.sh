# Sourced by the scripts that make a tree of Debian: container.sh, test-deb.sh and debian-tree.sh.
# shellcheck shell=bash

# Ends a script that cannot do its work here, and says why; $without is what was left undone. With MUST_RUN it fails.
skip() {
  echo "SKIPPED: $(basename "$0" .sh): $1; ${without:?}" >&2
  [[ -z ${MUST_RUN-} ]] || exit 77
  exit 0
}

# Prints the name of this machine's release of Debian.
codename() { sed -n 's/^VERSION_CODENAME=//p' /etc/os-release; }

# Prints the mirror to take packages from: MIRROR, or the first of this machine for which a filter of
# apt-get indextargets holds, or Debian's own.
mirror() {
  local found=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' "$1" | sed -n 1p)}
  echo "${found:-http://deb.debian.org/debian}"
}
