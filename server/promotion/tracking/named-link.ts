// Links that affiliates named, for a channel or to a page of the website. All of them are the affiliate's link with
// parameters: the sub ID distinguishes their clicks and orders, the destination is checked again at every click.
import { sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { toSlug } from '../../platform/lib/slug.ts';
import { buildDestinations } from './destination.ts';

type Owner = { programId: string; affiliateId: string };

/** How many links an affiliate can name. */
export const maxNamedLinks = 100;

export type NamedLink = {
  id: string;
  name: string;
  destination: string | null;
  subId: string;
  clicks: number;
  orders: number;
  createdAt: Date;
};

/** The affiliate's links, newest first, with their clicks and orders since `from`. */
export async function listNamedLinks(ctx: Pick<Context, 'db'>, { programId, affiliateId }: Owner, from: Date): Promise<NamedLink[]> {
  const { rows } = await sql<NamedLink>`
    with visits as (
      select sub_ids[1] as sub_id, count(*) as clicks from clicks
      where program_id = ${programId} and affiliate_id = ${affiliateId} and created_at >= ${from} and sub_ids[1] is not null group by 1
    ), sales as (
      select sub_id, count(*) as orders from conversions
      where program_id = ${programId} and affiliate_id = ${affiliateId} and occurred_at >= ${from} and sub_id is not null group by 1
    )
    select link.id, link.name, link.destination, link.sub_id, link.created_at, coalesce(visits.clicks, 0) as clicks,
      coalesce(sales.orders, 0) as orders
    from affiliate_links as link left join visits on visits.sub_id = link.sub_id left join sales on sales.sub_id = link.sub_id
    where link.program_id = ${programId} and link.affiliate_id = ${affiliateId}
    order by link.created_at desc, link.id desc`.execute(ctx.db);
  return rows;
}

/** Adds a link, with a sub ID derived from its name. The affiliate must be locked. Null if there are too many. */
export async function addNamedLink(
  tx: Tx,
  { programId, affiliateId }: Owner,
  { name, destination }: { name: string; destination: string | null },
): Promise<{ id: string; subId: string } | null> {
  const { rows } = await sql<{ subId: string }>`
    select sub_id from affiliate_links where program_id = ${programId} and affiliate_id = ${affiliateId}`.execute(tx.db);
  if (rows.length >= maxNamedLinks) return null;
  const subId = chooseSubId(toSlug(name) || 'link', new Set(rows.map((row) => row.subId)));
  const id = tx.ids.uuid();
  const link = { programId, affiliateId, id, name, destination, subId, createdAt: tx.clock.now() };
  await tx.db.insertInto('affiliateLinks').values(link).execute();
  return { id, subId };
}

function chooseSubId(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const subId = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(subId)) return subId;
  }
}

/** Deletes a link of the affiliate and returns its name; null if it is not theirs. */
export async function deleteNamedLink(tx: Tx, { programId, affiliateId }: Owner, id: string): Promise<string | null> {
  const links = tx.db.deleteFrom('affiliateLinks').where('programId', '=', programId).where('affiliateId', '=', affiliateId);
  return (await links.where('id', '=', id).returning('name').executeTakeFirst())?.name ?? null;
}

/** The address of a named link. */
export function buildNamedUrl(linkUrl: string, { destination, subId }: Pick<NamedLink, 'destination' | 'subId'>): string {
  const target = destination === null ? '' : `url=${encodeURIComponent(destination)}&`;
  return `${linkUrl}?${target}sub1=${encodeURIComponent(subId)}`;
}

/** Where links of a program may lead, and the hosts to name when an address is not allowed. */
export async function readDestinations(ctx: Pick<Context, 'db'>, programId: string) {
  const { websiteUrl, destinationHosts } = await ctx.db
    .selectFrom('programs')
    .select(['websiteUrl', 'destinationHosts'])
    .where('id', '=', programId)
    .executeTakeFirstOrThrow();
  const website = websiteUrl === null ? null : URL.parse(websiteUrl);
  const hosts = [...new Set([...(website ? [website.host] : []), ...destinationHosts])];
  return { destinations: buildDestinations(websiteUrl, destinationHosts), hosts };
}
