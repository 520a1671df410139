// What affiliates do: ask for the erasure of their data, see what becomes of it, and withdraw it.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { sendErasureRequest } from '../../messaging/emails/kinds/members/erasure-request.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { timestampOut } from '../../platform/http/declaration/fields.ts';
import type { AffiliatePrincipal } from '../../platform/http/declaration/principal.ts';
import { exampleOf } from '../../platform/http/openapi/schemas.ts';
import { NothingToDo } from '../../platform/lib/errors.ts';
import { AffiliateStatus } from '../affiliates/affiliate.ts';
import { ErasureRequestStatus, readErasureRequests } from './erasure-request.ts';

const PortalErasureRequest = z
  .object({
    status: ErasureRequestStatus,
    decisionNote: z.string().nullable().describe('The reason of a rejection.'),
    createdAt: timestampOut,
    decidedAt: timestampOut.nullable().describe('When it was accepted, rejected or withdrawn.'),
  })
  .meta({
    id: 'PortalErasureRequest',
    example: { status: 'open', decisionNote: null, createdAt: '2026-11-20T09:30:00.000Z', decidedAt: null },
  });

const Latest = z
  .object({ request: PortalErasureRequest.nullable().describe('The last request; null without one.') })
  .meta({ id: 'PortalErasure', example: { request: exampleOf(PortalErasureRequest) } });

const declared = {
  scope: 'affiliate',
  affiliateStatuses: AffiliateStatus.options,
  tag: 'Portal',
  statuses: [200],
  result: Latest,
} as const;

export const getPortalErasure = endpoint({
  ...declared,
  id: 'portal.erasure',
  route: 'GET /app/portal/:programId/erasure-request',
  summary: "Get the affiliate's last request for erasure",
  handle: (ctx, { actor }) => readLatest(ctx, actor),
});

export const requestErasure = endpoint({
  ...declared,
  id: 'portal.requestErasure',
  route: 'POST /app/portal/:programId/erasure-request',
  isSensitive: true,
  summary: 'Ask for the erasure of the data about the affiliate',
  description:
    'The owners are informed by email, and decide. What is owed is paid before; amounts, and what the law requires, are kept without the ' +
    'name. The affiliate is informed by email of the decision.',
  errors: [{ status: 422, code: 'erasure_requested', when: 'A request is open already.' }],
  handle: (ctx, { actor }) =>
    transact(ctx, async (tx) => {
      const { programId, affiliateId } = actor;
      const inserted = await tx.db
        .insertInto('erasureRequests')
        .values({ programId, id: tx.ids.uuid(), affiliateId, status: 'open', createdAt: tx.clock.now() })
        // Not a parameter: a generic plan would not find the partial index.
        .onConflict((conflict) => conflict.columns(['programId', 'affiliateId']).where('status', '=', sql.lit('open')).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!inserted) throw new NothingToDo('erasure_requested', 'You have asked for the erasure of your data already.');
      const change = { programId, actor, action: 'affiliate.erasure_requested' as const, subjectId: affiliateId };
      const changeId = await recordChange(tx, change);
      await sendErasureRequest(tx, { programId, changeId, affiliateId, event: 'open', note: null });
      return new Reply(200, await readLatest(tx, actor));
    }),
});

export const withdrawErasure = endpoint({
  ...declared,
  id: 'portal.withdrawErasure',
  route: 'POST /app/portal/:programId/erasure-request/withdraw',
  summary: 'Withdraw the request for erasure',
  errors: [{ status: 422, code: 'no_erasure_request', when: 'No request is open.' }],
  handle: (ctx, { actor }) =>
    transact(ctx, async (tx) => {
      const { programId, affiliateId } = actor;
      const requests = tx.db.updateTable('erasureRequests').set({ status: 'withdrawn', decidedAt: tx.clock.now() });
      const open = requests.where('programId', '=', programId).where('affiliateId', '=', affiliateId).where('status', '=', 'open');
      if (!(await open.returning('id').executeTakeFirst())) throw new NothingToDo('no_erasure_request', 'No request is open.');
      await recordChange(tx, { programId, actor, action: 'affiliate.erasure_withdrawn', subjectId: affiliateId });
      return new Reply(200, await readLatest(tx, actor));
    }),
});

async function readLatest(ctx: Pick<Context, 'db'>, actor: AffiliatePrincipal): Promise<z.input<typeof Latest>> {
  const [request = null] = await readErasureRequests(ctx, actor, sql`request.affiliate_id = ${actor.affiliateId}`);
  return { request };
}
