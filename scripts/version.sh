#!/usr/bin/env bash
# Prints the version that the sources have.
set -euo pipefail
cd "$(dirname "$0")/.."
sed -n 's/.*version = "\(.*\)".*/\1/p' Sources/Foundations/MediaModel/BuildInfo.swift
