#!/usr/bin/env bash
# Builds the Debian package of this machine's release into .build/deb, and looks at it.
#
# scripts/deb.sh   Leaves mediabatch_VERSION_ARCHITECTURE.deb and mediabatch.cdx.json, its SBOM. Fails
# when lintian has an error or a warning, or when debian/control, debian/changelog and the sources disagree. What a
# debugger needs is in mediabatch-dbgsym_VERSION_ARCHITECTURE.deb.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/.build/deb

version=$(scripts/version.sh)
packaged=$(dpkg-parsechangelog -S Version)
if [[ $packaged != "$version" ]]; then
  echo "deb: debian/changelog has $packaged, BuildInfo.swift has $version" >&2
  exit 1
fi
listed=$(sed -n '/^Build-Depends/,/^$/s/^ \([a-z0-9.+-]*\).*/\1/p' debian/control \
  | grep -v '^debhelper' | sort)
if [[ $listed != "$(scripts/deps.sh --list build)" ]]; then
  echo "deb: Build-Depends of debian/control and the build list of scripts/deps.sh differ:" >&2
  diff <(echo "$listed") <(scripts/deps.sh --list build) >&2
  exit 1
fi

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(dpkg-parsechangelog -S Timestamp)}
export SOURCE_DATE_EPOCH
rm -rf "$folder"
mkdir -p "$folder"
# Only the binary package: the sources are a clone, not a tarball.
if ! DEB_FOLDER=$folder debian/rules binary >"$folder/build.log" 2>&1; then
  tail -n 40 "$folder/build.log" >&2
  exit 1
fi
package=$(echo "$folder"/mediabatch_*.deb)
# The camera on loopback and the rules for TCP exist in the programs of tests alone: Tests/Programs/CCameraOnLoopback.
# That the name is found where it is shows that this check can fail.
variable=MEDIABATCH_TEST_CAMERA_PORT
if grep -qaF "$variable" debian/mediabatch/usr/bin/*; then
  echo "deb: the release knows $variable, which only a build for tests may" >&2
  exit 1
fi
if [[ -x .build/test-programs/mediabatch ]] && ! grep -qaF "$variable" .build/test-programs/mediabatch; then
  echo "deb: $variable is not in the build for tests either: this check looks for another name" >&2
  exit 1
fi
cameras=$(env "$variable=9" debian/mediabatch/usr/bin/mediabatch doctor 2>&1 | grep '^cameras:' || true)
if [[ $cameras == *Responder* ]]; then
  echo "deb: the release takes a camera on loopback: $cameras" >&2
  exit 1
fi
scripts/sbom.py debian/mediabatch/usr/bin "$folder/mediabatch.cdx.json" "$folder/late.so"
debian/rules clean >/dev/null 2>&1
rm -f "$folder/late.so"

kilobytes=$(dpkg-deb -f "$package" Installed-Size)
# All tags of lintian that are errors or warnings; --info adds why when there are any.
lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$package"
echo "deb: lintian has no error and no warning"
echo "deb: $package ($(($(stat -c %s "$package") / 1024)) KiB, $kilobytes KiB installed)"
