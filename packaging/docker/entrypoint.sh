#!/bin/sh
# Reads secrets from files and becomes the program: a file in /run/secrets that is named like a setting (LYCEUM_…, or
# AWS_… for the bucket) is that setting. So they stand in no compose file, no image and no `docker inspect`.
set -eu
for file in "${SECRETS_DIR:-/run/secrets}"/*; do
    name=${file##*/}
    case $name in
        LYCEUM_[A-Z]* | AWS_[A-Z]*)
            if [ -f "$file" ]; then
                value=$(cat "$file")
                export "$name=$value"
            fi
            ;;
    esac
done
exec lyceum "$@"
