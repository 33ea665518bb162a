#!/usr/bin/env bash
# Checks the alert rules, runs their unit tests, and checks the configuration of the Compose file. Uses promtool from
# PROMTOOL or PATH; on Debian and Ubuntu it unpacks the one of the distribution into .cache, without installing anything.
set -euo pipefail
cd "$(dirname "$0")"

cache=$PWD/../../.cache/prometheus
promtool=${PROMTOOL:-$(command -v promtool || echo "$cache/usr/bin/promtool")}
if [ ! -x "$promtool" ]; then
  command -v apt-get >/dev/null || {
    echo 'There is no promtool: install Prometheus, or name promtool in PROMTOOL' >&2
    exit 1
  }
  mkdir -p "$cache"
  (
    cd "$cache"
    apt-get download -qq prometheus >/dev/null 2>&1 || {
      # A fresh machine has no lists of packages.
      apt-get update -qq >/dev/null && apt-get download -qq prometheus >/dev/null 2>&1
    }
    dpkg -x prometheus_*.deb .
    rm prometheus_*.deb
  )
fi
"$promtool" check rules gcore-workflows.rules.yml
"$promtool" test rules gcore-workflows.rules.test.yml
"$promtool" check config --syntax-only ../compose/prometheus.yml
