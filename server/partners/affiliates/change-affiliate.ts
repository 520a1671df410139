// Changing an affiliate (Contract §4.3). Omitted fields keep their value, null clears; every change is audited. The
// approval email follows the change to `active`, not the request, so it is sent once per change.

import type { Selectable } from 'kysely';
import { changePerson } from '../../accounts/programs/person-programs.ts';
import type { Tx } from '../../context.ts';
import { sendApproval } from '../../messaging/emails/kinds/affiliates/approval.ts';
import { sendDecision } from '../../messaging/emails/kinds/affiliates/decision.ts';
import { type Difference, difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { recordValues } from '../../platform/db/recorded-values.ts';
import type { Affiliates } from '../../platform/db/schema.gen.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { emailKey } from '../../platform/lib/email-address.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { type AffiliateStatus, addToCount, lockAffiliate, requireGroup } from './affiliate.ts';
import { requireAffiliateVersion } from './changes/version.ts';
import { recordAffiliateEvents } from './events.ts';
import { releaseSlug, takeSlug } from './links/short-link.ts';
import { type GivenOverride, type OverrideType, requestedOverride } from './override.ts';
import { isSameTerms, storePastTerms } from './past-terms.ts';
import { applyProfile, buildSearchText, type GivenProfile, type Profile, readProfile, toProfileColumns } from './profile.ts';
import { findAffiliateReferences } from './reference.ts';
import { setStatusFigure } from './totals/figures.ts';
import { lockUplines, rejectCycle, requireUpline } from './upline.ts';

export type AffiliateChange = GivenOverride &
  GivenProfile & {
    status?: AffiliateStatus | undefined;
    groupId?: string | null | undefined;
    parentAffiliateId?: string | null | undefined;
    vanitySlug?: string | null | undefined;
    firstName?: string | undefined;
    lastName?: string | undefined;
    email?: string | undefined;
  };

type Row = Selectable<Affiliates>;
type Editor = Actor & { programId: string };

/** Changes the given fields of an affiliate and returns its row. If nothing changes, nothing is written. */
export async function changeAffiliate(
  tx: Tx,
  actor: Editor,
  change: AffiliateChange & { id: string },
  { seenVersion }: Pick<Options, 'seenVersion'> = {},
): Promise<Row> {
  return (await applyChange(tx, actor, change, { seenVersion })).after;
}

type Options = {
  /** The reason of a change of status, for the affiliate and other members. */
  note?: string | null | undefined;
  /** Whether the affiliate is informed of a rejection or suspension. */
  notifies?: boolean;
  /** When the change can no longer be undone; its email is sent then. */
  undoUntil?: Date | undefined;
  /** The version that the change is based on; another one means that it was changed in the meantime. */
  seenVersion?: string | undefined;
  /** The change restores earlier values; it sends no email. */
  isUndo?: boolean;
};

/** A change with the id of its audit row, which is null if nothing changed. */
export type AppliedChange = { before: Row; after: Row; changeId: string | null };

/** Like `changeAffiliate`, with the row before the change and the id of its audit row. */
export async function applyChange(
  tx: Tx,
  actor: Editor,
  { id, ...given }: AffiliateChange & { id: string },
  options: Options = {},
): Promise<AppliedChange> {
  const { programId } = actor;
  if (given.parentAffiliateId) await lockUplines(tx, programId);
  const before = await lockAffiliate(tx, programId, id);
  await requireAffiliateVersion(tx, before, options.seenVersion);
  await requireReferences(tx, before, given);
  const change = difference(toFields(before), toRequestedFields(before, given));
  if (!change) return { before, after: before, changeId: null };
  const after = await writeChange(tx, before, change, options.note);
  if (!isSameTerms(before, after)) await storePastTerms(tx, [before]);
  const action = options.isUndo ? 'affiliate.change_undone' : 'affiliate.updated';
  const audited = options.note ? { ...change.after, note: options.note } : change.after;
  const changeId = await recordChange(tx, { programId, actor, action, subjectId: id, before: change.before, after: audited });
  await recordAffiliateEvents(tx, { programId, actor }, [{ id, status: after.status, previous: change.before }]);
  if (before.status !== after.status) {
    await moveCount(tx, before, after);
    await setStatusFigure(tx, { programId, affiliateId: id }, after.status);
    if (!options.isUndo) await notifyOfStatus(tx, { affiliate: after, changeId, options });
  }
  return { before, after, changeId };
}

async function requireReferences(tx: Tx, { programId, id, groupId }: Row, given: AffiliateChange): Promise<void> {
  if (given.parentAffiliateId === id) throw new Invalid([{ path: ['parentAffiliateId'], message: 'must not be the affiliate itself' }]);
  // An affiliate can stay in an archived group.
  if (given.groupId && given.groupId !== groupId) await requireGroup(tx, programId, given.groupId);
  if (!given.parentAffiliateId) return;
  await requireUpline(tx, programId, given.parentAffiliateId);
  await rejectCycle(tx, programId, id, given.parentAffiliateId);
}

type Fields = Profile & {
  status: string;
  groupId: string | null;
  parentAffiliateId: string | null;
  vanitySlug: string | null;
  commissionOverrideType: OverrideType | null;
  commissionOverrideRate: number | null;
  firstName: string;
  lastName: string;
  email: string;
};

/** The fields that can be changed, as they are audited. */
function toFields(row: Row): Fields {
  return {
    status: row.status,
    groupId: row.groupId,
    parentAffiliateId: row.parentAffiliateId,
    vanitySlug: row.vanitySlug,
    commissionOverrideType: row.commissionOverrideType as OverrideType | null,
    commissionOverrideRate: row.commissionOverrideRate === null ? null : Number(row.commissionOverrideRate),
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    ...readProfile(row),
  };
}

function toRequestedFields(before: Row, given: AffiliateChange): { [Field in keyof Fields]?: Fields[Field] | undefined } {
  const override = requestedOverride(given);
  const others: Omit<AffiliateChange, keyof Profile> = given;
  return {
    ...others,
    commissionOverrideType: override?.commissionOverrideType,
    commissionOverrideRate: override?.commissionOverrideRate,
    ...applyProfile(readProfile(before), given),
  };
}

async function writeChange(tx: Tx, before: Row, { after }: Difference<Fields>, note: string | null = null): Promise<Row> {
  const owner = { programId: before.programId, affiliateId: before.id };
  if (after.vanitySlug !== undefined) {
    if (before.vanitySlug) await releaseSlug(tx, owner, before.vanitySlug);
    if (after.vanitySlug) await takeSlug(tx, owner, after.vanitySlug);
  }
  const email = after.email ?? before.email;
  const search = buildSearchText({ ...before, ...after });
  const now = tx.clock.now();
  const common = { ...after, ...toProfileColumns(after), emailKey: emailKey(email) ?? email, search, updatedAt: now };
  const chosen = after.groupId === undefined ? {} : { groupReachedOn: null };
  const decided = after.status === undefined ? {} : { statusNote: note, statusChangedAt: now };
  const values = { ...common, ...chosen, ...decided };
  const affiliates = tx.db.updateTable('affiliates').set(values).where('programId', '=', before.programId);
  const changed = await affiliates.where('id', '=', before.id).returningAll().executeTakeFirstOrThrow();
  if (changed.emailKey !== before.emailKey)
    await changePerson(tx, { kind: 'affiliate', person: before.emailKey }, changed.emailKey, before.programId);
  const hasNewTerms = after.commissionOverrideType !== undefined || after.commissionOverrideRate !== undefined;
  if (hasNewTerms) await recordValues(tx, 'affiliates', before.programId, [before.id]);
  return changed;
}

type StatusChange = { affiliate: Row; changeId: string; options: Options };

async function notifyOfStatus(tx: Tx, { affiliate, changeId, options: { note, notifies, undoUntil } }: StatusChange): Promise<void> {
  const { programId, status } = affiliate;
  if (status === 'active') {
    const linkUrl = (await findAffiliateReferences(tx, programId, [affiliate.id])).get(affiliate.id)?.linkUrl ?? '';
    await sendApproval(tx, { programId, changeId, affiliate, linkUrl, notBefore: undoUntil });
  }
  if (notifies && (status === 'rejected' || status === 'suspended'))
    await sendDecision(tx, { programId, changeId, affiliate, status, note: note ?? null, notBefore: undoUntil });
}

async function moveCount(tx: Tx, before: Row, after: Row): Promise<void> {
  const moves: [status: string, change: number][] = [
    [before.status, -1],
    [after.status, 1],
  ];
  // In one order everywhere, so that opposite changes can't deadlock.
  for (const [status, change] of moves.sort(([a], [b]) => a.localeCompare(b))) await addToCount(tx, after.programId, status, change);
}
