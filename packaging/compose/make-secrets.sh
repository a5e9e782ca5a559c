#!/bin/sh
# Makes the secrets of compose.yaml, once: random, in ./secrets, which only you can look into. What is there stays.
#   sh packaging/compose/make-secrets.sh
# Keep a copy of secrets/master.key elsewhere: it is in no backup.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
chmod 0700 secrets
# Readable inside the folder, because they are mounted into containers as they are, for users other than you.
umask 022

random() { od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }
make() { [ -e "secrets/$1" ] || { cat >"secrets/$1.new" && mv "secrets/$1.new" "secrets/$1"; }; }

random 32 | make master.key
random 24 | make postgres_password
printf 'postgres://lyceum:%s@postgres/lyceum' "$(cat secrets/postgres_password)" | make LYCEUM_DATABASE_URL
random 10 | make AWS_ACCESS_KEY_ID
random 24 | make AWS_SECRET_ACCESS_KEY
make s3.json <<END
{"identities": [{"name": "lyceum", "actions": ["Admin", "Read", "Write", "List", "Tagging"], "credentials": [
  {"accessKey": "$(cat secrets/AWS_ACCESS_KEY_ID)", "secretKey": "$(cat secrets/AWS_SECRET_ACCESS_KEY)"}]}]}
END
echo "secrets are in $(pwd)/secrets" >&2
