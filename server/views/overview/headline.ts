// The most important fact of a program at this moment. The console writes the sentence.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { chooseProvider } from '../../paying/payouts/choose-provider.ts';
import { sumDue } from '../../paying/payouts/due/find-due.ts';
import { LockReason } from '../../paying/payouts/lock.ts';
import { centsOut, countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import type { AttentionItem, AttentionKind } from './attention.ts';

export const Headline = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('payouts_locked'),
      lockReason: LockReason,
      lockedAt: timestampOut.nullable().describe('Since when payouts are locked.'),
    }),
    z.object({
      kind: z.enum(['stores_failing', 'payout_providers_failing']),
      count: countOut.describe('How many of them fail.'),
      name: z.string(),
      id: uuidOut.nullable(),
    }),
    z.object({
      kind: z.literal('batch_awaiting_approval'),
      count: countOut.describe('How many batches await approval.'),
      amountCents: centsOut,
      id: uuidOut.nullable(),
    }),
    z.object({
      kind: z.literal('payouts_due'),
      affiliates: countOut.describe('How many affiliates would be paid.'),
      amountCents: centsOut,
    }),
    z.object({
      kind: z.literal('reviews'),
      count: countOut.describe('How many reviews await a decision.'),
      oldestAt: timestampOut.nullable(),
    }),
    z.object({ kind: z.literal('all_caught_up'), nextMaturesAt: timestampOut.nullable() }),
  ])
  .describe(
    'In this order: payouts are locked; a store or payout provider needs attention; a batch awaits approval; payouts are due; reviews ' +
      'await a decision; none of these.',
  )
  .meta({ id: 'OverviewHeadline', example: { kind: 'payouts_due', affiliates: 84, amountCents: 198_020 } });
export type Headline = z.input<typeof Headline>;

export type Lock = { lockReason: string | null; lockedAt: Date | null };
export type DueSums = { affiliates: number; amountCents: number };
type Facts = { lock: Lock; due: DueSums; attention: readonly AttentionItem[]; nextMaturesAt: Date | null };

const reviewed: readonly AttentionKind[] = ['discrepancies', 'fraud_alerts', 'pages', 'applications', 'claims', 'bounty_submissions'];

export function chooseHeadline({ lock, due, attention, nextMaturesAt }: Facts): Headline {
  const reason = LockReason.safeParse(lock.lockReason);
  if (reason.success) return { kind: 'payouts_locked', lockReason: reason.data, lockedAt: lock.lockedAt?.toISOString() ?? null };
  const find = (kind: AttentionKind) => attention.find((item) => item.kind === kind);
  for (const kind of ['stores_failing', 'payout_providers_failing'] as const) {
    const failing = find(kind);
    if (failing) return { kind, count: failing.count, name: failing.names[0] ?? '', id: failing.id };
  }
  const batch = find('batch_approval');
  if (batch) return { kind: 'batch_awaiting_approval', count: batch.count, amountCents: batch.amountCents ?? 0, id: batch.id };
  if (due.affiliates > 0) return { kind: 'payouts_due', ...due };
  const reviews = attention.filter(({ kind }) => reviewed.includes(kind));
  if (reviews.length === 0) return { kind: 'all_caught_up', nextMaturesAt: nextMaturesAt?.toISOString() ?? null };
  const count = reviews.reduce((sum, item) => sum + item.count, 0);
  const oldestAt = reviews.flatMap((item) => item.oldestAt ?? []).sort()[0] ?? null;
  return { kind: 'reviews', count, oldestAt };
}

export async function readLockState(ctx: Pick<Context, 'db'>, programId: string): Promise<Lock> {
  const { rows } = await sql<Lock>`select lock_reason, locked_at from payout_safety where program_id = ${programId}`.execute(ctx.db);
  return rows[0] ?? { lockReason: null, lockedAt: null };
}

/** Whom a dispatch through the default provider would pay now. Nothing is due while that provider can't pay. */
export async function readDue(ctx: Pick<Context, 'db' | 'clock'>, programId: string): Promise<DueSums> {
  try {
    return await sumDue(ctx, programId, await chooseProvider(ctx, programId, undefined));
  } catch (error) {
    if (error instanceof Invalid) return { affiliates: 0, amountCents: 0 };
    throw error;
  }
}
