#!/usr/bin/env bash
# Fuzzes the parsers of media, and of other files that somebody else may have written, with libFuzzer and the
# address sanitizer.
#
# scripts/fuzz.sh [SECONDS] [PARSER…]   So long for each parser, 20 by default; all without a name.
#
# It begins with what the tests plant, if they are built, and the media of the folder that
# MEDIABATCH_CORPUS names. What libFuzzer learns is kept in .build-fuzz/corpus and used the next time;
# what it finds in .build-fuzz/findings, one file each. `make clean` leaves both. To see a finding again:
#   .build-tests/debug/metadata-fuzzer PARSER FILE
# Exits 1 when there is a finding.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-20}
shift || true
parsers=("$@")
if ((${#parsers[@]} == 0)); then
  parsers=(jpeg png webp gif bmp tiff dng heif jp2 jxl picture exif xmp icc iptc movie audio film
    zip takeout sidecar aae track places photos plan export parameters credentials)
fi
folder=.build/fuzz
# Hours of fuzzing are in here: it lies outside of .build, which `make clean` removes.
kept=.build-fuzz
program=$folder/metadata-fuzzer
mkdir -p "$folder" "$kept/findings"
rm -rf "$folder/seeds"

echo "fuzz: building"
sanitizers=-sanitize=fuzzer,address
# SwiftPM would link its own main; the objects are linked here, with libFuzzer's.
if ! swift build -c release --scratch-path "$folder/build" --target metadata-fuzzer \
  -Xswiftc "$sanitizers" >"$folder/build.log" 2>&1; then
  tail -n 30 "$folder/build.log" >&2
  exit 1
fi
objects=$(swift build -c release --scratch-path "$folder/build" --show-bin-path)
mapfile -t files < <(find "$objects" -name '*.o' -path '*.build/*' -not -path '*-tool.build/*')
read -ra libraries < <(pkg-config --libs libexif libdeflate nettle hogweed zlib libseccomp sqlite3)
swiftc "$sanitizers" -use-ld=lld -o "$program" "${files[@]}" "${libraries[@]}" -lstdc++

# Without built tests there are fewer seeds, and the fuzzer needs longer for the same.
MEDIABATCH_FUZZ_SEEDS=$PWD/$folder/seeds swift test --skip-build --disable-xctest --scratch-path .build-tests \
  --filter FuzzSeedsTests >"$folder/seeds.log" 2>&1 \
  || echo "fuzz: the tests are not built: no seeds from them" >&2

# Small files only: of a large one, cut, most is picture data, and few inputs a second are tried.
if [[ -n ${MEDIABATCH_CORPUS-} ]]; then
  mkdir -p "$folder/seeds/media"
  find "$MEDIABATCH_CORPUS"/visible "$MEDIABATCH_CORPUS"/damaged -type f -size -17k \
    -exec cp --backup=numbered -t "$folder/seeds/media" {} + || true
fi

# SQLite opens a database by its name.
export TMPDIR=$PWD/$folder/temporary
rm -rf "$TMPDIR"
mkdir -p "$TMPDIR"
# A sanitizer's own report is enough; Swift's backtrace would wait for a terminal.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=0:symbolize=0
results=$folder/results
rm -rf "$results"
mkdir "$results"
fuzz() {
  local parser=$1 inputs
  local corpus=$kept/corpus/$parser findings=$kept/findings/$parser
  mkdir -p "$corpus" "$findings"
  local seeds=("$corpus")
  [[ -d $folder/seeds/$parser ]] && seeds+=("$folder/seeds/$parser")
  [[ -d $folder/seeds/media ]] && seeds+=("$folder/seeds/media")
  # Beyond the file, a parser may need 64 MiB: no allocation may be larger.
  if METADATA_PARSER=$parser timeout --kill-after=10 $((seconds + 120)) "$program" \
    -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=64 \
    -max_len=32768 -print_final_stats=1 -verbosity=1 -artifact_prefix="$findings/" \
    "${seeds[@]}" >"$folder/$parser.log" 2>&1 </dev/null; then
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$parser.log")
    echo "${inputs:-0}" >"$results/$parser"
    echo "fuzz: $parser: ${inputs:-?} inputs in $seconds s, nothing found"
  else
    echo "fuzz: $parser: found something" >&2
    grep -aE '^metadata-fuzzer:|ERROR:|Test unit written|SUMMARY' "$folder/$parser.log" | tail -n 5 >&2 || true
  fi
}
# One parser for each core.
running=0
for parser in "${parsers[@]}"; do
  if ((running >= $(nproc))); then
    wait -n || true
    running=$((running - 1))
  fi
  fuzz "$parser" &
  running=$((running + 1))
done
wait
mapfile -t inputs < <(cat "$results"/* 2>/dev/null)
sum=0
for count in "${inputs[@]}"; do sum=$((sum + count)); done
echo "fuzz: ${#inputs[@]} of ${#parsers[@]} parsers without a finding, $sum inputs"
((${#inputs[@]} == ${#parsers[@]}))
