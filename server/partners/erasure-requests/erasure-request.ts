// An affiliate's request to erase their data in a program. The program settles what it owes first, and keeps what the law requires.
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { NotFound } from '../../platform/lib/errors.ts';

export const ErasureRequestStatus = z.enum(['open', 'withdrawn', 'accepted', 'rejected']).meta({ id: 'ErasureRequestStatus' });

export const erasureRequestExample = {
  id: '01980c21-4d5e-7f60-8a71-8b92a3b4c5d6',
  affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
  affiliateName: 'Ada Lindqvist',
  email: 'ada@example.com',
  status: 'open' as const,
  decisionNote: null,
  owedCents: 41_280,
  openPayouts: 0,
  currency: 'USD',
  createdAt: '2026-11-20T09:30:00.000Z',
  decidedAt: null,
};

export const ErasureRequestShape = z
  .object({
    id: uuidOut,
    affiliateId: uuidOut,
    affiliateName: z.string().describe('The name of the affiliate.'),
    email: z.string(),
    status: ErasureRequestStatus.describe('`accepted`: the operator of the installation erases the person with `tributary persons erase`.'),
    decisionNote: z.string().nullable().describe('The reason of a rejection, which the affiliate received.'),
    owedCents: centsOut.describe('What the program owes the affiliate now: it must be paid before.'),
    openPayouts: countOut.describe('Payouts to the affiliate that are in progress.'),
    currency: currencyOut,
    createdAt: timestampOut,
    decidedAt: timestampOut.nullable().describe('When it was accepted, rejected or withdrawn.'),
  })
  .meta({ id: 'ErasureRequest', example: erasureRequestExample });
type ErasureRequest = z.output<typeof ErasureRequestShape>;

export const erasureRequestSlot = idSlot('erasureRequests', 'The id of the request.');

type Row = Omit<ErasureRequest, 'createdAt' | 'decidedAt'> & { createdAt: Date; decidedAt: Date | null };

/** The requests of a program that fulfil a condition on `request`, the newest first. */
export async function readErasureRequests(
  { db }: Pick<Context, 'db'>,
  { programId, currency }: { programId: string; currency: string },
  condition: RawBuilder<unknown>,
): Promise<ErasureRequest[]> {
  const { rows } = await sql<Row>`
    select request.id, request.affiliate_id, trim(affiliate.first_name || ' ' || affiliate.last_name) as affiliate_name, affiliate.email,
      request.status, request.decision_note, request.created_at, request.decided_at,
      coalesce((select greatest(pending_cents + available_cents, 0) from ledger_balances as balance
        where balance.program_id = ${programId} and balance.affiliate_id = request.affiliate_id), 0) as owed_cents,
      (select count(*)::int from payouts where program_id = ${programId} and affiliate_id = request.affiliate_id
        and status in ('queued', 'sending', 'sent', 'unknown')) as open_payouts
    from erasure_requests as request
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = request.affiliate_id
    where request.program_id = ${programId} and ${condition}
    order by request.created_at desc, request.id desc limit 200`.execute(db);
  return rows.map((row) => ({ ...row, currency, createdAt: row.createdAt.toISOString(), decidedAt: row.decidedAt?.toISOString() ?? null }));
}

type Owner = { programId: string; currency: string };

/** Throws NotFound. */
export async function getErasureRequest(ctx: Pick<Context, 'db'>, owner: Owner, id: string): Promise<ErasureRequest> {
  const [found] = await readErasureRequests(ctx, owner, sql`request.id = ${id}`);
  if (!found) throw new NotFound();
  return found;
}
