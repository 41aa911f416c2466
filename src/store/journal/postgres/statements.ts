// What the journal asks of PostgreSQL: plain SQL, so that other databases that speak its protocol serve, too.
import type { Statement } from './connection.js'

/** One at a time, because each needs a name of its own and some databases take only one statement at once. */
export const TABLES: readonly Statement[] = [
  {
    name: 'tableOfEntries',
    text: `create table if not exists bursar_journal (shard text, seq bigint, epoch bigint not null,
      confirmed bigint not null, bytes bytea not null, primary key (shard, seq))`,
  },
  {
    name: 'tableOfLeases',
    text: `create table if not exists bursar_lease (shard text primary key, journal text not null,
      epoch bigint not null, owner text, beat bigint not null, confirmed bigint not null,
      sanctions text not null default '')`,
  },
  {
    name: 'tableOfNames',
    text: 'create table if not exists bursar_directory (name text, shard text, primary key (name, shard))',
  },
  {
    name: 'tableOfClaims',
    text: 'create table if not exists bursar_claim (name text primary key, holder text not null)',
  },
  {
    name: 'tableOfNetwork',
    text: `create table if not exists bursar_network (address text, shard text, epoch bigint not null,
      figures text not null, primary key (address, shard))`,
  },
]

/** Where the database knows it: entries take a sixth. */
export const COMPRESS: Statement = {
  name: 'compress',
  text: 'alter table bursar_journal alter column bytes set compression lz4',
}

export const NEW_SHARD: Statement = {
  name: 'newShard',
  text: `insert into bursar_lease (shard, journal, epoch, owner, beat, confirmed) values ($1, $2, 0, null, 0, 0)
    on conflict (shard) do nothing`,
}

/**
 * No row where an entry of a later epoch is there. Repeated it writes again, because a statement that writes nothing has
 * nothing to wait for, and would acknowledge what is on one machine.
 */
export const APPEND: Statement = {
  name: 'append',
  text: `insert into bursar_journal (shard, seq, epoch, confirmed, bytes) values ($1, $2, $3, $4, $5)
    on conflict (shard, seq) do update set epoch = excluded.epoch, confirmed = excluded.confirmed, bytes = excluded.bytes
    where bursar_journal.epoch <= excluded.epoch returning seq`,
}

/**
 * The first entry of an owner, directly behind the last one, which is (seq - 1, $6): no row where something else is
 * there, or the last one is not, as when another server has taken over since it was read.
 */
export const BARRIER: Statement = {
  name: 'barrier',
  text: `insert into bursar_journal (shard, seq, epoch, confirmed, bytes)
    select $1::text, $2::bigint, $3::bigint, $4::bigint, $5::bytea where $2::bigint = 1 or exists
      (select 1 from bursar_journal where shard = $1::text and seq = $2::bigint - 1 and epoch = $6::bigint)
    on conflict (shard, seq) do update set bytes = excluded.bytes
    where bursar_journal.epoch = excluded.epoch returning seq`,
}

export const ENTRIES: Statement = {
  name: 'entries',
  text: 'select seq, epoch, confirmed, bytes from bursar_journal where shard = $1 and seq >= $2 order by seq limit $3',
}

export const FIRST: Statement = {
  name: 'first',
  text: 'select seq, epoch from bursar_journal where shard = $1 order by seq limit 1',
}

export const LEASE: Statement = {
  name: 'lease',
  text: 'select journal, epoch, owner, beat, confirmed, sanctions from bursar_lease where shard = $1',
}

/** No row where the lease is not what was seen any more. */
export const TAKE: Statement = {
  name: 'take',
  text: `update bursar_lease set epoch = epoch + 1, owner = $2, beat = beat + 1, sanctions = $5
    where shard = $1 and epoch = $3 and beat = $4 returning epoch`,
}

/** No row where another node has the lease. */
export const BEAT: Statement = {
  name: 'beat',
  text: `update bursar_lease set beat = beat + 1, confirmed = $3, sanctions = $4
    where shard = $1 and epoch = $2 returning epoch`,
}

export const RELEASE: Statement = {
  name: 'release',
  text: `update bursar_lease set owner = null, beat = beat + 1, confirmed = $3
    where shard = $1 and epoch = $2 returning epoch`,
}

