// What a confirmed application does: it creates an affiliate, who awaits a decision or is approved by a rule, or it brings
// an earlier one back into the queue. It never changes an affiliate who is active or suspended, or who belongs to another
// user. The unique email address decides races.
import type { Selectable } from 'kysely';
import type { Tx } from '../../context.ts';
import { sendApplicationReceived } from '../../messaging/emails/kinds/affiliates/application-received.ts';
import { sendApproval } from '../../messaging/emails/kinds/affiliates/approval.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Affiliates, Applications } from '../../platform/db/schema.gen.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { addAffiliates } from '../affiliates/add/add-affiliates.ts';
import { applyChange } from '../affiliates/change-affiliate.ts';
import { PersonInvite } from '../affiliates/invite.ts';
import { findAffiliateReferences } from '../affiliates/reference.ts';
import { lockUplines } from '../affiliates/upline.ts';
import { Answer, type Outcome } from './application.ts';
import { findMissingUpline, findNewUpline } from './recruiting.ts';
import { type ApprovalReason, findApprovalReason } from './settings/auto-approval.ts';
import { readJoinForm } from './settings/join-form.ts';

type Application = Selectable<Applications>;
type Affiliate = Selectable<Affiliates>;
type Effect = { outcome: Outcome; affiliateId: string; reason: ApprovalReason | null };
type Applying = {
  application: Application;
  actor: Actor;
  /** The applicant's user; null in the demo. */
  userId: string | null;
};

const reapplyAfterMs = 30 * 24 * 60 * 60_000;

/** Applies a confirmed application and stores its outcome. Throws Conflict if an affiliate with the address was created in the meantime. */
export async function recordApplication(tx: Tx, applying: Applying): Promise<Effect> {
  const { application, userId } = applying;
  // First, as in every change of an upline: changes that wait for each other must lock in the same order.
  if (application.recruiterId !== null) await lockUplines(tx, application.programId);
  const existing = await findExisting(tx, application, userId);
  const effect = existing ? await reapply(tx, applying, existing) : await create(tx, applying);
  await tx.db
    .updateTable('applications')
    .set({
      confirmedAt: tx.clock.now(),
      outcome: effect.outcome,
      affiliateId: effect.affiliateId,
      autoApproval: effect.reason === null ? null : JSON.stringify(effect.reason),
    })
    .where('programId', '=', application.programId)
    .where('id', '=', application.id)
    .execute();
  return effect;
}

type Existing = { affiliate: Affiliate; isForeign: boolean };

/** The affiliate of the user, else the one with the address of the application, locked. */
async function findExisting(tx: Tx, { programId, emailKey }: Application, userId: string | null): Promise<Existing | null> {
  const accounts = tx.db.selectFrom('affiliateAccounts').select(['affiliateId', 'userId']).where('programId', '=', programId);
  const own = userId === null ? undefined : await accounts.where('userId', '=', userId).executeTakeFirst();
  const affiliates = tx.db.selectFrom('affiliates').selectAll().where('programId', '=', programId);
  const found = own ? affiliates.where('id', '=', own.affiliateId) : affiliates.where('emailKey', '=', emailKey);
  const affiliate = await found.forNoKeyUpdate().executeTakeFirst();
  if (!affiliate) return null;
  const account = await accounts.where('affiliateId', '=', affiliate.id).executeTakeFirst();
  return { affiliate, isForeign: account !== undefined && account.userId !== userId };
}

async function reapply(tx: Tx, applying: Applying, { affiliate, isForeign }: Existing): Promise<Effect> {
  const outcome = isForeign ? 'unchanged' : outcomeFor(affiliate, tx.clock.now());
  const effect: Effect = { outcome, affiliateId: affiliate.id, reason: null };
  if (outcome === 'unchanged') return effect;
  const { application, actor } = applying;
  const { programId } = application;
  const parentAffiliateId = await findMissingUpline(tx, application, affiliate);
  const status = outcome === 'returned' ? ('pending' as const) : undefined;
  if (status || parentAffiliateId) await applyChange(tx, { ...actor, programId }, { id: affiliate.id, status, parentAffiliateId });
  const changeId = await recordChange(tx, {
    programId,
    actor,
    action: 'affiliate.applied',
    subjectId: affiliate.id,
    after: { status: 'pending', ...toFacts(application, effect) },
  });
  await sendApplicationReceived(tx, { programId, changeId, affiliate });
  return effect;
}

function outcomeFor({ status, statusChangedAt, createdAt }: Affiliate, now: Date): Outcome {
  if (status === 'pending') return 'updated';
  if (status === 'archived') return 'returned';
  const since = now.getTime() - (statusChangedAt ?? createdAt).getTime();
  return status === 'rejected' && since >= reapplyAfterMs ? 'returned' : 'unchanged';
}

async function create(tx: Tx, { application, actor }: Applying): Promise<Effect> {
  const { programId, email, emailKey, firstName, lastName } = application;
  const form = await readJoinForm(tx, programId);
  const applicant = { emailKey, answers: Answer.array().parse(application.answers) };
  // A form that was closed in the meantime accepts what was sent before, and leaves the decision to a member.
  const reason = form.isOpen ? findApprovalReason(form.autoApproval, applicant) : null;
  const parentAffiliateId = await findNewUpline(tx, application);
  const given = PersonInvite.parse({ email, firstName, lastName, parentAffiliateId, autoApprove: reason !== null, sendInvite: false });
  const facts = toFacts(application, { outcome: 'created', reason });
  const origin = { programId, actor, action: 'affiliate.applied' as const };
  const [added] = await addAffiliates(tx, origin, [{ given, facts }], async ({ changeId, ...affiliate }) => {
    if (reason === null) return sendApplicationReceived(tx, { programId, changeId, affiliate });
    const linkUrl = (await findAffiliateReferences(tx, programId, [affiliate.id])).get(affiliate.id)?.linkUrl ?? '';
    await sendApproval(tx, { programId, changeId, affiliate, linkUrl });
  });
  return { outcome: 'created', affiliateId: added?.id ?? '', reason };
}

/** What the audit log states about an application. The answers stay with the application. */
function toFacts({ id, termsVersion, recruiterId }: Application, { outcome, reason }: Pick<Effect, 'outcome' | 'reason'>) {
  const recruited = recruiterId === null ? {} : { recruiterId };
  return { applicationId: id, outcome, termsVersion, autoApproval: reason, ...recruited };
}
