// Starting and ending a view of the portal as an affiliate. Both are in the audit log, the start with the time at which the view expires.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import type { Principal, UserPrincipal } from '../../../platform/http/declaration/principal.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { UserRequired } from '../../../platform/lib/errors.ts';
import { viewMs, viewPermissions } from './affiliate-view.ts';

const common = { isUserOnly: true, tag: 'Affiliate views' } as const;

export const startAffiliateView = endpoint({
  ...common,
  id: 'affiliateViews.start',
  route: 'POST /app/programs/:programId/affiliates/:id/view',
  scope: 'write',
  requires: viewPermissions,
  summary: 'View the portal as an affiliate',
  description:
    'For 30 minutes, or until it is ended, `/app/portal/{programId}` shows this session what the affiliate sees, and rejects every ' +
    'change with 403 `view_is_read_only`. A session has one view per program: it replaces another one. The audit log has the start ' +
    'and the end. The affiliate is not signed in by it and not informed.',
  path: { id: idSlot('affiliates', 'The id of the affiliate.') },
  statuses: [201],
  result: z.object({ affiliateId: uuidOut, startedAt: timestampOut.describe('When the view started.'), expiresAt: timestampOut }).meta({
    id: 'AffiliateView',
    example: {
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      startedAt: '2026-11-24T09:00:00.000Z',
      expiresAt: '2026-11-24T09:30:00.000Z',
    },
  }),
  async handle(tx, { actor, params: { id: affiliateId } }) {
    const user = requireUser(actor);
    const { programId } = actor;
    await removeView(tx, { programId, user });
    const startedAt = systemTime(tx);
    const view = { affiliateId, startedAt, expiresAt: new Date(startedAt.getTime() + viewMs) };
    await tx.db
      .insertInto('affiliateViews')
      .values({ programId, sessionId: user.sessionId, userId: user.id, ...view })
      .onConflict((conflict) => conflict.columns(['programId', 'sessionId']).doUpdateSet(view))
      .execute();
    const expiresAt = view.expiresAt.toISOString();
    await recordChange(tx, { programId, actor, action: 'affiliate.view_started', subjectId: affiliateId, after: { expiresAt } });
    return { affiliateId, startedAt: startedAt.toISOString(), expiresAt };
  },
});

export const endAffiliateView = endpoint({
  ...common,
  id: 'affiliateViews.end',
  route: 'DELETE /app/programs/:programId/affiliate-view',
  scope: 'write',
  requires: 'read',
  summary: 'End the view of the portal as an affiliate',
  description: 'Ends the view of this session in the program. Without one, it does nothing.',
  statuses: [200],
  result: z
    .object({ affiliateId: uuidOut.nullable().describe('As whom the session viewed the portal; null if no view was active.') })
    .meta({ id: 'EndedAffiliateView', example: { affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f' } }),
  async handle(tx, { actor }) {
    return { affiliateId: await removeView(tx, { programId: actor.programId, user: requireUser(actor) }) };
  },
});

/** Removes the session's view of a program. Returns whose it was, unless it had expired, and records that it ended. */
async function removeView(tx: Tx, { programId, user }: { programId: string; user: UserPrincipal }): Promise<string | null> {
  const removed = await tx.db
    .deleteFrom('affiliateViews')
    .where('programId', '=', programId)
    .where('sessionId', '=', user.sessionId)
    .returning(['affiliateId', 'expiresAt'])
    .executeTakeFirst();
  if (!removed || removed.expiresAt <= systemTime(tx)) return null;
  await recordChange(tx, { programId, actor: user, action: 'affiliate.view_ended', subjectId: removed.affiliateId });
  return removed.affiliateId;
}

function requireUser(actor: Principal): UserPrincipal {
  if (actor.kind !== 'user') throw new UserRequired();
  return actor;
}
