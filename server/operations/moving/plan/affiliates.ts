// Which affiliates an import creates, which exist, and which affiliate each name in the other records means. Pure.

import { PersonInvite } from '../../../partners/affiliates/invite.ts';
import { parseParts } from '../../../platform/http/validate.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { isReservedSlug, vanitySlugForm } from '../../../platform/lib/slug.ts';
import type { AffiliateRecord, CustomerRecord, LinkRecord, PastRecord } from '../records.ts';
import { type Known, toEmailKey } from './known.ts';
import { describePlace, type Outcomes } from './rejections.ts';

/**
 * `existingId`: the affiliate of the program with this email address, if there is one. `upline`: the key of the upline of a new
 * affiliate. `level`: how many new affiliates are above them, who are written first.
 */
export type PlannedAffiliate = {
  key: string;
  record: AffiliateRecord;
  existingId: string | null;
  upline: string | null;
  level: number;
};
export type PlannedLink = { affiliate: string; slug: string };
export type PlannedCustomer = { affiliate: string; record: CustomerRecord };

/** Affiliates are named by a key: their id in the other system, or `email:` and the address of an affiliate that exists here. */
export type Affiliates = {
  planned: PlannedAffiliate[];
  /** The key of the affiliate with this id or email address, or null. */
  find(name: string): string | null;
  /** The keys of affiliates that exist, with their ids. */
  existing: Map<string, string>;
};

/** Plans the affiliates. */
export function planAffiliates(records: readonly PastRecord[], known: Known, outcomes: Outcomes): Affiliates {
  const planned: PlannedAffiliate[] = [];
  const existing = new Map(known.imported.affiliate);
  const [ids, emails] = [new Map<string, AffiliateRecord>(), new Map<string, AffiliateRecord>()];
  for (const record of records) {
    if (record.kind !== 'affiliate') continue;
    const emailKey = toEmailKey(record.email);
    const fault = findFault(record, { ids, emails }, emailKey);
    if (fault) {
      outcomes.reject(record, fault.column, fault.reason);
      continue;
    }
    ids.set(record.id, record);
    emails.set(emailKey, record);
    if (existing.has(record.id)) {
      outcomes.count('affiliate', 'existed');
      continue;
    }
    const existingId = known.emails.get(emailKey) ?? null;
    outcomes.count('affiliate', existingId === null ? 'taken' : 'existed');
    planned.push({ key: record.id, record, existingId, upline: null, level: 0 });
    if (existingId !== null) existing.set(record.id, existingId);
  }
  const aliases = new Map([...ids.values()].flatMap(({ id, alias }) => (alias ? [[alias, id] as const] : [])));
  const find = (name: string) => {
    if (ids.has(name) || existing.has(name)) return name;
    const alias = aliases.get(name);
    if (alias) return alias;
    const emailKey = toEmailKey(name);
    const record = emails.get(emailKey);
    if (record) return record.id;
    const id = known.emails.get(emailKey);
    if (!id) return null;
    existing.set(`email:${emailKey}`, id);
    return `email:${emailKey}`;
  };
  planUplines(planned, find, outcomes);
  return { planned, find, existing };
}

/** Finds the uplines of new affiliates, and sets how many new affiliates are above each. */
function planUplines(planned: readonly PlannedAffiliate[], find: Affiliates['find'], outcomes: Outcomes): void {
  const fresh = new Map(planned.filter(({ existingId }) => existingId === null).map((one) => [one.key, one]));
  for (const one of fresh.values()) {
    const name = one.record.upline;
    if (name === null) continue;
    one.upline = find(name);
    if (one.upline === null) outcomes.remark(one.record, 'upline', `${missing(name)}; imported without an upline`);
  }
  for (const one of fresh.values()) {
    if (listAbove(one, fresh) !== null) continue;
    outcomes.remark(one.record, 'upline', `${one.record.upline} is in their own downline; imported without an upline`);
    one.upline = null;
  }
  for (const one of fresh.values()) one.level = listAbove(one, fresh)?.length ?? 0;
}

