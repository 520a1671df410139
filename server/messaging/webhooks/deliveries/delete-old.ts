import { type RawBuilder, sql } from 'kysely';
import { retentionJob } from '../../../platform/queue/retention-job.ts';
import { retentionDays } from './delivery.ts';

/** Deletes deliveries after 30 days, and those of deleted webhooks, with their attempts; then the deleted webhooks. */
export const deleteOldDeliveries = retentionJob({
  name: 'webhooks.delete-old',
  cron: '41 3 * * *',
  days: retentionDays,
  rowsPerStatement: 2000,
  change: ({ oldest, limit }) => [
    deleteDeliveries(
      sql`select program_id, id from webhook_deliveries
        where created_at < ${oldest} and status in ('delivered', 'failed') limit ${limit}`,
    ),
    deleteDeliveries(
      sql`select delivery.program_id, delivery.id from webhook_deliveries as delivery
        join webhooks as webhook on webhook.program_id = delivery.program_id and webhook.id = delivery.webhook_id
        where webhook.deleted_at is not null and delivery.status <> 'sending' limit ${limit}`,
    ),
    sql`
      delete from webhooks where ctid = any(array(
        select webhook.ctid from webhooks as webhook where deleted_at is not null and not exists (
          select from webhook_deliveries as delivery
          where delivery.program_id = webhook.program_id and delivery.webhook_id = webhook.id
        ) limit ${limit}))`,
  ],
});

function deleteDeliveries(chosen: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    delete from webhook_deliveries as old using (${chosen}) as chosen
    where old.program_id = chosen.program_id and old.id = chosen.id`;
}
