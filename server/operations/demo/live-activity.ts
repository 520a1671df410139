// While the server runs on its embedded database, the demo gets a click or an order every 30 seconds, so that today's
// figures move. Only the program that this installation was created with is changed, until it is removed.
import { sql } from 'kysely';
import type { StoreOrder } from '../../connections/stores/store.ts';
import type { Context, Tx } from '../../context.ts';
import type { ReportedOrder } from '../../earning/conversions/order.ts';
import { transact } from '../../platform/db/transact.ts';
import { job, jobName } from '../../platform/queue/job.ts';
import { getTracking } from '../../promotion/tracking/visit.ts';
import { recordStoreOrder } from '../../stores/commerce/record-order.ts';
import { buildOrder } from './data/basket.ts';
import { expectedOrders } from './data/curve.ts';
import { agents, referrers } from './data/demo-data.ts';
import { findDemo } from './demo.ts';
import { createRandom, createWeightedPick, type Random } from './random.ts';

const name = 'demo.live';
const intervalSeconds = 30;
/** Above this number of clicks only every twentieth interval adds one, so that a server that runs for months stays small. */
const manyClicks = 60_000;
const rarePercent = 5;
/** Until today has as many orders as usual at this time, they arrive faster. */
const orderPercent = { behind: 15, usual: 1.5 };
/** Customers order within three hours of their click. */
const orderWindowHours = 3;

export const addLiveActivity = job<{ isSecond?: boolean }>({
  name,
  retries: 0,
  cron: '* * * * *',
  async run(ctx, { isSecond }) {
    // An operator's database is never changed.
    if (!ctx.config.demo || ctx.config.databaseUrl !== undefined) return;
    const demo = await findDemo(ctx);
    if (!demo) return;
    await addActivity(ctx, demo.programId, createRandom(ctx.clock.now().getTime()));
    // Schedules have a resolution of one minute.
    if (!isSecond) await transact(ctx, (tx) => tx.jobs.enqueue(tx, jobName(name), { isSecond: true }, { delaySeconds: intervalSeconds }));
  },
});

/** Adds one order or one click, as a customer and a visitor would. */
export async function addActivity(ctx: Context, programId: string, random: Random): Promise<'order' | 'click' | null> {
  const { clicks, orders } = await readSize(ctx, programId);
  if (clicks > manyClicks && !random.happens(rarePercent)) return null;
  const isBehind = orders < expectedOrders(ctx.clock.now());
  if (random.happens(isBehind ? orderPercent.behind : orderPercent.usual) && (await transact(ctx, (tx) => addOrder(tx, programId, random))))
    return 'order';
  return (await addClick(ctx, programId, random)) ? 'click' : null;
}

/** The clicks of the program, and its orders of today. */
async function readSize(ctx: Context, programId: string): Promise<{ clicks: number; orders: number }> {
  const today = ctx.clock.now().toISOString().slice(0, 10);
  const { rows } = await sql<{ clicks: number; orders: number }>`
    select (select coalesce(sum(clicks), 0)::bigint from affiliates where program_id = ${programId}) as clicks,
      (select count(*) from conversion_summaries where program_id = ${programId} and occurred_at >= ${`${today}T00:00:00Z`}) as orders`.execute(
    ctx.db,
  );
  return rows[0] ?? { clicks: 0, orders: 0 };
}

/** Affiliates who brought many visitors bring more. */
async function addClick(ctx: Context, programId: string, random: Random): Promise<boolean> {
  const affiliates = ctx.db.selectFrom('affiliates').select(['referralCode', 'clicks']).where('programId', '=', programId);
  const active = await affiliates.where('status', '=', 'active').orderBy('id').execute();
  if (active.length === 0) return false;
  const { referralCode } = createWeightedPick(active, ({ clicks }) => clicks + 5)(random);
  const outcome = await getTracking(ctx).visit({
    name: { kind: 'code', name: referralCode, program: programId },
    via: 'redirect',
    // Of a network that is reserved for documentation.
    ip: `198.51.100.${1 + random.number(254)}`,
    peer: '127.0.0.1',
    headers: { 'user-agent': random.pick(agents) },
    isHead: false,
    referrer: toAddress(random.pick(referrers)),
    url: undefined,
    subIds: [],
    visitorId: null,
    adParameter: null,
  });
  return outcome?.recorded ?? false;
}

function toAddress(host: string | null): string | undefined {
  return host === null ? undefined : `https://${host}/`;
}

/** A recent visitor orders in the store. False if there is no store, or no visitor who hasn't ordered. */
async function addOrder(tx: Tx, programId: string, random: Random): Promise<boolean> {
  const now = tx.clock.now();
  const { rows } = await sql<{ clickId: string; storeId: string; groupName: string | null }>`
    select click.id as click_id, store.id as store_id, affiliate_group.name as group_name from clicks as click
    join affiliates as affiliate on affiliate.program_id = click.program_id and affiliate.id = click.affiliate_id
    join providers as store on store.program_id = click.program_id and store.kind = 'commerce' and store.status = 'connected'
    left join groups as affiliate_group on affiliate_group.program_id = click.program_id and affiliate_group.id = affiliate.group_id
    where click.program_id = ${programId} and affiliate.status = 'active'
      and click.created_at > ${now}::timestamptz - make_interval(hours => ${orderWindowHours})
      and click.created_at < ${now}::timestamptz - interval '1 minute'
      and not exists (select from conversions where program_id = click.program_id and click_id = click.id)
    order by click.created_at desc, click.id limit 50`.execute(tx.db);
  if (rows.length === 0) return false;
  const { clickId, storeId, groupName } = random.pick(rows);
  const outcome = await recordStoreOrder(
    tx,
    { programId, id: storeId },
    {
      kind: 'order',
      order: toStoreOrder(buildOrder({ random, at: now, group: groupName ?? undefined }, {})),
      signals: { clickId },
      references: [],
      signalReferences: [],
      grossCents: null,
      lineIds: [],
    },
  );
  return outcome.status === 'credited';
}

/** An order as a store sends it. */
function toStoreOrder({ orderId, amountCents, items, customer, occurredAt }: ReportedOrder): StoreOrder {
  return {
    orderId,
    amountCents,
    items: items.map(({ externalProductId = null, name: title = null, quantity, amountCents: cents, discountCents }) => ({
      externalProductId,
      sku: null,
      name: title,
      quantity,
      amountCents: cents,
      discountCents,
    })),
    customer: { externalId: customer?.externalId ?? null, email: null, country: customer?.country ?? undefined },
    occurredAt: occurredAt?.toISOString(),
  };
}