/** The new affiliates above one, the nearest first; null if they are among them. */
function listAbove(one: PlannedAffiliate, fresh: ReadonlyMap<string, PlannedAffiliate>): PlannedAffiliate[] | null {
  const above: PlannedAffiliate[] = [];
  const seen = new Set([one]);
  for (let upline = fresh.get(one.upline ?? ''); upline; upline = fresh.get(upline.upline ?? '')) {
    if (upline === one) return null;
    if (seen.has(upline)) break;
    seen.add(upline);
    above.push(upline);
  }
  return above;
}

/** The reason for a name that no affiliate has. */
export function missing(name: string): string {
  return `${name} is not an affiliate of these files or of the program`;
}

type Seen = { ids: ReadonlyMap<string, AffiliateRecord>; emails: ReadonlyMap<string, AffiliateRecord> };

function findFault(record: AffiliateRecord, { ids, emails }: Seen, emailKey: string): { column: string; reason: string } | null {
  const [sameId, sameEmail] = [ids.get(record.id), emails.get(emailKey)];
  if (sameId) return { column: 'id', reason: `is the same as in ${describePlace(sameId)}` };
  if (sameEmail) return { column: 'email', reason: `is the same as in ${describePlace(sameEmail)}` };
  try {
    toInvite(record);
    return null;
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const [detail] = error.details ?? [];
    return { column: detail?.path.join('.') ?? '', reason: detail?.message ?? error.message };
  }
}

/** The affiliate as an invitation that is not emailed. Throws Invalid. */
export function toInvite({ email, firstName, lastName, status }: AffiliateRecord) {
  const given = { email, firstName: firstName || email.split('@')[0], lastName, autoApprove: status === 'active', sendInvite: false };
  return parseParts({ body: [PersonInvite, given] }).body;
}

/** Plans the links: the first of an affiliate becomes their vanity slug, further ones redirect to them. */
export function planLinks(records: readonly PastRecord[], { known, affiliates }: Sources, outcomes: Outcomes): PlannedLink[] {
  const planned: PlannedLink[] = [];
  const taken = new Map<string, string>();
  for (const record of records) {
    if (record.kind !== 'link') continue;
    const slug = record.slug.toLowerCase();
    const affiliate = affiliates.find(record.affiliate);
    const fault = affiliate === null ? null : findSlugFault(record, slug);
    const owner = taken.get(slug) ?? known.slugs.get(slug);
    const id = affiliate === null ? null : (affiliates.existing.get(affiliate) ?? affiliate);
    if (affiliate === null) outcomes.reject(record, 'affiliate', missing(record.affiliate));
    else if (fault) outcomes.reject(record, 'slug', fault);
    else if (owner !== undefined && owner === id) outcomes.count('link', 'existed');
    else if (owner !== undefined) outcomes.reject(record, 'slug', `${slug} belongs to another affiliate`);
    else {
      taken.set(slug, id ?? affiliate);
      planned.push({ affiliate, slug });
      outcomes.count('link', 'taken');
    }
  }
  return planned;
}

type Sources = { known: Known; affiliates: Affiliates };

function findSlugFault({ slug }: LinkRecord, lower: string): string | null {
  if (!vanitySlugForm.test(lower)) return `${slug} can't be a short link: it must be 3 to 64 letters a–z, numbers and inner hyphens`;
  return isReservedSlug(lower) ? `${slug} is reserved` : null;
}

/** Plans the customers, who stay bound to their affiliates. */
export function planCustomers(records: readonly PastRecord[], { known, affiliates }: Sources, outcomes: Outcomes): PlannedCustomer[] {
  const planned = new Map<string, PlannedCustomer>();
  for (const record of records) {
    if (record.kind !== 'customer') continue;
    const affiliate = affiliates.find(record.affiliate);
    const same = planned.get(record.id);
    if (affiliate === null) outcomes.reject(record, 'affiliate', missing(record.affiliate));
    else if (same) outcomes.reject(record, 'id', `is the same as in ${describePlace(same.record)}`);
    else if (known.imported.customer.has(record.id)) outcomes.count('customer', 'existed');
    else {
      planned.set(record.id, { affiliate, record });
      outcomes.count('customer', 'taken');
    }
  }
  return [...planned.values()];
}
