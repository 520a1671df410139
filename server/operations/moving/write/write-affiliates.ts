// Writes affiliates, their links and their customers. No emails are sent: the console invites affiliates to sign in.
import type { Tx } from '../../../context.ts';
import { readSettings } from '../../../earning/conversions/recording/look-up.ts';
import { findCustomerId, findCustomers, identifyBuyer, type KnownKey, nextStep } from '../../../earning/customers/buyer.ts';
import { type BindingChange, storeKeys, writeBindings } from '../../../earning/customers/store.ts';
import { openLedger } from '../../../earning/ledger/post.ts';
import { addAffiliates, type NewAffiliate } from '../../../partners/affiliates/add/add-affiliates.ts';
import { recordPastLinks } from '../../../partners/affiliates/links/record-past-links.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { type PlannedAffiliate, type PlannedCustomer, type PlannedLink, toInvite } from '../plan/affiliates.ts';
import type { Imported } from '../plan/known.ts';
import { withoutNotice } from './history.ts';
import { recordImported, type Scope } from './imported-records.ts';

export type Writing = Scope & {
  actor: Actor;
  imported: Imported;
  /** The id here of an affiliate, by their key. */
  idOf(affiliate: string): string;
};

/** Creates affiliates with the status and time that they have in the other system; those who exist are only connected. */
export async function writeAffiliates(tx: Tx, writing: Writing, planned: readonly PlannedAffiliate[]): Promise<void> {
  const { programId, actor, imported } = writing;
  const origin = { programId, actor, action: 'affiliate.invited' as const };
  const fresh = planned.filter(({ existingId }) => existingId === null);
  const past = fresh.map((one) => toNewAffiliate(writing, one, tx.clock.now()));
  const added = await addAffiliates(withoutNotice(tx), origin, past, async () => {});
  const ids = new Map(fresh.map(({ key }, index) => [key, added[index]?.id ?? '']));
  const records = planned.map(({ key, existingId }) => {
    return { kind: 'affiliate' as const, externalId: key, recordId: existingId ?? ids.get(key) ?? '' };
  });
  await recordImported(tx, writing, imported, records);
}

function toNewAffiliate({ source, idOf }: Writing, { record, upline }: PlannedAffiliate, now: Date): NewAffiliate {
  const metadata = { importedFrom: source, importedId: record.id.slice(0, 500) };
  return {
    given: { ...toInvite(record), metadata, parentAffiliateId: upline === null ? undefined : idOf(upline) },
    facts: { importedFrom: source, importedId: record.id },
    past: { status: record.status, createdAt: record.createdAt ?? now },
  };
}

export function writeLinks(tx: Tx, { programId, actor, idOf }: Writing, planned: readonly PlannedLink[]): Promise<void> {
  const links = planned.map(({ affiliate, slug }) => ({ affiliateId: idOf(affiliate), slug }));
  return recordPastLinks(withoutNotice(tx), { programId, actor }, links);
}

/** Binds customers to their affiliates, unless they are bound already. */
export async function writeCustomers(tx: Tx, writing: Writing, planned: readonly PlannedCustomer[]): Promise<void> {
  const { programId, source, actor, imported, idOf } = writing;
  await openLedger(tx, programId);
  const { hashKey } = await readSettings(tx, programId);
  const named = planned.map(({ affiliate, record }) => ({
    affiliateId: idOf(affiliate),
    record,
    keys: identifyBuyer({ externalId: record.id, email: record.email }, hashKey).customerKeys,
  }));
  const found = await findCustomers(
    tx,
    programId,
    named.flatMap(({ keys }) => keys),
  );
  const [keys, changes] = [new Map(found.keys), new Map<string, BindingChange>()];
  const records = named.map(({ affiliateId, record, keys: own }) => {
    const customerId = findCustomerId({ keys, bindings: found.bindings }, own) ?? tx.ids.uuid();
    for (const key of own) if (!keys.has(key)) keys.set(key, { customerId, firstOrderAt: null, orders: 0 });
    const boundAt = record.createdAt ?? tx.clock.now();
    const change = {
      customerId,
      step: nextStep(found, customerId),
      affiliateId,
      previousAffiliateId: null,
      source: 'member',
      method: null,
      boundAt,
      note: `Imported from ${source}`,
      actor,
    } as const;
    if (!found.bindings.get(customerId)?.affiliateId && !changes.has(customerId)) changes.set(customerId, change);
    return { kind: 'customer' as const, externalId: record.id, recordId: customerId };
  });
  await writeBindings(withoutNotice(tx), programId, [...changes.values()]);
  await storeKeys(tx, programId, withoutKnown(keys, found.keys));
  await recordImported(tx, writing, imported, records);
}

function withoutKnown(keys: ReadonlyMap<string, KnownKey>, known: ReadonlyMap<string, KnownKey>): Map<string, KnownKey> {
  return new Map([...keys].filter(([key]) => !known.has(key)));
}
