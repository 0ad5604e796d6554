#!/usr/bin/env bash
# Runs every check that the project has, one part after another, and writes down what each took.
#
# scripts/test-all.sh [PART…]   All parts without a name; root for most of them. A part that fails does not
# end the run: its log is named, and the run ends with 1. Logs lie in .build/test-all; after a run of all
# parts, Benchmarks/results/DATE-test-all.md has their figures. FUZZ_SECONDS is the time for each fuzzed
# parser.
set -euo pipefail
cd "$(dirname "$0")/.."
# A part that is skipped must be seen as one.
export MEDIABATCH_TEST_ALL=1

# "NAME | what it does | command". The long tests have the power cuts, the mounted file systems, Chromium and
# the readers of others among them, as their tools are installed first.
all=(
  "lint | format, walls between modules, scripts, links | make lint"
  "build | the release programs | make build"
  "outputs | results for all media against those of scripts/outputs-base | scripts/compare-outputs.sh"
  "tests | every Swift test in its long form, Debian $(cut -d. -f1 </etc/debian_version) | make test"
  "photos | a Photos library against osxphotos | make test-photos"
  "schedulers | Slurm, Snakemake, GNU parallel, Kubernetes, AWS Batch, Nextflow, rclone | make test-schedulers"
  "fuzz | each parser for ${FUZZ_SECONDS:=20} s, with the address sanitizer | scripts/fuzz.sh $FUZZ_SECONDS"
  "smoke | the release as a person uses it | scripts/smoke.sh .build/release"
  "package | built, installed into a chroot, used, removed | make test-deb"
  "container | an image from an empty tree | make container"
  "debian13 | a new clone on Debian 13: demo, package, every test | env -u MEDIABATCH_TEST_ALL make test-debian13"
  "arm64 | the C shims compiled for arm64, and their tests by qemu-user | make test-arm64"
  "releases | what Debian 12 and 13 make of all media | make compare-releases"
)

scripts/deps.sh build test power mounts web readers schedulers bench lint arm64 deb test-deb releases container
scripts/web-tools.sh
scripts/readers.sh
export MEDIABATCH_TEST_WEB=1

logs=.build/test-all
mkdir -p "$logs"
rows=()
failed=()
# The sources may move while it runs.
commit=$(git rev-parse --short=8 HEAD 2>/dev/null || echo "source archive")
began=$SECONDS
for line in "${all[@]}"; do
  IFS='|' read -r name what command <<<"$line"
  name=${name// /}
  if (($#)) && [[ " $* " != *" $name "* ]]; then continue; fi
  echo "test-all: $name:$what"
  started=$SECONDS
  result=passed
  # shellcheck disable=SC2086
  if ! $command >"$logs/$name.log" 2>&1; then
    result=FAILED
    failed+=("$name")
    tail -n 20 "$logs/$name.log" >&2
  fi
  # What a part prints last are its figures.
  figures=$(grep -v '^make\[' "$logs/$name.log" | tail -n 1 | tr '|' '/' | cut -c 1-160)
  minutes=$(((SECONDS - started) * 10 / 60))
  rows+=("| $name |$what| $result: $figures | $((minutes / 10)).$((minutes % 10)) |")
  echo "test-all: $name: $result in $((SECONDS - started)) s: $figures (log: $logs/$name.log)"
done
whole=$(((SECONDS - began + 59) / 60))
echo "test-all: $whole minutes; failed: ${failed[*]:-none}"

if (($# == 0)); then
  file=Benchmarks/results/$(date +%F)-test-all.md
  {
    echo "# make test-all, $(date +%F), $commit"
    echo
    echo "$(nproc) cores, $(awk '/^MemTotal:/ { print int($2 / 1048576) }' /proc/meminfo) GiB, Debian" \
      "$(</etc/debian_version), $(swift --version 2>/dev/null | head -n 1 | sed 's/ (.*//'), Linux $(uname -r)." \
      "All parts in one go: **$whole minutes**; failed: ${failed[*]:-none}."
    echo
    echo "| part | what it does | result | minutes |"
    echo "|---|---|---|---|"
    printf '%s\n' "${rows[@]}"
    echo
    grep -h '^fuzz: .* inputs' "$logs/fuzz.log" | sed 's/^fuzz: /- /' || true
    jq -r 'to_entries[] | select(.key | test("PowerCut|MountedFolder|FolderFault|Page|GalleryCommand|Crate|Timestamp"))
      | "- \(.key): \(.value) s"' .build/test-seconds-all.json
  } >"$file"
  echo "test-all: $file"
fi
((${#failed[@]} == 0))
