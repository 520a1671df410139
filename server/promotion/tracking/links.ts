// Which affiliate a link names, and what the program says about clicks. Read in batches and kept for a moment,
// so that a flood costs the database little; if it fails, what was known last still leads visitors on.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { createBatcher } from '../../platform/lib/concurrency/micro-batch.ts';
import { Unavailable } from '../../platform/lib/errors.ts';
import { type Destinations, destinationsOf } from './destination.ts';
import { blockCheck } from './recording/addresses.ts';
import { type Progress, within } from './recording/within.ts';
import { type ClickSettings, readSettings } from './settings.ts';

/** `any` is a code or a vanity slug. `program`: an id or a slug, or '' for whichever program has it alone. */
export type LinkName = { kind: 'any' | 'code' | 'slug' | 'page'; name: string; program: string };

export type Link = { programId: string; affiliateId: string; referralCode: string; slug: string };
export type Terms = {
  settings: ClickSettings;
  isBlockedAddress: (ip: string) => boolean;
  destinations: Destinations;
  windowDays: number;
  timezone: string;
};
export type Links = {
  /** How far each kind of look-up has come. */
  progress: { links: Progress; terms: Progress };
  /** Null for a name that leads nowhere, or to several programs. Throws Unavailable. */
  find(name: LinkName): Promise<Link | null>;
  /** Throws Unavailable. */
  terms(programId: string): Promise<Terms>;
  /** What was read last, however old it is, without asking the database; null for what isn't known. */
  lastKnown(name: LinkName): { link: Link; terms: Terms } | null;
};

const freshMs = 1000;
/** A code belongs to its affiliate for good. */
const codeFreshMs = 60_000;
const maxKept = 20_000;
/** As long as the database lets a statement run (db/connect.ts). Visitors wait less: their visit has a deadline of its own. */
const readMs = 5000;
const plausible = /^[\x21-\x7e]{1,64}$/;

export function linkKeeper(ctx: Context): Links {
  const findLink = keeper(ctx, (names: readonly LinkName[]) => readLinks(ctx, names), {
    keyOf: ({ kind, program, name }: LinkName) => `${kind} ${program} ${name}`,
    freshMsOf: (link: FoundLink | null) => (link === null ? 0 : link.isCode ? codeFreshMs : freshMs),
  });
  const findTerms = keeper(ctx, (ids: readonly string[]) => readTerms(ctx, ids), {
    keyOf: (id: string) => id,
    freshMsOf: () => freshMs,
  });
  return {
    progress: { links: findLink.progress, terms: findTerms.progress },
    find: async (name) => (plausible.test(name.name) && plausible.test(name.program || '-') ? findLink.get(name) : null),
    lastKnown(name) {
      const link = findLink.last(name);
      const terms = link && findTerms.last(link.programId);
      return link && terms ? { link, terms } : null;
    },
    async terms(programId) {
      const terms = await findTerms.get(programId);
      if (!terms) throw new Error('A link names a program that is not there.');
      return terms;
    },
  };
}

type Keeper<Key, Value> = { progress: Progress; get(key: Key): Value | null | Promise<Value | null>; last(key: Key): Value | null };
type Keeping<Key, Value> = { keyOf(key: Key): string; freshMsOf(value: Value | null): number };