export const SERVER: Statement = {
  name: 'server',
  text: "select version() as version, current_setting('synchronous_standby_names', true) as standbys",
}

/** Of the standbys that are connected now; null where this user is not shown it. */
export const STANDBYS: Statement = {
  name: 'standbys',
  text: 'select sync_state as state from pg_stat_replication',
}

export const LAST: Statement = {
  name: 'last',
  text: 'select seq, epoch from bursar_journal where shard = $1 order by seq desc limit 1',
}

export const EXTENT: Statement = {
  name: 'extent',
  text: 'select count(*) as entries, sum(length(bytes)) as bytes from bursar_journal where shard = $1',
}

/** The first entry of a shard, of no owner's epoch: no row where there is one, or a node has owned the shard. */
export const ATTACH: Statement = {
  name: 'attach',
  text: `insert into bursar_journal (shard, seq, epoch, confirmed, bytes)
    select $1::text, $2::bigint, 0, $2::bigint - 1, $3::bytea
    where not exists (select 1 from bursar_journal where shard = $1::text)
      and exists (select 1 from bursar_lease where shard = $1::text and epoch = 0)
    on conflict (shard, seq) do nothing returning seq`,
}

/** The same in place of the one at $4, as long as no node has owned the shard. */
export const ATTACH_AGAIN: Statement = {
  name: 'attachAgain',
  text: `update bursar_journal set seq = $2, confirmed = $2::bigint - 1, bytes = $3 where shard = $1 and seq = $4 and epoch = 0
    and exists (select 1 from bursar_lease where shard = $1 and epoch = 0) returning seq`,
}

export const TRIM: Statement = {
  name: 'trim',
  text: 'delete from bursar_journal where shard = $1 and seq < $2 returning seq',
}

/** Each is written again where it is there, for the reason of APPEND. */
export const ADD_NAMES: Statement = {
  name: 'addNames',
  text: `insert into bursar_directory (name, shard) select distinct unnest($2::text[]), $1
    on conflict (name, shard) do update set shard = excluded.shard`,
}

export const REMOVE_NAMES: Statement = {
  name: 'removeNames',
  text: 'delete from bursar_directory where shard = $1 and name = any($2::text[])',
}

export const SHARDS_OF: Statement = {
  name: 'shardsOf',
  text: 'select shard from bursar_directory where name = $1 order by shard',
}

/** No row where another one holds it. */
export const CLAIM: Statement = {
  name: 'claim',
  text: `insert into bursar_claim (name, holder) values ($1, $2) on conflict (name) do update set holder = excluded.holder
    where bursar_claim.holder = excluded.holder returning holder`,
}

/** Answers those that another one holds. */
export const CLAIM_ALL: Statement = {
  name: 'claimAll',
  text: `insert into bursar_claim (name, holder) select distinct unnest($1::text[]), $2
    on conflict (name) do update set holder = bursar_claim.holder returning name, holder`,
}

export const HOLDER: Statement = {
  name: 'holder',
  text: 'select holder from bursar_claim where name = $1',
}

export const SHARDS: Statement = {
  name: 'shards',
  text: 'select shard, owner, epoch, beat from bursar_lease order by shard',
}

/** Of these shards the one with the fewest names that begin so. */
export const LEAST_LOADED: Statement = {
  name: 'leastLoaded',
  text: `select lease.shard from bursar_lease lease
    left join bursar_directory names on names.shard = lease.shard and starts_with(names.name, $1)
    where lease.shard = any($2::text[]) group by lease.shard order by count(names.name), lease.shard limit 1`,
}

/** What an owner of a later epoch has published stays. */
export const PUBLISH: Statement = {
  name: 'publish',
  text: `insert into bursar_network (shard, epoch, address, figures)
    select $1, $2::bigint, address, figures from unnest($3::text[], $4::text[]) as changed (address, figures)
    on conflict (address, shard) do update set epoch = excluded.epoch, figures = excluded.figures
    where bursar_network.epoch <= excluded.epoch`,
}

export const FIGURES: Statement = {
  name: 'figures',
  text: 'select figures from bursar_network where address = $1 and shard = $2',
}

export const FIGURES_ELSEWHERE: Statement = {
  name: 'figuresElsewhere',
  text: 'select figures from bursar_network where address = $1 and shard <> $2 order by shard',
}
