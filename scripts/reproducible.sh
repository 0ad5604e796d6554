#!/usr/bin/env bash
# Builds HEAD twice, in two new clones (of a source archive: in two copies), and compares the programs byte for
# byte. docs/install.md says what has to be the same for that.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1-}
if [[ -z $folder ]]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
for name in one two; do
  [[ -d $folder/$name ]] || scripts/copy-sources.sh "$folder/$name"
  echo "reproducible: building in $folder/$name"
  "$folder/$name/scripts/build.sh"
done

different=0
for program in mediabatch mediabatch-worker; do
  one=$folder/one/.build/release/$program
  two=$folder/two/.build/release/$program
  if cmp -s "$one" "$two"; then
    echo "reproducible: $program $(sha256sum "$one" | cut -d ' ' -f 1)"
    continue
  fi
  different=1
  echo "reproducible: $program differs in these sections:" >&2
  objdump -h "$one" | awk '$1 ~ /^[0-9]+$/ { print $2 }' | while IFS= read -r section; do
    for build in one two; do
      objcopy -O binary --only-section="$section" "$folder/$build/.build/release/$program" \
        "$folder/$build.section" 2>/dev/null || true
    done
    cmp -s "$folder/one.section" "$folder/two.section" || echo "  $section" >&2
  done
done
exit "$different"
