#!/bin/sh
# Creates the secrets for compose.yaml; existing ones are kept.
# Only the owner can enter the folder. Its files are world-readable, because containers run as other accounts.
set -eu
umask 022
folder=$(dirname "$0")/secrets
mkdir -p "$folder"
chmod 700 "$folder"
make() {
  test -e "$folder/$1" || printf '%s' "$2" > "$folder/$1"
}
random() {
  od -An -N32 -tx1 /dev/urandom | tr -d ' \n'
}
make postgres_password "$(random)"
make database_url "postgres://sluice:$(random)@postgres:5432/sluice"
make sluice_secret "$(random)"
make metrics_token "$(random)"
echo "The secrets are in $folder. Keep a copy of sluice_secret elsewhere: without it encrypted data is lost."
