#!/usr/bin/env bash
# Installs what the bench compares Bursar with: PostgreSQL 15 and Redis 7 from Debian, where they are missing, and their
# clients and Cedar beside this file. It starts no server: the bench does, on loopback, with data of its own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

packages=()
[[ -x /usr/lib/postgresql/15/bin/postgres ]] || packages+=(postgresql-15)
command -v redis-server >/dev/null || packages+=(redis-server)

if ((${#packages[@]} > 0)); then
  [[ $(id -u) == 0 ]] || { printf 'Run this as root, or install %s\n' "${packages[*]}" >&2; exit 1; }
  # Debian's packages start their servers, which nobody here wants.
  policy=/usr/sbin/policy-rc.d
  if [[ ! -e $policy ]]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
    trap 'rm -f "$policy"' EXIT
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${packages[@]}"
fi

npm ci
