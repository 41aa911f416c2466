#!/usr/bin/env bash
# Installs what the tests of a cluster need, from Debian, where it is missing: PostgreSQL 15, and Patroni with etcd.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

packages=()
[[ -x /usr/lib/postgresql/15/bin/postgres ]] || packages+=(postgresql-15)
command -v etcd >/dev/null || packages+=(etcd-server)
# Patroni may be there without its client of etcd.
command -v patroni >/dev/null && python3 -c 'import etcd' 2>/dev/null || packages+=(patroni python3-etcd)

((${#packages[@]} == 0)) || ../../../.ci/packages "${packages[@]}"
