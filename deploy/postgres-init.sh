#!/bin/sh
# Run once by the PostgreSQL image on an empty volume: creates the database and its owner (docs/operating.md, "Your own
# PostgreSQL"). The password is the one in DATABASE_URL, letters and digits only (make-secrets.sh).
set -eu
password=$(sed -E 's#^[^:]+://[^:]+:([0-9A-Za-z]+)@.*$#\1#' /run/secrets/database_url)
psql -v ON_ERROR_STOP=1 -v password="$password" --username "$POSTGRES_USER" <<'SQL'
create role sluice login createrole password :'password';
create database sluice owner sluice;
SQL
