// What happened in a part of the event log that members are notified of.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { NotifiedItem } from '../emails/kinds/members/notifications.ts';
import type { NotificationKind } from './kinds.ts';

/** `isEmailed`: the members are emailed about it elsewhere, at once. */
export type Item = NotifiedItem & { eventId: string; type: string; isEmailed: boolean };

type Part = { programId: string; after: number; upTo: number };
type Row = {
  eventId: string;
  type: string;
  name: string | null;
  alertKind: string | null;
  status: string | null;
  cents: number | null;
  currency: string | null;
  isScheduled: boolean;
};

const kindOfType: Record<string, NotificationKind> = {
  'affiliate.created': 'application',
  'landingPage.submitted': 'page',
  'bountySubmission.created': 'content',
  'fraud.flagged': 'fraud_alert',
  'conversion.created': 'large_order',
  'payoutBatch.approved': 'payout_sent',
  'payout.failed': 'payout_failed',
};
const otherTypes = ['payoutBatch.created', 'payoutBatch.completed', 'alert.opened'];

/** The items between two positions, in their order. Affiliates whom the program invited are none, nor are small orders. */
export async function findItems(ctx: Pick<Context, 'db'>, { programId, after, upTo }: Part): Promise<Item[]> {
  return selectItems(
    ctx,
    programId,
    sql`event.position > ${after} and event.position <= ${upTo}
      and (event.type <> 'conversion.created' or (event.data ->> 'amountCents')::bigint >= program.large_order_cents)
      and (event.type <> 'affiliate.created' or (event.data ->> 'status' = 'pending' and exists (
        select from applications where applications.program_id = ${programId} and applications.affiliate_id = event.object_id)))`,
  );
}

/** The items of events that were found before. */
export async function findItemsOf(ctx: Pick<Context, 'db'>, programId: string, eventIds: readonly string[]): Promise<Item[]> {
  return eventIds.length === 0 ? [] : selectItems(ctx, programId, sql`event.id = any(${eventIds}::uuid[])`);
}

async function selectItems({ db }: Pick<Context, 'db'>, programId: string, isWanted: RawBuilder<unknown>): Promise<Item[]> {
  const { rows } = await sql<Row>`
    select event.id as event_id, event.type, event.data ->> 'kind' as alert_kind, event.data ->> 'status' as status, event.data ->> 'currency' as currency,
      coalesce(event.data ->> 'totalCents', event.data ->> 'amountCents')::bigint as cents, event.actor_kind = 'schedule' as is_scheduled,
      coalesce(trim(affiliate.first_name || ' ' || affiliate.last_name), event.data ->> 'name') as name
    from events as event join programs as program on program.id = ${programId}
    left join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = event.affiliate_id
    where event.program_id = ${programId} and event.type = any(${[...Object.keys(kindOfType), ...otherTypes]}::text[]) and ${isWanted}
    order by event.position`.execute(db);
  return rows.flatMap(toItem);
}

function toItem(row: Row): Item[] {
  const kind = kindOf(row);
  if (kind === null) return [];
  const { eventId, type, name, cents, currency, isScheduled } = row;
  const hasAmount = type === 'conversion.created' || type.startsWith('payoutBatch.');
  const amount = hasAmount && cents !== null && currency !== null ? { cents, currency } : null;
  return [{ eventId, type, kind, name, amount, isEmailed: type === 'alert.opened' || (type === 'payoutBatch.created' && isScheduled) }];
}

function kindOf({ type, alertKind, status }: Row): NotificationKind | null {
  if (type === 'alert.opened') return kindOfAlert(alertKind);
  if (type === 'payoutBatch.created') return status === 'awaiting_approval' ? 'payout_approval' : 'payout_sent';
  if (type === 'payoutBatch.completed') return status === 'completed' ? null : 'payout_batch_failed';
  return kindOfType[type] ?? null;
}

/** The kind of an alert; null for those about the installation, which members can't choose. */
export function kindOfAlert(alertKind: string | null): NotificationKind | null {
  if (alertKind === 'provider_failing') return 'connection';
  return alertKind?.startsWith('payouts_') ? 'payout_problem' : null;
}
