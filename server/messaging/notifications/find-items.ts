// What happened in a part of the event log that members are notified of.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { NotificationKind } from './kinds.ts';

/** `isEmailed`: the members are emailed about it elsewhere, at once. */
export type Item = { kind: NotificationKind; name: string | null; isEmailed: boolean };

type Part = { programId: string; after: number; upTo: number };
type Row = { type: string; name: string | null; alertKind: string | null };

const kindOfType: Record<string, NotificationKind> = {
  'affiliate.created': 'application',
  'landingPage.submitted': 'page',
  'bountySubmission.created': 'content',
  'fraud.flagged': 'fraud_alert',
  'payout.failed': 'payout_failed',
};

/** The items between two positions, in their order. Affiliates whom the program invited are none. */
export async function findItems({ db }: Pick<Context, 'db'>, { programId, after, upTo }: Part): Promise<Item[]> {
  const { rows } = await sql<Row>`
    select event.type, event.data ->> 'kind' as alert_kind,
      coalesce(trim(affiliate.first_name || ' ' || affiliate.last_name), event.data ->> 'name') as name
    from events as event
    left join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = event.affiliate_id
    where event.program_id = ${programId} and event.position > ${after} and event.position <= ${upTo}
      and event.type = any(${[...Object.keys(kindOfType), 'alert.opened']}::text[])
      and (event.type <> 'affiliate.created' or (event.data ->> 'status' = 'pending' and exists (
        select from applications where applications.program_id = ${programId} and applications.affiliate_id = event.object_id)))
    order by event.position`.execute(db);
  return rows.flatMap(({ type, name, alertKind }) => {
    const kind = type === 'alert.opened' ? kindOfAlert(alertKind) : kindOfType[type];
    return kind ? [{ kind, name, isEmailed: type === 'alert.opened' }] : [];
  });
}

/** The kind of an alert; null for those about the installation, which members can't choose. */
export function kindOfAlert(alertKind: string | null): NotificationKind | null {
  if (alertKind === 'provider_failing') return 'connection';
  return alertKind?.startsWith('payouts_') ? 'payout_problem' : null;
}
