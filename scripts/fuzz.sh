#!/usr/bin/env bash
# Fuzzes the parsers of media, and of other files that somebody else may have written, with libFuzzer and the
# address sanitizer.
#
# scripts/fuzz.sh [SECONDS] [PARSER…]   So long for each parser, 20 by default; all without a name.
# scripts/fuzz.sh --minutes MINUTES [--result] [PARSER…]
#                                       So long for all of them, behind the build, at nice 19: goes on where earlier
#                                       calls stopped, with the parser that was fuzzed least, and prints a table.
#                                       A parser with 30 minutes without new coverage is done and gets no time.
# scripts/fuzz.sh --result              Writes the table into Benchmarks/results/DATE-fuzz.md, and fuzzes nothing
#                                       without --minutes.
#
# It begins with what the tests plant, if they are built, and the media of the folder that
# MEDIABATCH_CORPUS names. What libFuzzer learns is kept in .build-fuzz/corpus and used the next time;
# what it finds in .build-fuzz/findings, one file each; time, inputs and coverage of each parser in
# .build-fuzz/state (fuzz-state.py). `make clean` leaves all three. To see a finding again:
#   .build/test-programs/metadata-fuzzer PARSER FILE
# MEDIABATCH_FUZZER names a program that is fuzzed in place of one that is built here.
# Exits 1 when there is a finding.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=20
minutes=0
writes_result=
while (($#)); do
  case $1 in
  --minutes)
    minutes=${2:?"--minutes needs a number"}
    shift 2
    ;;
  --result)
    writes_result=yes
    shift
    ;;
  *) break ;;
  esac
done
if ((minutes == 0)) && [[ ${1-} =~ ^[0-9]+$ ]]; then
  seconds=$1
  shift
