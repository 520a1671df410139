import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { job } from '../../../platform/queue/job.ts';
import { changeInBatches } from '../../../platform/queue/retention-job.ts';
import { retentionDays } from './delivery.ts';

const page = 2000;

/** Deletes deliveries after 30 days, and those of deleted webhooks, in small steps; their attempts with them. */
export const deleteOldDeliveries = job<Record<string, never>>({
  name: 'webhooks.delete-old',
  retries: 3,
  cron: '41 3 * * *',
  async run(ctx) {
    const oldest = new Date(ctx.clock.now().getTime() - retentionDays * 86_400_000);
    await deletePages(
      ctx,
      sql`select program_id, id from webhook_deliveries where created_at < ${oldest} and status in ('delivered', 'failed')`,
    );
    await deletePages(
      ctx,
      sql`select delivery.program_id, delivery.id from webhook_deliveries as delivery
        join webhooks as webhook on webhook.program_id = delivery.program_id and webhook.id = delivery.webhook_id
        where webhook.deleted_at is not null and delivery.status <> 'sending'`,
    );
    await sql`delete from webhooks as webhook where deleted_at is not null and not exists (
      select from webhook_deliveries as delivery where delivery.program_id = webhook.program_id and delivery.webhook_id = webhook.id)`.execute(
      ctx.db,
    );
  },
});

async function deletePages(ctx: Context, chosen: RawBuilder<unknown>): Promise<void> {
  await changeInBatches(
    ctx,
    page,
    sql`
      delete from webhook_deliveries as old using (${chosen} limit ${page}) as chosen
      where old.program_id = chosen.program_id and old.id = chosen.id`,
  );
}
