// The affiliates of links. Registers name the program where the address doesn't: of a code, with its affiliate, of a bare slug
// and of the bare slug of a page. Slugs are then looked up in their program, so that no look-up asks all programs.
import type { Context } from '../../../context.ts';
import { readTogether } from '../../../platform/db/statements/pipeline.ts';
import { plainSql } from '../../../platform/db/statements/plain-sql.ts';

/**
 * A link as it was requested. `any` is a code or a vanity slug. `program` is an id or a slug; when it is empty, a slug names
 * the program that owns its bare address.
 */
export type LinkName = { kind: 'any' | 'code' | 'slug' | 'page'; name: string; program: string };

export type Link = { programId: string; affiliateId: string; referralCode: string; slug: string };
export type FoundLink = Link & { isCode: boolean };

type Db = Context['db'];
type Code = { code: string; programId: string; affiliateId: string };
type Owned = { slug: string; programId: string };
type Registers = {
  codes: ReadonlyMap<string, Code>;
  /** The programs of bare slugs: of links, and of pages. */
  slugs: ReadonlyMap<string, string>;
  pages: ReadonlyMap<string, string>;
  /** By id and by slug. */
  programs: ReadonlyMap<string, string>;
};
const noRegisters: Registers = { codes: new Map(), slugs: new Map(), pages: new Map(), programs: new Map() };

/** A slug of a program. */
type Slug = { programId: string; isPage: boolean; slug: string };

const placeMs = 60_000;
const maxPlaces = 20_000;

/**
 * Finds for each name the best match: codes before vanity slugs, pages before their former slugs; null for an unknown name.
 * The program of a slug that was found is remembered for a minute: it changes only when a program is deleted, and no code
 * equals a slug.
 */
