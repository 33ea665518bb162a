#!/bin/sh
# Makes both databases of Temporal if they are missing, and brings their schema to the version of this image.
set -eu
SQL_PASSWORD=$(cat "${POSTGRES_PASSWORD_FILE:-/run/secrets/postgres_password}")
export SQL_PASSWORD

for pair in temporal:temporal temporal_visibility:visibility; do
  database=${pair%%:*}
  # Fails when the database exists, and then changes nothing.
  if temporal-sql-tool --database "$database" create-database; then
    # A database without its first schema could never be updated: the next try makes it anew.
    temporal-sql-tool --database "$database" setup-schema --version 0.0 || {
      temporal-sql-tool --database "$database" drop-database --force
      exit 1
    }
  fi
  temporal-sql-tool --database "$database" update-schema --schema-name "postgresql/v12/${pair#*:}"
done
