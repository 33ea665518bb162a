#!/usr/bin/env bash
# Checks a webhook: exit code 0 when a signature is right and the time less than five minutes off, else 1.
# The body comes from stdin as it was sent: JSON that was parsed and written again has another signature.
set -feuo pipefail

[[ $WEBHOOK_TIMESTAMP =~ ^[0-9]{1,10}$ ]]
age=$(($(date +%s) - 10#$WEBHOOK_TIMESTAMP))
[ "${age#-}" -lt 300 ]

key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1)
[ -n "$key" ]
# HMAC is two hashes. As an option of openssl, every user of the machine would see the key.
block=($key $(printf '00 %.0s' {1..64}))
pad() { for byte in "${block[@]:0:64}"; do printf -v byte %02x "$((0x$byte ^ $1))" && printf %b "\\x$byte"; done; }
sha256() { openssl dgst -sha256 -binary; }
inner() { pad 0x36 && printf %s.%s. "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" && cat; }
right=$({ pad 0x5c && inner | sha256; } | sha256 | base64)

for given in $WEBHOOK_SIGNATURE; do # two while the secret is being changed
  [ "$given" != "v1,$right" ] || exit 0
done
exit 1
