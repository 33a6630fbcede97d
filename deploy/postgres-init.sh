#!/bin/sh
# Run once by the image of PostgreSQL, on an empty volume: the database and the role that owns it (README, "Your own
# PostgreSQL"). The password is the one in DATABASE_URL; it is letters and digits (make-secrets.sh).
set -eu
password=$(sed -E 's#^[^:]+://[^:]+:([0-9A-Za-z]+)@.*$#\1#' /run/secrets/database_url)
psql -v ON_ERROR_STOP=1 -v password="$password" --username "$POSTGRES_USER" <<'SQL'
create role sluice login createrole password :'password';
create database sluice owner sluice;
SQL
