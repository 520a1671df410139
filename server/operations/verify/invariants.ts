// Invariants of the data. Each is a query that returns violations; all run in one snapshot. `tributary verify` and the
// tests use the same list.
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { findChainFaults } from '../../earning/ledger/verify-chain.ts';
import { findWrongTotals } from '../../partners/affiliates/totals/find-wrong-totals.ts';
import { findWrongFigures } from '../../partners/affiliates/totals/recount.ts';
import { verifySeals } from '../../platform/audit/verify-seals.ts';
import { type RowInvariants, selectBroken } from './row-invariants.ts';
import { queryInvariants, rowInvariants } from './scoped.ts';

export type Invariant = { name: string; breaks: RawBuilder<unknown> };

export const invariants: readonly Invariant[] = [
  {
    name: 'affiliate counts per status equal the number of affiliates',
    breaks: sql`
      select program_id, status, stored.affiliates, counted.affiliates as counted
      from affiliate_counts as stored
      full join (select program_id, status, count(*) as affiliates from affiliates group by 1, 2) as counted using (program_id, status)
      where coalesce(stored.affiliates, 0) <> coalesce(counted.affiliates, 0)`,
  },
  {
    name: 'every referral code is a short link',
    breaks: sql`
      select affiliate.program_id, affiliate.id from affiliates as affiliate
      left join short_links as link on link.program_id = affiliate.program_id and link.slug = lower(affiliate.referral_code)
        and link.affiliate_id = affiliate.id and link.kind = 'code'
      where link.slug is null`,
  },
  {
    name: 'every vanity slug belongs to exactly the affiliate that has it',
    breaks: sql`
      select affiliate.program_id, affiliate.id, link.slug from affiliates as affiliate
      full join (select * from short_links where kind = 'vanity' and released_at is null) as link
        on link.program_id = affiliate.program_id and link.affiliate_id = affiliate.id and link.slug = affiliate.vanity_slug
      where (affiliate.id is null) or (affiliate.vanity_slug is not null and link.slug is null)`,
  },
  {
    name: 'no affiliate is in its own downline',
    breaks: sql`
      with recursive chain (program_id, root, id, steps) as (
        select program_id, id, parent_affiliate_id, 1 from affiliates where parent_affiliate_id is not null
        union all
        select chain.program_id, chain.root, affiliate.parent_affiliate_id, steps + 1
        from chain join affiliates as affiliate on affiliate.program_id = chain.program_id and affiliate.id = chain.id
        where affiliate.parent_affiliate_id is not null and chain.id <> chain.root and steps < 1000
      )
      select program_id, root from chain where id = root`,
  },
  {
    name: 'every landing page has its current and its approved revision',
    breaks: sql`
      select page.program_id, page.id from landing_pages as page
      where exists (
        select 1 from (values (page.revision), (page.approved_revision)) as named (revision)
        where named.revision is not null and not exists (
          select 1 from landing_page_revisions as stored_revision
          where stored_revision.program_id = page.program_id and stored_revision.page_id = page.id and stored_revision.revision = named.revision))`,
  },
  {
    name: 'a page slug belongs to a page or redirects to one, never both',
    breaks: sql`
      select program_id, slug from landing_pages join landing_page_forwards using (program_id, slug)`,
  },
  {
    name: 'every approval sent exactly one email',
    breaks: sql`
      select change.program_id, change.id from audit_log as change
      left join emails as mail on mail.program_id = change.program_id and mail.audit_id = change.id and mail.kind = 'approval'
      where change.action = 'affiliate.updated' and change.after ->> 'status' = 'active' and mail.id is null`,
  },
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
  {
    name: 'every recorded end of a ledger is still in it',
    breaks: sql`
      select seal.program_id, seal.after ->> 'seq' as seq from audit_log as seal
      left join ledger_entries as entry on entry.program_id = seal.program_id and entry.seq = (seal.after ->> 'seq')::bigint
      where seal.action = 'ledger.sealed' and encode(entry.hash, 'hex') is distinct from seal.after ->> 'hash'`,
  },
];

const everywhere = sql`true`;

export type Finding = { name: string; broken: unknown[] };

