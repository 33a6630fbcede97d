#!/bin/sh
# Makes the secrets of compose.yaml, each once: one that is there stays as it is.
# The folder is for its owner alone. The files in it are for everybody, since the accounts in the containers are others.
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
echo "The secrets are in $folder. Keep a copy of sluice_secret elsewhere: without it nobody can sign in as before."
