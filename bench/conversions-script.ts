// The script that pgbench runs: every row that crediting one order writes, with the same sizes, in one
// transaction. What must be locked longest is touched last.
import pg from 'pg';

export const program = '00000000-0000-7000-8000-000000000001';

/** Documents of an order, as SQL. */
export type Samples = { facts: string; decision: string; events: { type: string; object: string; data: string }[] };

/** Takes the documents of an order that was really credited, so that they have their true size. */
export async function readSamples(connection: pg.ClientConfig): Promise<Samples> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(`select facts::text, decision::text from conversions limit 1`);
  const events = await client.query<{ type: string; object: string; data: string }>(
    `select distinct on (type) type, object_type as object, data::text from events where type in ('conversion.created', 'commission.created')`,
  );
  await client.end();
  const [sample] = rows;
  if (!sample || events.rows.length < 2) throw new Error('No order was credited to take after.');
  const quoted = events.rows.map((event) => ({ ...event, data: quote(event.data) }));
  return { facts: quote(sample.facts), decision: quote(sample.decision), events: quoted };
}

function toInsert({ type, object, data }: Samples['events'][number]): string {
  const subject = type.startsWith('conversion') ? ':conversion::uuid' : ':commission::uuid';
  return `insert into events (program_id, id, type, object_type, object_id, object_sequence, affiliate_id, data, actor_kind, actor_id, created_at)
  values ('${program}', ${orderedId}, '${type}', '${object}', ${subject}, 1, :person::uuid, ${data}, 'api_key',
    :commission::text, :at::timestamptz);
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Ids in the order of time, as the service makes them. */
export const orderedId = `(lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 19))::uuid`;

/** The script for one order in each transaction. */
export const pgbenchScript = (affiliates: number, { facts, decision, events }: Samples) => `
\\set affiliate random(1, ${affiliates})
\\set amount random(1000, 9999)
begin;
select lpad(to_hex(:affiliate::int), 32, '0')::uuid as person, ${orderedId} as conversion, ${orderedId} as commission, ${orderedId} as customer,
  now() as at \\gset
insert into conversions (program_id, id, affiliate_id, order_id, amount_cents, created_at, currency, occurred_at, method, customer_key, facts, decision, cap_cents)
  values ('${program}', :conversion::uuid, :person::uuid, 'pgbench-' || :conversion::text, :amount, :at::timestamptz, 'USD', :at::timestamptz, 'referral_code',
    'id:' || :conversion::text, ${facts}, ${decision}, :amount);
insert into conversion_summaries (program_id, id, affiliate_id, status, method, has_conflict, amount_cents, commission_cents, occurred_at, created_at)
  values ('${program}', :conversion::uuid, :person::uuid, 'pending', 'referral_code', false, :amount, :amount::bigint / 10, :at::timestamptz, :at::timestamptz);
insert into customers (program_id, id, affiliate_id, bound_by, bound_method, bound_at, changes, created_at, updated_at)
  values ('${program}', :customer::uuid, :person::uuid, 'order', 'referral_code', :at::timestamptz, 1, :at::timestamptz, :at::timestamptz);
insert into customer_bindings (program_id, customer_id, step, affiliate_id, source, method, conversion_id, actor_kind, actor_id, created_at)
  values ('${program}', :customer::uuid, 1, :person::uuid, 'order', 'referral_code', :conversion::uuid, 'api_key', :commission::text, :at::timestamptz);
insert into customer_keys (program_id, key, customer_id, first_order_at, orders)
  values ('${program}', 'id:' || :conversion::text, :customer::uuid, :at::timestamptz, 1);
insert into commissions (program_id, id, conversion_id, affiliate_id, amount_cents, created_at, status, currency, type, rate, source, rule_id, rule_version,
    positions, base_cents, matures_at, updated_at)
  values ('${program}', :commission::uuid, :conversion::uuid, :person::uuid, :amount::bigint / 10, :at::timestamptz, 'pending', 'USD', 'percentage', 10, 'rule',
    '00000000-0000-7000-8000-00000000000a', 1, '{0}', :amount, :at::timestamptz + interval '30 days', :at::timestamptz);
insert into commission_events (program_id, id, commission_id, step, to_status, actor_kind, actor_id, created_at)
  values ('${program}', ${orderedId}, :commission::uuid, 1, 'pending', 'api_key', :commission::text, :at::timestamptz);
update affiliates set conversions = conversions + 1, commission_cents = commission_cents + :amount::bigint / 10
  where program_id = '${program}' and id = :person::uuid;
insert into figure_changes (program_id, id, affiliate_ids, sales_cents)
  values ('${program}', ${orderedId}, array[:person::uuid], array[:amount::bigint]);
insert into daily_totals as total (program_id, day, affiliate_id, conversions, sales_cents, commissions_cents)
  values ('${program}', :at::timestamptz::date, :person::uuid, 1, :amount, :amount::bigint / 10)
  on conflict (program_id, day, affiliate_id) do update set conversions = total.conversions + 1, sales_cents = total.sales_cents + excluded.sales_cents,
    commissions_cents = total.commissions_cents + excluded.commissions_cents;
${events.map(toInsert).join('')}insert into ledger_balances as balance (program_id, affiliate_id, pending_cents) values ('${program}', :person::uuid, :amount::bigint / 10)
  on conflict (program_id, affiliate_id) do update set pending_cents = balance.pending_cents + excluded.pending_cents;
update ledger_heads set seq = seq + 1, hash = sha256(hash), commissions_cents = commissions_cents - :amount::bigint / 10
  where program_id = '${program}' returning seq, hash \\gset
insert into ledger_entries (program_id, seq, id, kind, ref, affiliate_id, commission_id, debit, credit, cents, currency, created_at, hash)
  values ('${program}', :seq, ${orderedId}, 'accrue', :commission::text, :person::uuid, :commission::uuid, 'commissions', 'pending', :amount::bigint / 10,
    'USD', :at::timestamptz, :hash::bytea);
commit;
`;