/** Reads through a bounded cache; requests that miss together are read together. */
function keeper<Key, Value>(
  ctx: Context,
  read: (keys: readonly Key[]) => Promise<(Value | null)[]>,
  { keyOf, freshMsOf }: Keeping<Key, Value>,
): Keeper<Key, Value> {
  const progress: Progress = { movedAt: 0 };
  const kept = new Map<string, { value: Value | null; until: number }>();
  const ask = createBatcher<Key, Value | null | Unavailable>({
    concurrency: 2,
    maxBatch: 500,
    maxWaiting: 20_000,
    overloadError: () => new Unavailable('Too many links are being looked up. Try again.'),
    run: (keys) => within(readMs, read(keys)).catch((error) => keys.map(() => new Unavailable(error))),
  });
  const refresh = async (key: Key, name: string): Promise<Value | null> => {
    const value = await ask(key).catch((error: Unavailable) => error);
    if (value instanceof Unavailable) {
      const last = kept.get(name);
      if (last) return last.value;
      throw value;
    }
    progress.movedAt = performance.now();
    kept.delete(name);
    const freshFor = freshMsOf(value);
    if (freshFor > 0) kept.set(name, { value, until: ctx.clock.now().getTime() + freshFor });
    if (kept.size > maxKept) for (const oldest of kept.keys()) if (kept.delete(oldest)) break;
    return value;
  };
  /** One look-up per link at a time: visits of a link that is being read wait for the same answer, so that no work piles up. */
  const underWay = new Map<string, Promise<Value | null>>();
  return {
    progress,
    get(key) {
      const name = keyOf(key);
      const found = kept.get(name);
      if (found && ctx.clock.now().getTime() < found.until) return found.value;
      const running = underWay.get(name) ?? refresh(key, name).finally(() => underWay.delete(name));
      underWay.set(name, running);
      return running;
    },
    last: (key) => kept.get(keyOf(key))?.value ?? null,
  };
}

type FoundLink = Link & { isCode: boolean };

/** For each name the best kind of link that has it, if only one program does. */
async function readLinks(ctx: Context, names: readonly LinkName[]): Promise<(FoundLink | null)[]> {
  const { rows } = await sql<FoundLink & { number: number; rank: number }>`
    select asked.number, found.rank, found.program_id, found.affiliate_id, found.slug, affiliate.referral_code, found.rank = 1 as is_code
    from unnest(${names.map(({ kind }) => kind)}::text[], ${names.map(({ name }) => name)}::text[],
      ${names.map(({ name }) => name.toUpperCase())}::text[], ${names.map(({ name }) => name.toLowerCase())}::text[],
      ${names.map(({ program }) => program)}::text[]) with ordinality as asked (kind, name, upper, lower, program, number)
    cross join lateral (
      select 1 as rank, program_id, affiliate_id, asked.lower as slug from referral_codes
        where asked.kind in ('any', 'code') and code = asked.upper
      union all
      select 2, program_id, affiliate_id, slug from short_links
        where asked.kind in ('any', 'slug') and slug = asked.lower and kind = 'vanity'
      union all
      select 3, program_id, affiliate_id, slug from landing_pages where asked.kind = 'page' and slug = asked.name
      union all
      select 4, page.program_id, page.affiliate_id, page.slug from landing_page_forwards as forward
        join landing_pages as page on page.program_id = forward.program_id and page.id = forward.page_id
        where asked.kind = 'page' and forward.slug = asked.name
    ) as found
    join programs as program on program.id = found.program_id
    join affiliates as affiliate on affiliate.program_id = found.program_id and affiliate.id = found.affiliate_id
    where asked.program in ('', program.id::text, program.slug)
    order by asked.number, found.rank`.execute(ctx.db);
  const byNumber = Map.groupBy(rows, ({ number }) => Number(number));
  return names.map((_, index) => {
    const [best, ...others] = byNumber.get(index + 1) ?? [];
    if (!best || others.some(({ rank, programId }) => rank === best.rank && programId !== best.programId)) return null;
    const { programId, affiliateId, referralCode, slug, isCode } = best;
    return { programId, affiliateId, referralCode, slug, isCode };
  });
}

async function readTerms(ctx: Context, ids: readonly string[]): Promise<(Terms | null)[]> {
  const rows = await ctx.db
    .selectFrom('programs')
    .select(['id', 'websiteUrl', 'destinationHosts', 'clickSettings', 'attributionWindowDays', 'timezone'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  const terms = new Map(
    rows.map((row): [string, Terms] => {
      const settings = readSettings(row.clickSettings);
      return [
        row.id,
        {
          settings,
          isBlockedAddress: blockCheck(settings.blockedIpRanges),
          destinations: destinationsOf(row.websiteUrl, row.destinationHosts),
          windowDays: row.attributionWindowDays,
          timezone: row.timezone,
        },
      ];
    }),
  );
  return ids.map((id) => terms.get(id) ?? null);
}
