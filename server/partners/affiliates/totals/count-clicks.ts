// The lifetime total of clicks (Contract §2.1) and the daily totals as parts of the statement that records a batch of
// clicks, so that clicks and counts are one write. Rows are locked in the order of their ids, so batches can't deadlock.

/**
 * CTE `owner`: the affiliates of the rows in `given` (program_id, affiliate_id), locked, with their status.
 * The nested select ensures that the planner locks in the order of the ids.
 */
export function lockOwners(given: string): string {
  return `owner as materialized (
    select affiliate.program_id, affiliate.id, affiliate.status
    from (select distinct program_id, affiliate_id from ${given} order by program_id, affiliate_id) as asked
    cross join lateral (
      select program_id, id, status from affiliates
      where program_id = asked.program_id and id = asked.affiliate_id for no key update
    ) as affiliate
  )`;
}

/** CTE `counted`: adds the rows of `inserted` (program_id, affiliate_id) to their affiliates' clicks. */
export function countClicks(inserted: string): string {
  return `counted as (
    update affiliates set clicks = affiliates.clicks + added.clicks
    from (select program_id, affiliate_id, count(*) as clicks from ${inserted} group by program_id, affiliate_id) as added
    where affiliates.program_id = added.program_id and affiliates.id = added.affiliate_id
  )`;
}

/**
 * CTE `counted_daily`: adds the rows of `inserted` (program_id, affiliate_id, id) to the daily totals. `given` (id, day) has
 * their days. The lock on the affiliate protects the rows of its days.
 */
export function countClicksDaily(inserted: string, given: string): string {
  return `counted_daily as (
    insert into daily_totals as total (program_id, day, affiliate_id, clicks)
    select added.program_id, given.day, added.affiliate_id, count(*)
    from ${inserted} as added join ${given} as given on given.id = added.id group by 1, 2, 3
    on conflict (program_id, day, affiliate_id) do update set clicks = total.clicks + excluded.clicks
  )`;
}
