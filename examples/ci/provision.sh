#!/usr/bin/env bash
# A step of a CI job: provisions an instance and leaves its address to the next steps. The order is the job, so a
# job that is started again finds its run. Usage: ci/provision.sh JOB INPUT.json
set -euo pipefail

result=$(gcore-workflows provision --file "$2" --request-id "$1" --output json)
node --print 'JSON.parse(process.argv[1]).addresses.map(({ address }) => `ADDRESS=${address}`).join("\n")' "$result"