/** The faults in the seals of all audit logs. */
async function findSealFaults(db: Context['db']): Promise<unknown[]> {
  const programs = await db.selectFrom('auditSeals').select('programId').distinct().execute();
  const faults = [];
  for (const { programId } of programs) {
    const report = await verifySeals({ db }, programId);
    faults.push(...report.faults.map((fault) => ({ programId, ...fault })));
  }
  return faults;
}

/** Finds the violations of several invariants, in their order. */
type Check = { names: readonly string[]; find(db: Context['db']): Promise<unknown[][]>; isInOrderOfIds?: boolean | undefined };

const one = (name: string, find: (db: Context['db']) => Promise<unknown[]>): Check => ({
  names: [name],
  find: async (db) => [await find(db)],
});

function checkRows(group: RowInvariants): Check {
  const names = group.invariants.map(({ name }) => name);
  return {
    names,
    isInOrderOfIds: group.isInOrderOfIds,
    async find(db) {
      const { rows } = await selectBroken(group, everywhere).execute(db);
      return names.map((_, index) =>
        rows.filter(({ broken }) => broken.includes(index + 1)).map(({ programId, id, values }) => ({ programId, id, ...values[index] })),
      );
    },
  };
}

// The slowest first, so that the connections finish at the same time.
const checks: readonly Check[] = [
  ...rowInvariants.map(checkRows),
  one('the hash chains of the ledger are intact to their ends', (db) => findChainFaults(db, everywhere)),
  {
    names: [
      'daily totals equal the clicks, orders, refunds and commissions of their days',
      'lifetime totals equal the clicks, orders, refunds and commissions',
    ],
    async find(db) {
      const { daily, lifetime } = await findWrongTotals({ db });
      return [daily, lifetime];
    },
  },
  one('the seals of the audit logs are intact', findSealFaults),
  one('figures of affiliates equal their sources', (db) => findWrongFigures({ db })),
  ...queryInvariants.map(({ name, breaks, isInOrderOfIds }) => ({
    ...one(name, async (db) => (await breaks(everywhere).execute(db)).rows),
    isInOrderOfIds,
  })),
  ...invariants.map(({ name, breaks }) => one(name, async (db) => (await breaks.execute(db)).rows)),
];

const connections = 2;

/** Checks everything in one snapshot, on two connections that share it. A finding with an empty `broken` has no violations. */
export async function checkInvariants(ctx: Pick<Context, 'db'>): Promise<Finding[]> {
  const waiting = [...checks];
  const findings = new Map<string, unknown[]>();
  const work = async (db: Context['db']): Promise<void> => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      await sql`set local enable_hashjoin = ${sql.lit(check.isInOrderOfIds ? 'off' : 'on')}`.execute(db);
      const broken = await check.find(db);
      for (const [index, name] of check.names.entries()) findings.set(name, (broken[index] ?? []).map(showDifferences));
    }
  };
  await inSnapshot(ctx, null, async (db) => {
    const { rows } = await sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`.execute(db);
    const snapshot = rows[0]?.snapshot ?? '';
    const others = Array.from({ length: connections - 1 }, () => inSnapshot(ctx, snapshot, work));
    await Promise.all([work(db), ...others]);
  });
  return checks.flatMap(({ names }) => names).map((name) => ({ name, broken: findings.get(name) ?? [] }));
}

/** Of several values, those that differ are shown. */
function showDifferences(row: unknown): unknown {
  const { data } = Compared.safeParse(row);
  if (!data) return row;
  const names = Object.keys(data.stored).filter((name) => JSON.stringify(data.stored[name]) !== JSON.stringify(data.expected[name]));
  const pick = (values: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, values[name]]));
  return { ...data, stored: pick(data.stored), expected: pick(data.expected) };
}

const values = z.record(z.string(), z.unknown());
const Compared = z.looseObject({ stored: values, expected: values });

/** Runs `work` in a read-only transaction on this snapshot, or on the current data. */
function inSnapshot(ctx: Pick<Context, 'db'>, snapshot: string | null, work: (db: Context['db']) => Promise<void>): Promise<void> {
  return ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      if (snapshot !== null) await sql`set transaction snapshot ${sql.lit(snapshot)}`.execute(db);
      await sql`set local statement_timeout = '10min'`.execute(db);
      await sql`set local work_mem = '128MB'`.execute(db);
      await work(db);
    });
}
