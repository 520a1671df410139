// The affiliate of a link, and the program's terms for clicks. Read in batches and cached briefly, so that a flood costs
// the database little; if the database fails, visitors are redirected with the values that were read last.
import type { Context } from '../../../context.ts';
import { createBlockCheck } from '../../../platform/lib/network/ip-address.ts';
import { readTestClocks } from '../../../platform/test-clocks/program-clock.ts';
import { buildDestinations, type Destinations } from '../destination.ts';
import type { Progress } from '../recording/deadline.ts';
import { type ClickSettings, parseClickSettings } from '../settings.ts';
import { createLinkFinder, type FoundLink, type Link, type LinkName, readPrograms, toName } from './find-links.ts';
import { createReadThroughCache } from './read-through-cache.ts';

export type ProgramTerms = {
  settings: ClickSettings;
  isBlockedAddress: (ip: string) => boolean;
  destinations: Destinations;
  windowDays: number;
  timezone: string;
  /** The program will be deleted: its links don't work. */
  isDeleting: boolean;
  /** How far the program's clock is ahead, in test mode. */
  aheadMs: number;
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
  const links = createReadThroughCache(ctx, createLinkFinder(ctx), {
    toName,
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

async function readProgramIds(ctx: Context, names: readonly string[]): Promise<(string | null)[]> {
  const programs = await readPrograms(ctx.db, names);
  return names.map((name) => programs.get(name) ?? null);
}

async function readTerms(ctx: Context, ids: readonly string[]): Promise<(ProgramTerms | null)[]> {
  const rows = await ctx.db
    .selectFrom('programs')
    .select(['id', 'websiteUrl', 'destinationHosts', 'clickSettings', 'attributionWindowDays', 'timezone', 'deleteAfter'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  const clocks = await readTestClocks(ctx);
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
          aheadMs: clocks.get(row.id) ?? 0,
        },
      ];
    }),
  );
  return ids.map((id) => terms.get(id) ?? null);
}
