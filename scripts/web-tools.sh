#!/usr/bin/env bash
# Installs what drives browsers in the tests into .build/web: playwright, axe, a client of WebSocket for Firefox,
# a decrypting library, and a reader of ThumbHash, from PyPI.
# The browsers are Debian's chromium and firefox-esr (scripts/deps.sh web).
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(playwright==1.65.2 axe-playwright-python==0.1.8 pillow==10.4.0 cryptography==44.0.0
  websocket-client==1.9.2)
# Without its dependencies, most of which its command line alone needs.
thumbhash="thumbhash-python==1.0.1"
if [[ -x .build/web/bin/python ]] && .build/web/bin/python -c "import playwright, axe_playwright_python, thumbhash, cryptography, websocket" 2>/dev/null; then
  echo "web: ${packages[*]} $thumbhash are installed"
  exit 0
fi
mkdir -p .build
python3 -m venv .build/web
.build/web/bin/pip install --quiet --disable-pip-version-check "${packages[@]}"
.build/web/bin/pip install --quiet --disable-pip-version-check --no-deps "$thumbhash"
echo "web: ${packages[*]} $thumbhash are installed"