export function createLinkFinder({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const places = new Map<string, { slug: Slug; until: number }>();
  const recall = (name: LinkName): Slug | null => {
    const place = places.get(toName(name));
    return place && place.until > clock.now().getTime() ? place.slug : null;
  };
  const remember = (name: LinkName, slug: Slug) => {
    if (places.size >= maxPlaces) places.clear();
    places.set(toName(name), { slug, until: clock.now().getTime() + placeMs });
  };
  return async (names: readonly LinkName[]): Promise<(FoundLink | null)[]> => {
    const recalled = names.map(recall);
    const unknown = names.filter((_, index) => recalled[index] === null);
    const registers = unknown.length === 0 ? noRegisters : await readTogether(db, (together) => readRegisters(together, unknown));
    const found = names.map((name, index) => recalled[index] ?? findCode(name, registers) ?? findSlug(name, registers));
    const slugs = found.flatMap((place) => (isSlug(place) ? [place] : []));
    const links = slugs.length === 0 ? new Map<string, FoundLink>() : await readTogether(db, (together) => readSlugs(together, slugs));
    return names.map((name, index) => {
      const place = found[index] ?? null;
      if (!isSlug(place)) return place;
      const link = links.get(toKey(place)) ?? null;
      if (link && recalled[index] === null) remember(name, place);
      return link;
    });
  };
}

const isSlug = (place: FoundLink | Slug | null): place is Slug => place !== null && 'isPage' in place;

/** A link as a key of a cache. */
export const toName = ({ kind, program, name }: LinkName): string => `${kind} ${program} ${name}`;

function findCode({ kind, name, program }: LinkName, { codes, programs }: Registers): FoundLink | null {
  const found = kind === 'any' || kind === 'code' ? codes.get(name.toUpperCase()) : undefined;
  if (!found || (program !== '' && programs.get(program) !== found.programId)) return null;
  const { programId, affiliateId, code } = found;
  return { programId, affiliateId, referralCode: code, slug: name.toLowerCase(), isCode: true };
}

function findSlug({ kind, name, program }: LinkName, { slugs, pages, programs }: Registers): Slug | null {
  if (kind === 'code') return null;
  const isPage = kind === 'page';
  const slug = isPage ? name : name.toLowerCase();
  const programId = program === '' ? (isPage ? pages : slugs).get(slug) : programs.get(program);
  return programId === undefined ? null : { programId, isPage, slug };
}

async function readRegisters(db: Db, names: readonly LinkName[]): Promise<Registers> {
  const asked = (kinds: readonly LinkName['kind'][], isBare: boolean) =>
    names.flatMap(({ kind, name, program }) => (kinds.includes(kind) && (program === '' || !isBare) ? [name] : []));
  const [codes, slugs, pages, programs] = await Promise.all([
    readCodes(db, asked(['any', 'code'], false)),
    readBareSlugs(db, asked(['any', 'slug'], true)),
    readBarePages(db, asked(['page'], true)),
    readPrograms(
      db,
      names.flatMap(({ program }) => program || []),
    ),
  ]);
  return { codes, slugs, pages, programs };
}

async function readCodes(db: Db, names: readonly string[]): Promise<Registers['codes']> {
  if (names.length === 0) return new Map();
  const codes = names.map((name) => name.toUpperCase());
  const { rows } = await plainSql<Code>`
    select code, program_id, affiliate_id from referral_codes where code = any(${codes}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.code, row]));
}

async function readBareSlugs(db: Db, names: readonly string[]): Promise<Registers['slugs']> {
  if (names.length === 0) return new Map();
  const slugs = names.map((name) => name.toLowerCase());
  const { rows } = await plainSql<Owned>`select slug, program_id from bare_links where slug = any(${slugs}::text[])`.execute(db);
  return new Map(rows.map(({ slug, programId }) => [slug, programId]));
}

async function readBarePages(db: Db, slugs: readonly string[]): Promise<Registers['pages']> {
  if (slugs.length === 0) return new Map();
  const { rows } = await plainSql<Owned>`select slug, program_id from bare_pages where slug = any(${slugs}::text[])`.execute(db);
  return new Map(rows.map(({ slug, programId }) => [slug, programId]));
}

/** The ids of programs by what names them: an id or a slug. */
export async function readPrograms(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const { rows } = await plainSql<{ id: string; slug: string }>`
    select id, slug from programs where id::text = any(${names}::text[]) or slug = any(${names}::text[])`.execute(db);
  return new Map(
    rows.flatMap(({ id, slug }): [string, string][] => [
      [slug, id],
      [id, id],
    ]),
  );
}

type InProgram = Omit<FoundLink, 'isCode'> & { name: string };

/** The links of slugs, by their keys: one statement per program and kind. */
async function readSlugs(db: Db, asked: readonly Slug[]): Promise<ReadonlyMap<string, FoundLink>> {
  const groups = Object.groupBy(asked, ({ programId, isPage }) => `${programId} ${isPage}`);
  const found = await Promise.all(
    Object.values(groups).map(async (group = []) => {
      const { programId = '', isPage = false } = group[0] ?? {};
      const slugs = group.map(({ slug }) => slug);
      const rows = await (isPage ? readPages(db, programId, slugs) : readVanitySlugs(db, programId, slugs));
      return rows.map(({ name, ...link }): [string, FoundLink] => [toKey({ programId, isPage, slug: name }), { ...link, isCode: false }]);
    }),
  );
  return new Map(found.flat());
}

const toKey = ({ programId, isPage, slug }: Slug): string => `${programId} ${isPage} ${slug}`;

async function readVanitySlugs(db: Db, programId: string, slugs: readonly string[]): Promise<InProgram[]> {
  const { rows } = await plainSql<InProgram>`
    select link.slug as name, link.program_id, link.affiliate_id, link.slug, affiliate.referral_code from short_links as link
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = link.affiliate_id
    where link.program_id = ${programId} and link.slug = any(${slugs}::text[]) and link.kind = 'vanity'`.execute(db);
  return rows;
}

/** A page follows its former slugs, so that it replaces a page that had its slug before. */
async function readPages(db: Db, programId: string, slugs: readonly string[]): Promise<InProgram[]> {
  const { rows } = await plainSql<InProgram>`
    select named.name, page.program_id, page.affiliate_id, page.slug, affiliate.referral_code
    from (
      select slug as name, page_id as id, 1 as rank from landing_page_forwards where program_id = ${programId} and slug = any(${slugs}::text[])
      union all
      select slug, id, 2 from landing_pages where program_id = ${programId} and slug = any(${slugs}::text[])
    ) as named
    join landing_pages as page on page.program_id = ${programId} and page.id = named.id
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = page.affiliate_id
    order by named.rank`.execute(db);
  return rows;
}
