// Writes affiliates, their links and their customers. No emails are sent: the console invites affiliates to sign in.
import type { Tx } from '../../../context.ts';
import { readSettings } from '../../../earning/conversions/recording/look-up.ts';
import { findCustomerId, findCustomers, identifyBuyer, type KnownKey } from '../../../earning/customers/buyer.ts';
import { type BindingChange, storeKeys, writeBindings } from '../../../earning/customers/store.ts';
import { openLedger } from '../../../earning/ledger/post.ts';
import { changeAffiliate } from '../../../partners/affiliates/change-affiliate.ts';
import { addAffiliate } from '../../../partners/affiliates/invite.ts';
import { releaseSlug, takeSlug } from '../../../partners/affiliates/links/short-link.ts';
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
  const { programId, source, actor, imported } = writing;
  const records: Parameters<typeof recordImported>[3][number][] = [];
  for (const { record, existingId } of planned) {
    const recordId = existingId ?? (await create(withoutNotice(tx), { programId, source, actor }, record));
    records.push({ kind: 'affiliate', externalId: record.id, recordId });
  }
  await recordImported(tx, writing, imported, records);
}

type Owner = Pick<Writing, 'programId' | 'source' | 'actor'>;

async function create(tx: Tx, { programId, source, actor }: Owner, record: PlannedAffiliate['record']): Promise<string> {
  const past = { status: record.status, createdAt: record.createdAt ?? tx.clock.now() };
  const origin = { programId, actor, action: 'affiliate.invited' as const, facts: { importedFrom: source, importedId: record.id }, past };
  const metadata = { importedFrom: source, importedId: record.id.slice(0, 500) };
  const { id } = await addAffiliate(tx, origin, { ...toInvite(record), metadata }, async () => {});
  return id;
}

export async function writeLinks(tx: Tx, { programId, actor, idOf }: Writing, planned: readonly PlannedLink[]): Promise<void> {
  const silent = withoutNotice(tx);
  for (const { affiliate, slug, isMain } of planned) {
    const owner = { programId, affiliateId: idOf(affiliate) };
    if (isMain) await changeAffiliate(silent, { ...actor, programId }, { id: owner.affiliateId, vanitySlug: slug });
    else {
      await takeSlug(silent, owner, slug);
      await releaseSlug(silent, owner, slug);
    }
  }
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
