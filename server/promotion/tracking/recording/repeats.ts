// Duplicates (Contract §8): the first click of an address, user agent and affiliate, for as long as others are duplicates
// of it. `click_repeats` decides which is the first, exactly across all processes; a first click that is known needs no query.
import { createHash } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import type { Tx } from '../../../context.ts';
import { toArrayText } from '../../../platform/db/statements/array-text.ts';
import type { Click, ClickRow, Recorded } from './click.ts';

/** A click that was recorded (`row`) or rejected. */
export type Decision = { outcome: Recorded; row: ClickRow | null };
type First = { clickId: string; until: number };

export type Repeats = {
  /** The id of the first click; null if unknown. */
  find(fingerprint: string, at: Date): string | null;
  remember(fingerprint: string, first: First): void;
};

const maxFirsts = 200_000;

export function createRepeats(): Repeats {
  const firsts = new Map<string, First>();
  return {
    find(fingerprint, at) {
      const known = firsts.get(fingerprint);
      return known && known.until > at.getTime() ? known.clickId : null;
    },
    remember(fingerprint, first) {
      firsts.delete(fingerprint);
      firsts.set(fingerprint, first);
      if (firsts.size > maxFirsts) for (const oldest of firsts.keys()) if (firsts.delete(oldest)) break;
    },
  };
}

/** Equal for clicks of one address, user agent and affiliate. In hex. */
export function toFingerprint(address: string, { link, agent }: Click): string {
  return createHash('sha256').update(address).update(`${link.affiliateId} ${agent}`).digest('hex').slice(0, 32);
}

/** What the settings make of a click whose first click is `firstId`: itself, unless it is a duplicate. */
export function decideRepeat(row: ClickRow, firstId: string | null): Decision {
  if (firstId === null || firstId === row.id) return recordedAs(row);
  const { duplicates } = row.click.settings;
  if (duplicates === 'ignore') return { outcome: { recorded: false, clickId: firstId, reason: 'duplicate' }, row: null };
  return recordedAs({ ...row, flag: row.flag ?? { reason: 'duplicate', action: duplicates } });
}

export function rejectedBy(reason: string): Decision {
  return { outcome: { recorded: false, clickId: null, reason }, row: null };
}

function recordedAs(row: ClickRow): Decision {
  return { outcome: { recorded: true, clickId: row.id, reason: row.flag?.reason ?? null }, row };
}

const onConflict = (now: string) => `
  on conflict on constraint click_repeats_pkey do update set
    click_id = case when known.expires_at <= ${now} then excluded.click_id else known.click_id end,
    expires_at = case when known.expires_at <= ${now} then excluded.expires_at else known.expires_at end
  returning encode(fingerprint, 'hex') as fingerprint, click_id, expires_at`;
/** Rows are locked in the order of their keys, so that processes can't deadlock. */
const rememberFirsts = `
  insert into click_repeats as known (program_id, fingerprint, click_id, expires_at)
  select $1::uuid, fingerprint, click_id, expires_at
  from unnest($2::bytea[], $3::uuid[], $4::timestamptz[]) as sent (fingerprint, click_id, expires_at)
  order by fingerprint${onConflict('$5::timestamptz')}`;
/** For a cluster, which rejects parameters in ON CONFLICT of INSERT … SELECT. */
const rememberFirst = `
  insert into click_repeats as known (program_id, fingerprint, click_id, expires_at)
  values ($1, $2::bytea, $3::uuid, $4::timestamptz)${onConflict('$5::timestamptz')}`;

type Stored = { fingerprint: string; clickId: string; expiresAt: Date };

/** The first clicks of one program's rows, by fingerprint. Until the transaction ends, other processes wait for them. */
export async function findFirsts(tx: Tx, rows: readonly ClickRow[]): Promise<Map<string, First>> {
  const asked = new Map<string, ClickRow>();
  for (const row of rows) if (row.fingerprint !== null && !asked.has(row.fingerprint)) asked.set(row.fingerprint, row);
  const [first] = asked.values();
  if (!first) return new Map();
  const { link, at: now } = first.click;
  const sent = [...asked].map(
    ([
      fingerprint,
      {
        id,
        click: { at, settings },
      },
    ]) => ({
      fingerprint: `\\x${fingerprint}`,
      id,
      expiresAt: new Date(at.getTime() + settings.dedupeSeconds * 1000).toISOString(),
    }),
  );
  const column = (pick: (row: (typeof sent)[number]) => string) => toArrayText(sent.map(pick));
  const run = async (text: string, values: readonly string[]): Promise<Stored[]> =>
    (await tx.db.executeQuery<Stored>(CompiledQuery.raw(text, [link.programId, ...values, now]))).rows;
  const byKey = sent.toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
  const found = tx.allProgramsDb
    ? (await Promise.all(byKey.map(({ fingerprint, id, expiresAt }) => run(rememberFirst, [fingerprint, id, expiresAt])))).flat()
    : await run(rememberFirsts, [column((row) => row.fingerprint), column(({ id }) => id), column((row) => row.expiresAt)]);
  return new Map(found.map(({ fingerprint, clickId, expiresAt }) => [fingerprint, { clickId, until: expiresAt.getTime() }]));
}
