import { type RawBuilder, sql } from 'kysely';
import { retentionJob } from '../../../platform/queue/retention-job.ts';
import { retentionDays } from './delivery.ts';

/** Deletes deliveries after 30 days, and those of deleted webhooks, with their attempts; then the deleted webhooks. */
export const deleteOldDeliveries = retentionJob({
  name: 'webhooks.delete-old',
  cron: '41 3 * * *',
  days: retentionDays,
  rowsPerStatement: 2000,
  change: ({ programId, oldest, limit }) => [
    deleteDeliveries(
      programId,
      sql`select id from webhook_deliveries
        where program_id = ${programId} and created_at < ${oldest} and status in ('delivered', 'failed') limit ${limit}`,
    ),
    deleteDeliveries(
      programId,
      sql`select delivery.id from webhook_deliveries as delivery
        join webhooks as webhook on webhook.program_id = ${programId} and webhook.id = delivery.webhook_id
        where delivery.program_id = ${programId} and webhook.deleted_at is not null and delivery.status <> 'sending' limit ${limit}`,
    ),
    sql`
      delete from webhooks where program_id = ${programId} and ctid = any(array(
        select webhook.ctid from webhooks as webhook where webhook.program_id = ${programId} and deleted_at is not null and not exists (
          select from webhook_deliveries as delivery where delivery.program_id = ${programId} and delivery.webhook_id = webhook.id
        ) limit ${limit}))`,
  ],
});

function deleteDeliveries(programId: string, chosen: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    delete from webhook_deliveries as old using (${chosen}) as chosen
    where old.program_id = ${programId} and old.id = chosen.id`;
}
