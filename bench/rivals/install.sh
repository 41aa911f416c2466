#!/usr/bin/env bash
# Installs what the bench compares Bursar with: PostgreSQL 15 and Redis 7 from Debian, where they are missing, and their
# clients and Cedar beside this file. It starts no server: the bench does, on loopback, with data of its own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

packages=()
[[ -x /usr/lib/postgresql/15/bin/postgres ]] || packages+=(postgresql-15)
command -v redis-server >/dev/null || packages+=(redis-server)

((${#packages[@]} == 0)) || ../../.ci/packages "${packages[@]}"
npm ci
