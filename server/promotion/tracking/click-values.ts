// What clicks are counted and filtered by, and with them the orders that were credited by a click.
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { logged } from '../../platform/http/declaration/fields.ts';

/** Expressions over a row `click`; null if the click has none. */
export const clickValues = {
  link: sql`nullif(click.slug, '')`,
  landingPage: sql`nullif(split_part(click.destination, '?', 1), '')`,
  country: sql`nullif(click.country, '')`,
  source: sql`nullif(click.referrer_host, '')`,
  // Tablets say that they are one, or are Android devices that don't say "Mobile".
  device: sql`case when click.agent is null or click.agent = '' then null
    when click.agent like '%iPad%' or click.agent like '%Tablet%' then 'tablet'
    when click.agent like '%Mobi%' or click.agent like '%iPhone%' then 'phone'
    when click.agent like '%Android%' then 'tablet' else 'desktop' end`,
};

export const firstSubId = sql`nullif(click.sub_ids[1], '')`;

type ClickValue = keyof typeof clickValues;
const valueNames = Object.keys(clickValues) as ClickValue[];

const text = (max: number) => logged(externalIdentifier(max)).optional();

export const clickValueFilters = {
  link: text(200).describe('The referral code or vanity slug of the link that was clicked.'),
  landingPage: text(2000).describe('The address that the click led to, without its query.'),
  country: text(10).describe('The country of the click, such as `DE`.'),
  source: text(255).describe('The host that linked to the affiliate’s link.'),
  device: z.enum(['desktop', 'phone', 'tablet'], { error: 'must be one of: desktop, phone, tablet' }).optional(),
};

type Filters = { [Name in ClickValue]?: string | undefined };

/** The conditions of the filters on a row `click`. */
export function matchClick(filters: Filters): RawBuilder<boolean>[] {
  return valueNames.flatMap((name) => (filters[name] === undefined ? [] : [sql<boolean>`${clickValues[name]} = ${filters[name]}`]));
}

/** The conditions that a row has a value of these. `others` are expressions for what isn't a value of `click`. */
export function haveValues(names: readonly string[], others: Readonly<Record<string, RawBuilder<unknown>>>): RawBuilder<boolean>[] {
  const known: Readonly<Record<string, RawBuilder<unknown>>> = { ...clickValues, ...others };
  return names.flatMap((name) => (known[name] ? [sql<boolean>`${known[name]} is not null`] : []));
}
