// Invariants of affiliates, links, pages, emails, seals and the event log, and of the installation. As in money.ts, `scope` is a
// condition on program_id.
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ScopedInvariant } from './money.ts';

export const structureInvariants: readonly ScopedInvariant[] = [
  {
    name: 'affiliate counts per status equal the number of affiliates',
    breaks: (scope) => sql`
      select program_id, status, stored.affiliates, counted.affiliates as counted
      from (select * from affiliate_counts where ${scope}) as stored
      full join (select program_id, status, count(*) as affiliates from affiliates where ${scope} group by 1, 2) as counted
        using (program_id, status)
      where coalesce(stored.affiliates, 0) <> coalesce(counted.affiliates, 0)`,
  },
  {
    name: 'every referral code is a short link',
    breaks: (scope) => sql`
      select affiliate.program_id, affiliate.id from (select * from affiliates where ${scope}) as affiliate
      left join (select * from short_links where kind = 'code' and ${scope}) as link
        on link.program_id = affiliate.program_id and link.slug = lower(affiliate.referral_code) and link.affiliate_id = affiliate.id
      where link.slug is null`,
  },
  {
    name: 'every vanity slug belongs to exactly the affiliate that has it',
    breaks: (scope) => sql`
      select affiliate.program_id, affiliate.id, link.slug from (select * from affiliates where ${scope}) as affiliate
      full join (select * from short_links where kind = 'vanity' and released_at is null and ${scope}) as link
        on link.program_id = affiliate.program_id and link.affiliate_id = affiliate.id and link.slug = affiliate.vanity_slug
      where (affiliate.id is null) or (affiliate.vanity_slug is not null and link.slug is null)`,
  },
  {
    name: 'no affiliate is in its own downline',
    breaks: (scope) => sql`
      with recursive chain (program_id, root, id, steps) as (
        select program_id, id, parent_affiliate_id, 1 from affiliates where parent_affiliate_id is not null and ${scope}
        union all
        select chain.program_id, chain.root, affiliate.parent_affiliate_id, steps + 1
        from chain join (select * from affiliates where ${scope}) as affiliate
          on affiliate.program_id = chain.program_id and affiliate.id = chain.id
        where affiliate.parent_affiliate_id is not null and chain.id <> chain.root and steps < 1000
      )
      select program_id, root from chain where id = root`,
  },
  {
    name: 'every landing page has its current and its approved revision',
    breaks: (scope) => sql`
      with named as (
        select program_id, id, revision from landing_pages where ${scope}
        union all select program_id, id, approved_revision from landing_pages where approved_revision is not null and ${scope}
      )
      select distinct named.program_id, named.id from named
      left join (select * from landing_page_revisions where ${scope}) as stored
        on stored.program_id = named.program_id and stored.page_id = named.id and stored.revision = named.revision
      where stored.page_id is null`,
  },
  {
    name: 'a page slug belongs to a page or redirects to one, never both',
    breaks: (scope) => sql`
      select program_id, slug from (select * from landing_pages where ${scope}) as page
      join (select * from landing_page_forwards where ${scope}) as forward using (program_id, slug)`,
  },
  {
    name: 'every approval sent exactly one email',
    breaks: (scope) => sql`
      select change.program_id, change.id from (select * from audit_log where ${scope}) as change
      left join (select * from emails where kind = 'approval' and ${scope}) as mail
        on mail.program_id = change.program_id and mail.audit_id = change.id
      where change.action = 'affiliate.updated' and change.after ->> 'status' = 'active' and mail.id is null`,
  },
  {
    name: 'every recorded end of a ledger is still in it',
    breaks: (scope) => sql`
      select seal.program_id, seal.after ->> 'seq' as seq
      from (select * from audit_log where action = 'ledger.sealed' and ${scope}) as seal
      left join (select * from ledger_entries where ${scope}) as entry
        on entry.program_id = seal.program_id and entry.seq = (seal.after ->> 'seq')::bigint
      where encode(entry.hash, 'hex') is distinct from seal.after ->> 'hash'`,
  },
];

export const eventInvariants: readonly ScopedInvariant[] = [
  {
    name: 'the events of an object have positions in their order',
    breaks: (scope) => sql`
      select program_id, id, position from (
        select program_id, id, position, lag(position) over earlier as last_position, lag(object_sequence) over earlier as last_sequence
        from events where ${scope}
        window earlier as (partition by program_id, object_type, object_id order by object_sequence)
      ) as event
      where last_sequence is not null and position is not null and (last_position is null or last_position >= position)`,
  },
  {
    name: 'no event has a position after the end of its log',
    breaks: (scope) => sql`
      select program_id, max(event.position) as position, max(log.last_position) as last_position
      from (select * from events where position is not null and ${scope}) as event
      left join (select * from event_log_ends where ${scope}) as log using (program_id)
      group by program_id having max(event.position) > coalesce(max(log.last_position), 0)`,
  },
];

/** Invariants of the installation, which belong to no program. */
export const sharedInvariants: readonly { name: string; breaks: RawBuilder<unknown> }[] = [
  {
    name: 'the unique indexes that guarantees depend on exist and are valid',
    breaks: sql`
      select promised.name from (values ('conversions_order_unique'), ('leads_external_id_unique'), ('refunds_external_id_unique'), ('ledger_entries_once'),
        ('affiliates_email_unique'), ('coupons_code_unique'), ('short_links_pkey'), ('disputes_external_id_unique'), ('order_changes_increase_unique'), ('order_changes_cancelled_once'),
        ('payout_lines_live'), ('provider_events_once'), ('commission_holds_open')) as promised (name)
      left join pg_class as class on class.relname = promised.name and class.relnamespace = 'public'::regnamespace
      left join pg_index as index on index.indexrelid = class.oid and index.indisunique and index.indisvalid and index.indisready
      where index.indexrelid is null`,
  },
];
