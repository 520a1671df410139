// What members do: see the requests for erasure, and accept or reject them. A decision is final.
import { sql } from 'kysely';
import { z } from 'zod';
import { sendErasureRequest } from '../../messaging/emails/kinds/members/erasure-request.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, paragraph } from '../../platform/http/declaration/fields.ts';
import { Invalid, InvalidState, NothingToDo } from '../../platform/lib/errors.ts';
import {
  ErasureRequestShape,
  erasureRequestExample,
  erasureRequestSlot,
  getErasureRequest,
  readErasureRequests,
} from './erasure-request.ts';

export const listErasureRequests = endpoint({
  id: 'erasureRequests.list',
  route: 'GET /app/programs/:programId/erasure-requests',
  scope: 'read',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Affiliates',
  summary: 'List open and accepted requests for erasure',
  statuses: [200],
  result: z
    .object({ erasureRequests: z.array(ErasureRequestShape).describe('The newest first.'), total: countOut })
    .meta({ id: 'ErasureRequestList', example: { erasureRequests: [erasureRequestExample], total: 1 } }),
  async handle(ctx, { actor }) {
    const found = await readErasureRequests(ctx, actor, sql`request.status in ('open', 'accepted')`);
    return { erasureRequests: found, total: found.length };
  },
});

export const decideErasureRequest = endpoint({
  id: 'erasureRequests.decide',
  route: 'POST /app/programs/:programId/erasure-requests/:id/decide',
  scope: 'write',
  requires: 'settings.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'Affiliates',
  summary: 'Accept or reject a request for erasure',
  description:
    'The affiliate is informed by email. After accepting, the operator of the installation erases the person with ' +
    '`tributary persons erase`, which keeps amounts, invoices and the ledger.',
  path: { id: erasureRequestSlot },
  body: z
    .object({
      decision: z.enum(['accepted', 'rejected']),
      note: paragraph(1000).nullable().optional().describe('Required to reject: the reason, which the affiliate receives by email.'),
    })
    .meta({ id: 'ErasureRequestDecision', example: { decision: 'rejected', note: 'An order of yours is in dispute until January.' } }),
  statuses: [200],
  result: ErasureRequestShape,
  errors: [
    { status: 400, code: 'erasure_blocked', when: 'The affiliate is owed money, or payouts are in progress.' },
    { status: 400, code: 'erasure_request_decided', when: 'The request was already decided differently, or withdrawn.' },
    { status: 422, code: 'erasure_request_decided', when: 'The request already has this decision.' },
  ],
  async handle(tx, { actor, params: { id }, body: { decision, note } }) {
    const { programId } = actor;
    const requests = tx.db.selectFrom('erasureRequests').selectAll().where('programId', '=', programId).where('id', '=', id);
    const { status, affiliateId } = await requests.forUpdate().executeTakeFirstOrThrow();
    const reason = note || null;
    if (decision === 'rejected' && reason === null) throw new Invalid([{ path: ['note'], message: 'is required to reject a request' }]);
    if (status === decision) throw new NothingToDo('erasure_request_decided', `This request is already ${status}.`);
    if (status !== 'open') throw new InvalidState('erasure_request_decided', `This request is already ${status}.`);
    const { owedCents, openPayouts } = await getErasureRequest(tx, actor, id);
    if (decision === 'accepted' && (owedCents > 0 || openPayouts > 0))
      throw new InvalidState('erasure_blocked', 'Pay what the affiliate is owed, and wait until their payouts have arrived.');
    const decided = tx.db.updateTable('erasureRequests').set({ status: decision, decisionNote: reason, decidedAt: tx.clock.now() });
    await decided.where('programId', '=', programId).where('id', '=', id).execute();
    const action = `affiliate.erasure_${decision}` as const;
    const changeId = await recordChange(tx, { programId, actor, action, subjectId: affiliateId });
    await sendErasureRequest(tx, { programId, changeId, affiliateId, event: decision, note: reason });
    return getErasureRequest(tx, actor, id);
  },
});
