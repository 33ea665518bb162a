#!/usr/bin/env bash
# Makes what docker-compose.yml reads: ./secrets and the variable of .env. Keeps every file that exists.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p secrets
# Only this user can enter the folder. The files themselves are readable, because the users of the containers differ.
chmod 700 secrets

keep_or_make() { # keep_or_make FILE COMMAND...
  local file=secrets/$1
  shift
  [ -s "$file" ] || "$@" >"$file"
  chmod 644 "$file"
}
word() { openssl rand -hex 24 | tr -d '\n'; }
tokens() { # tokens WHAT SCOPES: one for a person, and one for Prometheus where the scopes allow it to read
  local token metrics
  token=$(openssl rand -hex 32)
  metrics=$(openssl rand -hex 32)
  printf 'The token of the %s, shown only now: %s\n' "$1" "$token" >&2
  printf '{ "tokens": [{ "name": "first", "sha256": "%s", "scopes": [%s], "expires": "never" }' "$(hash "$token")" "$2"
  if [ "$1" = gateway ]; then
    printf %s "$metrics" >secrets/metrics_token
    chmod 644 secrets/metrics_token
    printf ',\n  { "name": "prometheus", "sha256": "%s", "scopes": ["metrics"], "expires": "never" }' "$(hash "$metrics")"
  fi
  printf '] }\n'
}
hash() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
key_ring() { printf '{ "current": "first", "keys": { "first": "%s" } }\n' "$(openssl rand -base64 32)"; }
api_key() {
  local key=${GCORE_API_KEY:-}
  [ -n "$key" ] || read -r -s -p 'API key of Gcore: ' key
  printf %s "$key"
}

keep_or_make postgres_password word
keep_or_make grafana_password word
keep_or_make gateway_tokens.json tokens gateway '"read", "run", "operate"'
# Whoever loses this file cannot read any run any more: keep a copy elsewhere.
keep_or_make codec_keys.json key_ring
keep_or_make codec_tokens.json tokens 'codec server' '"codec"'
keep_or_make gcore_api_key api_key
if ! grep -q '^POSTGRES_PASSWORD=' .env 2>/dev/null; then
  (umask 077 && printf 'POSTGRES_PASSWORD=%s\n' "$(cat secrets/postgres_password)" >>.env)
fi
