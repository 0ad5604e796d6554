#!/usr/bin/env bash
# Installs readers of exported formats into .build/readers, from PyPI: events of OCSF, envelopes of DSSE, RO-Crates, and
# bags. They did not write what the tests have them read.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  bagit==1.9.0 cryptography==50.0.2 jsonschema==4.26.0 ocsf-json-schema==1.2.0 py-ocsf-models==0.10.0 rocrate==0.16.0
  securesystemslib==1.6.0
)
python=.build/readers/bin/python
modules="bagit, cryptography, jsonschema, ocsf_json_schema, py_ocsf_models, rocrate, securesystemslib"
if [[ -x $python ]] && "$python" -c "import $modules" 2>/dev/null; then
  echo "readers: ${packages[*]} are installed"
  exit 0
fi
mkdir -p .build
python3 -m venv .build/readers
.build/readers/bin/pip install --quiet --disable-pip-version-check "${packages[@]}"
echo "readers: ${packages[*]} are installed"
