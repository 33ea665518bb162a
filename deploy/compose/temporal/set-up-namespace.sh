#!/bin/sh
# Makes the namespace and the search attributes of the product, if they are missing.
set -eu
tries=0
until temporal operator cluster health >/dev/null 2>&1; do
  tries=$((tries + 1))
  [ "$tries" -le 60 ] || { echo "Temporal does not answer at $TEMPORAL_ADDRESS after 60 tries" >&2; exit 1; }
  sleep 1
done

if ! temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; then
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
fi

# The server reads a new namespace only some seconds later.
tries=0
until known=$(temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE" 2>/dev/null); do
  tries=$((tries + 1))
  [ "$tries" -le 60 ] || { echo "The namespace $TEMPORAL_NAMESPACE cannot be used after 60 tries" >&2; exit 1; }
  sleep 1
done
for pair in GcorePhase:Keyword GcoreAccount:Keyword GcoreResourceId:KeywordList GcoreLabels:KeywordList; do
  case $known in
  *"${pair%%:*}"*) ;;
  *)
    temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" \
      --name "${pair%%:*}" --type "${pair#*:}"
    ;;
  esac
done
