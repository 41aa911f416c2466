#!/bin/bash
# Copies the primary once, into an empty volume, and follows it as the standby that its commits wait for. As a primary it
# waits for the other one in turn.
set -euo pipefail

primary="host=db1 user=replicator application_name=db2"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  find "$PGDATA" -mindepth 1 -delete
  PGPASSWORD="$REPLICATION_PASSWORD" pg_basebackup -d "$primary" -D "$PGDATA" -R -X stream -c fast
  chmod 0700 "$PGDATA"
fi
exec postgres -c wal_keep_size=1GB -c synchronous_standby_names='FIRST 1 (db1)'
