// The statement that decides about a batch of clicks: rate limits per address (Contract §8) and duplicates, exact across
// all server processes. Every step locks in the order of its keys, and the steps have one order: minutes, hours, duplicates.

const given = `given as materialized (
    select * from rows from (json_to_recordset($1::json) as (
      program_id uuid, id uuid, created_at timestamptz, ip_hash bytea, per_minute integer, per_hour integer, fingerprint bytea,
      repeat_until timestamptz, wide_hash bytea, wide_minute integer, wide_hour integer
    )) with ordinality as row (program_id, id, created_at, ip_hash, per_minute, per_hour, fingerprint, repeat_until,
      wide_hash, wide_minute, wide_hour, n)
  )`;

type Window = { seconds: number; limit: string; hash?: string };
/** The steps that a batch needs: limits per network, limits per site (/48), and detecting duplicates. */
type Needs = { limits: boolean; hasWide: boolean; repeats: boolean };

/** CTE `name`: the rows of `from` that are within the limit of their window. */
function windowStep(name: string, from: string, { seconds, limit, hash = 'ip_hash' }: Window): string {
  const start = `date_bin('${seconds} seconds', created_at, timestamptz '2000-01-01 00:00:00Z')`;
  return `${name}_ranked as materialized (
    select *, ${start} as ${name}_start, row_number() over (partition by program_id, ${hash}, ${start} order by n) as ${name}_rank from ${from}
  ), ${name}_asked as materialized (
    select program_id, ${hash} as ip_hash, ${name}_start as start, count(*)::integer as clicks from ${name}_ranked where ${limit} > 0 group by 1, 2, 3
  ), ${name}_total as (
    insert into click_windows as counted (program_id, ip_hash, window_seconds, window_start, clicks)
    select program_id, ip_hash, ${seconds}, start, clicks from ${name}_asked order by program_id, ip_hash, start
    on conflict on constraint click_windows_pkey do update set clicks = counted.clicks + excluded.clicks
    returning program_id, ip_hash, window_start, clicks
  ), ${name} as materialized (
    select ranked.* from ${name}_ranked as ranked
    left join ${name}_asked as asked on asked.program_id = ranked.program_id and asked.ip_hash = ranked.${hash} and asked.start = ranked.${name}_start
    left join ${name}_total as total on total.program_id = ranked.program_id and total.ip_hash = ranked.${hash} and total.window_start = ranked.${name}_start
    where coalesce(ranked.${limit}, 0) = 0 or total.clicks - asked.clicks + ranked.${name}_rank <= ranked.${limit}
  )`;
}

/** CTE `repeats`: the rows of `from` with the first click of their fingerprint, which can be the row itself. */
function repeatStep(from: string): string {
  return `firsts as materialized (
    select distinct on (program_id, fingerprint) program_id, fingerprint, id, repeat_until
    from ${from} where fingerprint is not null order by program_id, fingerprint, n
  ), remembered as (
    insert into click_repeats as counted (program_id, fingerprint, click_id, expires_at)
    select program_id, fingerprint, id, repeat_until from firsts order by program_id, fingerprint
    on conflict on constraint click_repeats_pkey do update set
      click_id = case when counted.expires_at <= $2::timestamptz then excluded.click_id else counted.click_id end,
      expires_at = case when counted.expires_at <= $2::timestamptz then excluded.expires_at else counted.expires_at end
    returning program_id, fingerprint, click_id
  ), repeats as materialized (
    select asked.*, remembered.click_id as first_id from ${from} as asked
    left join remembered on remembered.program_id = asked.program_id and remembered.fingerprint = asked.fingerprint
  )`;
}

// Each step reads the previous one, so that they lock in this order.
const windows = [
  windowStep('minute', 'given', { seconds: 60, limit: 'per_minute' }),
  windowStep('hour', 'minute', { seconds: 3600, limit: 'per_hour' }),
  windowStep('site_minute', 'hour', { seconds: 60, limit: 'wide_minute', hash: 'wide_hash' }),
  windowStep('site_hour', 'site_minute', { seconds: 3600, limit: 'wide_hour', hash: 'wide_hash' }),
];

/** The statement with only the steps that the batch needs. */
function buildStatement({ limits, repeats, hasWide }: Needs): string {
  const within = hasWide ? 'site_hour' : limits ? 'hour' : 'given';
  return `with ${[given, ...(limits ? windows.slice(0, hasWide ? 4 : 2) : []), ...(repeats ? [repeatStep(within)] : [])].join(', ')}
  select ${limits ? `${within}.n is null` : 'false'} as "isLimited", ${repeats ? 'repeats.first_id' : 'null::uuid'} as "firstId"
  from given
    ${limits ? `left join ${within} on ${within}.n = given.n` : ''}
    ${repeats ? 'left join repeats on repeats.n = given.n' : ''}
  order by given.n`;
}

const statements = new Map<string, string>();

export function getStatement(needs: Needs): string {
  const { limits, repeats, hasWide } = needs;
  const name = `clicks${limits ? '_limits' : ''}${hasWide ? '_sites' : ''}${repeats ? '_repeats' : ''}`;
  const statement = statements.get(name) ?? buildStatement(needs);
  statements.set(name, statement);
  return statement;
}
