// Invariants of the registers, which name the program of what is looked up before the program is known. As in money.ts,
// `scope` is a condition on program_id: each side is read for itself, so that a program can be checked on its node.
import { type RawBuilder, sql } from 'kysely';
import type { ScopedInvariant } from '../money.ts';

export const registerInvariants: readonly ScopedInvariant[] = [
  {
    name: 'every API key is registered with its program, and nothing else is',
    breaks: (scope) =>
      findDifferences({
        rows: sql`select program_id, id from api_keys where ${scope}`,
        registered: sql`select program_id, key_id as id from api_key_hashes where ${scope}`,
      }),
  },
  {
    name: 'every referral code is registered with its affiliate, and nothing else is',
    breaks: (scope) =>
      findDifferences({
        rows: sql`select program_id, referral_code as code, id as affiliate_id from affiliates where ${scope}`,
        registered: sql`select program_id, code, affiliate_id from referral_codes where ${scope}`,
      }),
  },
  {
    name: 'every provider is registered with its program, and nothing else is',
    breaks: (scope) =>
      findDifferences({
        rows: sql`select program_id, id from providers where ${scope}`,
        registered: sql`select program_id, provider_id as id from provider_addresses where ${scope}`,
      }),
  },
  {
    name: 'every image is registered with its program, and nothing else is',
    breaks: (scope) =>
      findDifferences({
        rows: sql`select program_id, id from media where ${scope}`,
        registered: sql`select program_id, media_id as id from media_addresses where ${scope}`,
      }),
  },
  {
    name: 'every host is registered with its domain, and every active domain has its host',
    breaks: (scope) => sql`
      select 'not registered' as fault, domain.program_id, domain.id from (select * from domains where status = 'active' and ${scope}) as domain
      where not exists (select from program_hosts as host where host.host = domain.host and host.domain_id = domain.id and host.is_active)
      union all
      select 'only registered', excess.* from (
        select program_id, domain_id from program_hosts where ${scope} except select program_id, id from domains where ${scope}
      ) as excess`,
  },
  {
    name: 'every affiliate, invitation, member and account is registered with its person, and nothing else is',
    breaks: (scope) =>
      findDifferences({
        rows: sql`
          (select program_id, 'affiliate' as kind, email_key as person from affiliates where ${scope}
          union all select program_id, 'invited', email_key from member_invitations where ${scope}
          union all select program_id, 'member', user_id::text from program_members where ${scope}
          union all select program_id, 'account', user_id::text from affiliate_accounts where ${scope})`,
        registered: sql`select program_id, kind, person from person_programs where ${scope}`,
      }),
  },
  {
    name: 'every vanity slug is registered with the first program that took it, and nothing else is',
    breaks: (scope) => sql`
      select 'not registered' as fault, link.program_id, link.slug from (select * from short_links where kind = 'vanity' and ${scope}) as link
      join (select * from affiliates where ${scope}) as affiliate on affiliate.id = link.affiliate_id
      where not exists (select from bare_links as bare where bare.slug = link.slug)
        and not exists (select from referral_codes as code where code.code = upper(link.slug)) and ${isKnownSince(sql`affiliate.created_at`)}
      union all
      select 'only registered', excess.* from (
        select program_id, slug from bare_links where ${scope} except select program_id, slug from short_links where kind = 'vanity' and ${scope}
      ) as excess`,
  },
  {
    name: 'every slug of a page is registered with the first program that used it, and nothing else is',
    breaks: (scope) => sql`
      select 'not registered' as fault, page.program_id, page.slug from (${selectPageSlugs(scope)}) as page
      where not exists (select from bare_pages as bare where bare.slug = page.slug) and ${isKnownSince(sql`page.created_at`)}
      union all
      select 'only registered', excess.* from (
        select program_id, slug from bare_pages where ${scope} except select program_id, slug from (${selectPageSlugs(scope)}) as page
      ) as excess`,
  },
];

/** The current and the former slugs of pages. */
function selectPageSlugs(scope: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select program_id, slug, created_at from landing_pages where ${scope}
    union all
    select page.program_id, forward.slug, page.created_at from (select * from landing_page_forwards where ${scope}) as forward
    join (select * from landing_pages where ${scope}) as page on page.id = forward.page_id`;
}

/** A program that was deleted since then may have been the first with the same slug, which then names no program. */
function isKnownSince(createdAt: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`not exists (select from deleted_programs as deleted where deleted.deleted_at >= ${createdAt})`;
}

/** Two queries with the same columns. */
type Compared = { rows: RawBuilder<unknown>; registered: RawBuilder<unknown> };

/** What only one of them returns. */
function findDifferences({ rows, registered }: Compared): RawBuilder<unknown> {
  return sql`
    select 'not registered' as fault, missing.* from (${rows} except ${registered}) as missing
    union all
    select 'only registered', excess.* from (${registered} except ${rows}) as excess`;
}
