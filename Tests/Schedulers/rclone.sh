#!/usr/bin/env bash
# Imports a plan of objects in S3: listed by rclone, copied in and out by the emitted steps, on machines that
# share no file system. One shard crashes in the middle, others before library or receipt is out.
#
# MOTO_PYTHON is an interpreter that has moto; without it that of tools.sh is taken.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"
MOTO_PYTHON=${MOTO_PYTHON-$tests/../../.build/schedulers/moto/bin/python}
[[ -x $MOTO_PYTHON ]] || skip "there is no $MOTO_PYTHON; Tests/Schedulers/tools.sh moto installs it"
need parallel rclone

# Nothing of the person's settings for S3 or proxies.
while IFS='=' read -r name _; do unset "$name"; done < <(env | grep -E '^(AWS|RCLONE)_' || true)
export NO_PROXY=127.0.0.1 no_proxy=127.0.0.1 RCLONE_CONFIG=$work/rclone.conf
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$MOTO_PYTHON" -m moto.server -H 127.0.0.1 -p "$port" >"$work/moto.log" 2>&1 &
started+=($!)
answers() { (: <"/dev/tcp/127.0.0.1/$port"); }
wait_for 60 "the S3 server" answers
read -r access secret < <("$MOTO_PYTHON" "$tests/s3_user.py" "http://127.0.0.1:$port")
configure() {
  cat >"$RCLONE_CONFIG" <<CONF
[archive]
type = s3
provider = Other
access_key_id = $access
secret_access_key = $1
endpoint = http://127.0.0.1:$port
force_path_style = true
CONF
}
# The server does check signatures.
configure "not$secret"
! rclone --retries 1 --low-level-retries 1 mkdir archive:media 2>"$work/rclone.log" || fail "a wrong key was let in"
grep -q SignatureDoesNotMatch "$work/rclone.log" || { cat "$work/rclone.log" >&2; fail "a wrong key"; }
configure "$secret"

media=archive:media/photos
results="archive:results/it's \$HOME"
make_library 80
rclone mkdir archive:media
rclone mkdir archive:results
rclone copy "$place/media" "$media"
rclone lsjson -R --hash "$media" >"$work/listing.json"
# From here on the media are in S3 alone, and each machine has the folder for them.
mv "$place/media" "$work/local"
mkdir "$place/media"

# rclone with two crashes: before the library of a shard goes out, and before its receipt.
make_wrapper
real_rclone=$(command -v rclone)
cat >"$work/bin/rclone" <<WRAPPER
#!/usr/bin/env bash
control=$(printf %q "$control")
for word in "\$@"; do
  case "\$1 \$word" in
    copyto\ *:*/receipts/*.json) what=receipt-\$(basename "\$word" .json) ;;
    copy\ *:*/shards/*) what=library-\$(basename "\$word" | cut -d- -f1) ;;
  esac
done
[[ -z \${what-} ]] || ! mv "\$control/crash-\$what" "\$control/crashed-\$what" 2>/dev/null || exit 137
exec "$real_rclone" "\$@"
WRAPPER
chmod +x "$work/bin/rclone"
export PATH=$work/bin:$PATH
finished_there() { "$real_rclone" lsf -R --files-only --include "/*/receipts/$1.json" "$results" 2>/dev/null | wc -l; }

job() {
  status=0
  JOBS=2 bash "$work/job.sh" >"$work/job.log" 2>&1 || status=$?
}

make_plan 6 --listing "$work/listing.json" --source library
emit parallel --media "$media" --results "$results" >"$work/job.sh"
touch "$control/crash-2" "$control/crash-receipt-3" "$control/crash-library-4"
job
[[ $status == 3 ]] || { cat "$work/job.log" >&2; fail "three failed shards give parallel's code 3, not $status"; }
[[ -e $control/crashed-2 && -e $control/crashed-receipt-3 && -e $control/crashed-library-4 ]] || fail "no crash"
[[ ! -e $merged && $(finished_there '*') == 3 ]] || fail "$(finished_there '*') receipts are out, not 3"
for shard in 1 5 6; do [[ $(finished_there $shard) == 1 ]] || fail "the receipt of shard $shard"; done
# Each shard was given its own files alone.
[[ $(find "$place/media" -type f | wc -l) == $(find "$work/local" -type f | wc -l) ]] || fail "the files copied in"

# The rest happens on a machine that has the plan and nothing of the first start.
rm -rf "${plan:?}/shards" "$plan/receipts" "${place:?}/media"
mkdir "$plan/shards" "$plan/receipts" "$place/media"
job
[[ $status == 3 ]] || { cat "$work/job.log" >&2; fail "the merge ends with 3, not $status"; }
[[ $(sort "$control/starts" | tr '\n' ' ') == "1 2 2 3 3 4 4 5 6 " ]] \
  || fail "not only the shards that failed were started again: $(sort "$control/starts" | tr '\n' ' ')"
[[ $(finished_there '*') == 6 ]] || fail "$(finished_there '*') receipts are out, not 6"
needed() { for shard in 2 3 4; do "$MEDIABATCH" shards plan "$plan" --files $shard; done | sort; }
cmp <(needed) <(cd "$place/media" && find . -type f -printf '%P\n' | sort) || fail "other files were copied in"
check_merged
say "equal: shard 2 crashed, 3 and 4 were not copied out, another machine did the rest"

# Objects that are not what the listing said: other bytes of the same length, another length, none at all.
rm -rf "$plan" "$merged" "${place:?}/media" "$control/starts"
mkdir "$place/media"
"$real_rclone" purge "$results"
make_plan 6 --listing "$work/listing.json" --source library
sed 's/picture 5/Picture 5/' "$work/local/2019/02 it's \$HOME/IMG_0005.jpg" >"$work/altered"
"$real_rclone" copyto "$work/altered" "$media/2019/02 it's \$HOME/IMG_0005.jpg"
{ cat "$work/local/# notes/2020/IMG_0006.jpg"; echo more; } >"$work/longer"
"$real_rclone" copyto "$work/longer" "$media/# notes/2020/IMG_0006.jpg"
"$real_rclone" deletefile "$media/2020/{x} 100%/IMG_0007.jpg"
emit parallel --media "$media" --results "$results" >"$work/job.sh"
job
[[ $status == 3 ]] || { cat "$work/job.log" >&2; fail "altered objects: $status"; }
python3 "$tests/fixture.py" outcomes "$merged" >"$work/outcomes"
cat >"$work/expected" <<'OUTCOMES'
# notes/2020/IMG_0006.jpg: failed notAsPlanned
2019/02 it's $HOME/IMG_0005.jpg: failed notAsPlanned
2020/{x} 100%/IMG_0007.jpg: failed notAsPlanned
2021/damaged.jpg: failed damaged
OUTCOMES
diff "$work/expected" <(grep failed "$work/outcomes") >&2 || fail "the outcomes of altered objects"
[[ $(grep -c imported "$work/outcomes") == 77 ]] || fail "the other files were not imported"
say "passed with $(rclone version | head -n 1): objects that were not as listed have failed alone"