fi
parsers=("$@")
if ((${#parsers[@]} == 0)); then
  parsers=(jpeg png webp gif bmp tiff dng heif jp2 jxl picture exif xmp icc iptc movie audio film
    zip tar tgz takeout sidecar aae track places photos plan export parameters credentials)
fi
folder=.build/fuzz
# Hours of fuzzing are in here: it lies outside of .build, which `make clean` removes.
kept=.build-fuzz
state=$kept/state
program=$folder/metadata-fuzzer

# Writes what is known of each parser, now and from earlier calls.
write_result() {
  local file
  file=Benchmarks/results/$(date +%F)-fuzz.md
  {
    echo "# Fuzzing, $(date +%F), $(git rev-parse --short=8 HEAD)"
    echo
    echo "\`make fuzz\`, in slices, at nice 19: libFuzzer with the address sanitizer, inputs of at most 32 KiB," \
      "$(nproc) cores. Edges are those that the corpus of a parser reaches. Files with findings:" \
      "$(find "$kept/findings" -type f 2>/dev/null | wc -l)."
    echo
    python3 scripts/fuzz-state.py table "$state" "${parsers[@]}"
  } >"$file"
  echo "fuzz: $file"
}
if ((minutes == 0)) && [[ -n $writes_result ]]; then
  write_result
  exit
fi

# How long one input may take by the clock, and how long libFuzzer beyond its time: at nice 19 beside other work
# everything takes longer.
input_seconds=10
more_seconds=120
if ((minutes > 0)); then
  renice -n 19 $$ >/dev/null
  input_seconds=60
  more_seconds=900
fi
mkdir -p "$folder" "$kept/findings" "$state"
rm -rf "$folder/seeds"

build() {
  echo "fuzz: building"
  local objects files libraries sanitizers=-sanitize=fuzzer,address
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
}
if [[ -n ${MEDIABATCH_FUZZER-} ]]; then
  program=$MEDIABATCH_FUZZER
else
  build
fi

# Without built tests there are fewer seeds, and the fuzzer needs longer for the same.
MEDIABATCH_FUZZ_SEEDS=$PWD/$folder/seeds swift test -c release --skip-build --disable-xctest \
  --filter FuzzSeedsTests >"$folder/seeds.log" 2>&1 \
  || echo "fuzz: not all seeds of the tests were made; are they built? See $folder/seeds.log" >&2

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
# The edges of a corpus are then the same in each process.
export SWIFT_DETERMINISTIC_HASHING=1
results=$folder/results
rm -rf "$results"
mkdir "$results"
# Fuzzes a parser for so many seconds; 1 when something was found.
fuzz() {
  local parser=$1 seconds=$2 inputs
  local corpus=$kept/corpus/$parser findings=$kept/findings/$parser
  mkdir -p "$corpus" "$findings"
  local seeds=("$corpus")
  [[ -d $folder/seeds/$parser ]] && seeds+=("$folder/seeds/$parser")
  [[ -d $folder/seeds/media ]] && seeds+=("$folder/seeds/media")
  # Beyond the file, a parser may need 64 MiB: no allocation may be larger.
  if METADATA_PARSER=$parser timeout --kill-after=10 $((seconds + more_seconds)) "$program" \
    -max_total_time="$seconds" -timeout="$input_seconds" -rss_limit_mb=1024 -malloc_limit_mb=64 \
    -max_len=32768 -print_final_stats=1 -verbosity=1 -artifact_prefix="$findings/" \
    "${seeds[@]}" 2>&1 </dev/null | python3 scripts/fuzz-state.py watch "$state" "$parser" "$program" "$folder/$parser.log"; then
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$parser.log")
    echo "${inputs:-0}" >"$results/$parser"
    echo "fuzz: $parser: ${inputs:-?} inputs in $seconds s, nothing found"
  else
    echo "fuzz: $parser: found something" >&2
    grep -aE '^metadata-fuzzer:|ERROR:|Test unit written|SUMMARY' "$folder/$parser.log" | tail -n 5 >&2 || true
    return 1
  fi
}
cores=$(nproc)

# Shares the minutes over the parsers: whenever a core is free, the one that was fuzzed least gets a round.
fuzz_slice() {
  local deadline=$((SECONDS + minutes * 60)) count each left parser pid waiting
  local -A rounds=() found=()
  count=$(python3 scripts/fuzz-state.py count "$state" "${parsers[@]}")
  # Each round reads the corpus first, so it is no shorter than a minute; no longer than ten, so that a parser that
  # is done gives way.
  each=$((minutes * 60 * cores / (count > 0 ? count : 1)))
  each=$((each < 60 ? 60 : each > 600 ? 600 : each))
  while true; do
    left=$((deadline - SECONDS))
    waiting=()
    for parser in "${parsers[@]}"; do
      [[ " ${rounds[*]-} ${!found[*]} " == *" $parser "* ]] || waiting+=("$parser")
    done
    parser=
    if ((left >= 10 && ${#rounds[@]} < cores && ${#waiting[@]} > 0)); then
      parser=$(python3 scripts/fuzz-state.py next "$state" "${waiting[@]}")
    fi
    if [[ -n $parser ]]; then
      fuzz "$parser" $((left < each ? left : each)) &
      rounds[$!]=$parser
    elif ((${#rounds[@]} > 0)); then
      pid=
      wait -n -p pid "${!rounds[@]}" || found[${rounds[$pid]}]=yes
      unset "rounds[$pid]"
    else
      break
    fi
  done
  python3 scripts/fuzz-state.py table "$state" "${parsers[@]}"
  if [[ -n $writes_result ]]; then write_result; fi
  if ((${#found[@]} > 0)); then echo "fuzz: findings in $kept/findings of: ${!found[*]}" >&2; fi
  ((${#found[@]} == 0))
}
if ((minutes > 0)); then
  fuzz_slice
  exit
fi

# One parser for each core.
running=0
for parser in "${parsers[@]}"; do
  if ((running >= cores)); then
    wait -n || true
    running=$((running - 1))
  fi
  fuzz "$parser" "$seconds" &
  running=$((running + 1))
done
wait
mapfile -t inputs < <(cat "$results"/* 2>/dev/null)
sum=0
for count in "${inputs[@]}"; do sum=$((sum + count)); done
echo "fuzz: ${#inputs[@]} of ${#parsers[@]} parsers without a finding, $sum inputs"
((${#inputs[@]} == ${#parsers[@]}))
