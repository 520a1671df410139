// The affiliate of a link, and the program's terms for clicks. Read in batches and cached briefly, so that a flood costs
// the database little; if the database fails, visitors are redirected with the values that were read last.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { createBlockCheck } from '../../platform/lib/network/ip-address.ts';
import { buildDestinations, type Destinations } from './destination.ts';
import { createReadThroughCache } from './read-through-cache.ts';
import type { Progress } from './recording/deadline.ts';
import { type ClickSettings, parseClickSettings } from './settings.ts';

/**
 * A link as it was requested. `any` is a code or a vanity slug. `program` is an id or a slug; when it is empty, a vanity
 * slug names the program that owns its bare address, and a page the oldest one with that slug.
 */
export type LinkName = { kind: 'any' | 'code' | 'slug' | 'page'; name: string; program: string };

export type Link = { programId: string; affiliateId: string; referralCode: string; slug: string };
export type ProgramTerms = {
  settings: ClickSettings;
  isBlockedAddress: (ip: string) => boolean;
  destinations: Destinations;
  windowDays: number;
  timezone: string;
  /** The program will be deleted: its links don't work. */
  isDeleting: boolean;
};
/** A link with the terms of its program. */
export type KnownLink = { link: Link; terms: ProgramTerms };
export type Links = {
  /** How far look-ups have come. */
  progress: { links: Progress; terms: Progress };
  /** Null for an unknown name. Immediately if it is cached. `onTerms` is called when the terms are looked up. Throws Unavailable. */
  find(name: LinkName, onTerms?: () => void): KnownLink | null | Promise<KnownLink | null>;
  /** The website of a program by its id or slug; null without one. Throws Unavailable. */
  findWebsite(program: string): Promise<string | null>;
  /** The values that were read last, of any age, without a query; null if unknown. */
  getLast(name: LinkName): KnownLink | null;
};

const freshMs = 1000;
/** A code belongs to its affiliate permanently. */
const codeFreshMs = 60_000;
const plausibleName = /^[\x21-\x7e]{1,64}$/;

export function createLinkCache(ctx: Context): Links {
  const links = createReadThroughCache(ctx, (names: readonly LinkName[]) => readLinks(ctx, names), {
    toName: ({ kind, program, name }: LinkName) => `${kind} ${program} ${name}`,
    freshMs: (link: FoundLink | null) => (link === null ? 0 : link.isCode ? codeFreshMs : freshMs),
  });
  const terms = createReadThroughCache(ctx, (ids: readonly string[]) => readTerms(ctx, ids), {
    toName: (id: string) => id,
    freshMs: () => freshMs,
  });
  const programs = createReadThroughCache(ctx, (names: readonly string[]) => readProgramIds(ctx, names), {
    toName: (name: string) => name,
    freshMs: (id: string | null) => (id === null ? 0 : codeFreshMs),
  });
  const withTerms = (link: Link | null): KnownLink | null | Promise<KnownLink> => {
    if (!link) return null;
    const found = terms.get(link.programId);
    return found instanceof Promise ? found.then((read) => join(link, read)) : join(link, found);
  };
  return {
    progress: { links: links.progress, terms: terms.progress },
    find(name, onTerms) {
      if (!plausibleName.test(name.name) || !plausibleName.test(name.program || '-')) return null;
      const found = links.get(name);
      if (!(found instanceof Promise)) return withTerms(found);
      return found.then((link) => {
        onTerms?.();
        return withTerms(link);
      });
    },
    getLast(name) {
      const link = links.getLast(name);
      const known = link && terms.getLast(link.programId);
      return link && known ? { link, terms: known } : null;
    },
    async findWebsite(program) {
      const id = plausibleName.test(program) ? await programs.get(program) : null;
      const found = id === null ? null : await terms.get(id);
      return !found || found.isDeleting ? null : found.destinations.website;
    },
  };
}

function join(link: Link, terms: ProgramTerms | null): KnownLink {
  if (!terms) throw new Error('A link refers to a program that does not exist.');
  return { link, terms };
}

type FoundLink = Link & { isCode: boolean };

/** For each name the best match: codes before vanity slugs, pages before their former slugs. */
async function readLinks(ctx: Context, names: readonly LinkName[]): Promise<(FoundLink | null)[]> {
  const { rows } = await sql<FoundLink & { number: number }>`
    select distinct on (asked.number) asked.number, found.program_id, found.affiliate_id, found.slug, affiliate.referral_code,
      found.rank = 1 as is_code
    from unnest(${names.map(({ kind }) => kind)}::text[], ${names.map(({ name }) => name)}::text[],
      ${names.map(({ name }) => name.toUpperCase())}::text[], ${names.map(({ name }) => name.toLowerCase())}::text[],
      ${names.map(({ program }) => program)}::text[]) with ordinality as asked (kind, name, upper, lower, program, number)
    cross join lateral (
      select 1 as rank, program_id, affiliate_id, asked.lower as slug, null::timestamptz as since from referral_codes
        where asked.kind in ('any', 'code') and code = asked.upper
      union all
      select 2, program_id, affiliate_id, slug, null from short_links
        where asked.kind in ('any', 'slug') and slug = asked.lower and kind = 'vanity'
          and (asked.program <> '' or program_id = (select bare.program_id from bare_links as bare where bare.slug = asked.lower))
      union all
      select 3, program_id, affiliate_id, slug, created_at from landing_pages where asked.kind = 'page' and slug = asked.name
      union all
      select 4, page.program_id, page.affiliate_id, page.slug, page.created_at from landing_page_forwards as forward
        join landing_pages as page on page.program_id = forward.program_id and page.id = forward.page_id
        where asked.kind = 'page' and forward.slug = asked.name
    ) as found
    join programs as program on program.id = found.program_id
    join affiliates as affiliate on affiliate.program_id = found.program_id and affiliate.id = found.affiliate_id
    where asked.program in ('', program.id::text, program.slug)
    order by asked.number, found.rank, found.since, found.program_id`.execute(ctx.db);
  const byNumber = new Map(rows.map((row) => [Number(row.number), row]));
  return names.map((_, index) => {
    const found = byNumber.get(index + 1);
    if (!found) return null;
    const { programId, affiliateId, referralCode, slug, isCode } = found;
    return { programId, affiliateId, referralCode, slug, isCode };
  });
}

async function readProgramIds(ctx: Context, names: readonly string[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ id: string; slug: string }>`
    select id, slug from programs where id::text = any(${[...names]}::text[]) or slug = any(${[...names]}::text[])`.execute(ctx.db);
  return names.map((name) => rows.find(({ id, slug }) => id === name || slug === name)?.id ?? null);
}

async function readTerms(ctx: Context, ids: readonly string[]): Promise<(ProgramTerms | null)[]> {
  const rows = await ctx.db
    .selectFrom('programs')
    .select(['id', 'websiteUrl', 'destinationHosts', 'clickSettings', 'attributionWindowDays', 'timezone', 'deleteAfter'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  const terms = new Map(
    rows.map((row): [string, ProgramTerms] => {
      const settings = parseClickSettings(row.clickSettings);
      return [
        row.id,
        {
          settings,
          isBlockedAddress: createBlockCheck(settings.blockedIpRanges),
          destinations: buildDestinations(row.websiteUrl, row.destinationHosts),
          windowDays: row.attributionWindowDays,
          timezone: row.timezone,
          isDeleting: row.deleteAfter !== null,
        },
      ];
    }),
  );
  return ids.map((id) => terms.get(id) ?? null);
}
