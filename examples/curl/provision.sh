#!/usr/bin/env bash
# Provisions an instance over HTTP and prints the verified result. Repeat it as often as you like: the same order
# number gives the same run. Usage: provision.sh ORDER INPUT.json
set -euo pipefail
gateway=${GATEWAY:-http://127.0.0.1:8088}
answer=$(mktemp) && trap 'rm -f "$answer"' EXIT
ask=(curl --silent --show-error --retry 10 --retry-connrefused --output "$answer"
  --header "Authorization: Bearer ${GATEWAY_TOKEN:-}")

run=$("${ask[@]}" "$gateway/v1/runs/provisionInstance" --header "Idempotency-Key: $1" --json "@$2" \
  --write-out '%header{location}')
code=202 # it goes on
while [ -n "$run" ] && [ "$code" = 202 ]; do
  code=$("${ask[@]}" "$gateway$run/result?wait=30s" --write-out '%{http_code}')
done
cat "$answer" # the result, or a problem that says why and what to do
[ "$code" = 200 ]
