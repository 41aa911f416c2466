#!/bin/bash
# Runs once, in the primary's empty volume: roles and database, then the standby that every commit waits for. The order
# matters: with that setting first, these statements would wait for a standby that cannot be made yet.
set -euo pipefail

psql -v ON_ERROR_STOP=1 -v journal="$JOURNAL_PASSWORD" -v replication="$REPLICATION_PASSWORD" -U postgres <<'SQL'
create role bursar login password :'journal';
create database bursar owner bursar;
create role replicator login replication password :'replication';
alter system set synchronous_standby_names = 'FIRST 1 (db2)';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
