#!/bin/sh
# Packs a binary with what belongs to it, for others to install: sh packaging/release.sh BINARY FOLDER
#
# The same binary and the same commit give the same archive, byte by byte: names are sorted, nobody owns the files, and
# their time is that of the commit (or SOURCE_DATE_EPOCH).
set -eu
binary=$1
output=$2
root=$(cd "$(dirname "$0")/.." && pwd)
version=$("$binary" --version | cut -d ' ' -f 2)
target=${TARGET:-$(rustc -vV | sed -n 's/^host: //p')}
epoch=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
name=lyceum-$version-$target
archive=$name.tar.gz

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
place=$stage/$name
mkdir -p "$place/completions" "$place/systemd" "$place/postgres" "$output"
cp "$binary" "$place/lyceum"
# The profiles for releases have no symbols; others do, and a package needs none.
strip "$place/lyceum"
cp "$root/LICENSE" "$root/README.md" "$place/"
env -i "$place/lyceum" man --output "$place/man/man1"
env -i "$place/lyceum" completions bash > "$place/completions/lyceum.bash"
env -i "$place/lyceum" completions zsh > "$place/completions/_lyceum"
env -i "$place/lyceum" completions fish > "$place/completions/lyceum.fish"
env -i "$place/lyceum" completions elvish > "$place/completions/lyceum.elv"
env -i "$place/lyceum" completions powershell > "$place/completions/_lyceum.ps1"
for file in lyceum.service lyceum.env lyceum.sysusers.conf lyceum-command; do
    cp "$root/packaging/systemd/$file" "$place/systemd/"
done
cp "$root"/packaging/postgres/* "$place/postgres/"
find "$place" -type d -exec chmod 0755 {} +
find "$place" -type f -exec chmod 0644 {} +
chmod 0755 "$place/lyceum" "$place/systemd/lyceum-command" "$place/postgres/move-workspace.sh"

# First beside its name: half an archive is never found under it.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" --format=gnu -C "$stage" -cf - "$name" \
    | gzip -9n > "$output/.$archive.partial"
mv "$output/.$archive.partial" "$output/$archive"
(cd "$output" && sha256sum "$archive" > SHA256SUMS)
echo "$output/$archive"
