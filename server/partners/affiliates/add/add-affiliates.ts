// Creates affiliates with their referral codes, figures, audit rows and events, any number of them together.
import { registerPersons } from '../../../accounts/programs/person-programs.ts';
import type { Tx } from '../../../context.ts';
import { recordChanges } from '../../../platform/audit/record.ts';
import { insertRows } from '../../../platform/db/inserts/insert-rows.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { type AffiliateStatus, addToCount } from '../affiliate.ts';
import { recordAffiliateEvents } from '../events.ts';
import { assignReferralCodes, linkCodes } from '../links/short-link.ts';
import { buildSearchText, createProfile, type GivenProfile } from '../profile.ts';
import { createFigures } from '../totals/figures.ts';

type Given = GivenProfile & {
  email: string;
  firstName: string;
  lastName: string;
  groupId?: string | undefined;
  parentAffiliateId?: string | undefined;
  autoApprove: boolean;
  sendInvite: boolean;
};

export type NewAffiliate = {
  given: Given;
  /** Further facts for the audit log. */
  facts?: Record<string, unknown>;
  /** Of an affiliate who comes from another system: their status and the time since when they have been an affiliate. */
  past?: { status: AffiliateStatus; createdAt: Date };
};

type Origin = { programId: string; actor: Actor; action: 'affiliate.invited' | 'affiliate.applied' };

/** A created affiliate. `changeId` is the id of its audit row. */
export type AddedAffiliate = Pick<ReturnType<typeof toRow>, 'id' | 'email' | 'firstName' | 'lastName' | 'referralCode' | 'status'> & {
  changeId: string;
};

/**
 * Creates affiliates, and returns them in the same order. `notify` queues the email that follows from an audit row. An email
 * address that is taken violates `affiliates_email_unique`.
 */
export async function addAffiliates(
  tx: Tx,
  { programId, actor, action }: Origin,
  affiliates: readonly NewAffiliate[],
  notify: (affiliate: AddedAffiliate) => Promise<void>,
): Promise<AddedAffiliate[]> {
  if (affiliates.length === 0) return [];
  const ids = affiliates.map(() => tx.ids.uuid());
  const codes = await assignReferralCodes(tx, programId, ids);
  const now = tx.clock.now();
  const rows = affiliates.map((affiliate, index) => toRow(programId, affiliate, { id: ids[index] ?? '', codes, now }));
  await insertRows(tx, 'affiliates', rows);
  const keys = rows.map((row) => row.emailKey);
  await registerPersons(tx, { kind: 'affiliate', persons: keys }, programId);
  await createFigures(tx, programId, rows);
  await linkCodes(tx, programId, codes);
  const changes = rows.map(({ id, status, groupId, parentAffiliateId }, index) => {
    return { action, subjectId: id, after: { status, groupId, parentAffiliateId, ...affiliates[index]?.facts } };
  });
  const changeIds = await recordChanges(tx, { programId, actor }, changes);
  const added = rows.map(({ id, email, firstName, lastName, referralCode, status }, index) => {
    return { id, email, firstName, lastName, referralCode, status, changeId: changeIds[index] ?? '' };
  });
  for (const affiliate of added) await notify(affiliate);
  const created = rows.map(({ id, status }) => ({ id, status, previous: null }));
  await recordAffiliateEvents(tx, { programId, actor }, created);
  // Last, because everything that creates affiliates of the program locks these rows.
  const counts = Map.groupBy(rows, ({ status }) => status);
  for (const status of [...counts.keys()].sort()) await addToCount(tx, programId, status, counts.get(status)?.length ?? 0);
  return added;
}

type Assigned = { id: string; codes: ReadonlyMap<string, string>; now: Date };

function toRow(programId: string, { given, past }: NewAffiliate, { id, codes, now }: Assigned) {
  const referralCode = codes.get(id) ?? '';
  const status: AffiliateStatus = past?.status ?? (given.autoApprove ? 'active' : 'pending');
  return {
    programId,
    id,
    firstName: given.firstName,
    lastName: given.lastName,
    email: given.email,
    emailKey: emailKey(given.email) ?? given.email,
    referralCode,
    status,
    groupId: given.groupId ?? null,
    parentAffiliateId: given.parentAffiliateId ?? null,
    invitedAt: given.sendInvite ? now : null,
    statusChangedAt: now,
    ...createProfile(given),
    search: buildSearchText({ ...given, referralCode }),
    createdAt: past?.createdAt ?? now,
    updatedAt: now,
  };
}
