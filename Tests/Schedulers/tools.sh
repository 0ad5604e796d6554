#!/usr/bin/env bash
# Installs the tools of the tests with schedulers that are on PyPI, each into an environment of its own
# below .build/schedulers.
#
# tools.sh snakemake|kubernetes|moto…
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in "$@"; do
  case $tool in
    snakemake) package=(snakemake==9.27.1) ;;
    kubernetes) package=(kubernetes-validate==1.37.0 PyYAML==6.0.4) ;;
    moto) package=('moto[s3,server]==5.2.5') ;;
    *) echo "tools: there is no $tool" >&2; exit 64 ;;
  esac
  folder=.build/schedulers/$tool
  if [[ $(cat "$folder/installed" 2>/dev/null) == "${package[*]}" ]]; then
    echo "tools: ${package[*]} is installed"
    continue
  fi
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check "${package[@]}"
  echo "${package[*]}" >"$folder/installed"
  echo "tools: ${package[*]} is installed"
done
