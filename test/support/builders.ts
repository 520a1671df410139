// Rows that a test needs, made through the API; only what matters is set.
import assert from 'node:assert/strict';
import { markWork } from '../../server/platform/queue/program-work.ts';
import type { TestProgram, TestService } from './harness.ts';

let serial = 0;

type AnAffiliate = {
  email?: string;
  firstName?: string;
  lastName?: string;
  status?: string;
  groupId?: string;
  parentAffiliateId?: string;
  autoApprove?: boolean;
  sendInvite?: boolean;
  externalId?: string;
  metadata?: Record<string, string>;
  tags?: string[];
};

/** An invited affiliate (no mail unless asked for), brought to `status` when given. */
export async function anAffiliate(service: TestService, { status, ...given }: AnAffiliate = {}, program: TestProgram = service.program) {
  serial += 1;
  const body = { email: `person${serial}@example.com`, firstName: 'Ada', lastName: `Lovelace${serial}`, sendInvite: false, ...given };
  const invited = await service.request('POST', `${program.path}/affiliates`, { body, key: program.key });
  assert.equal(invited.status, 201, invited.text);
  if (status && status !== invited.body.status) {
    const updated = await service.request('PATCH', `${program.path}/affiliates/${invited.body.id}`, { body: { status }, key: program.key });
    assert.equal(updated.status, 200, updated.text);
  }
  return invited.body as { id: string; email: string; referralCode: string; status: string };
}

export async function aGroup(
  service: TestService,
  name = `Group ${Math.random()}`,
  program: TestProgram = service.program,
): Promise<string> {
  const created = await service.request('POST', `${program.path}/groups`, { body: { name }, key: program.key });
  assert.equal(created.status, 201, created.text);
  return created.body.id;
}

export async function aProduct(
  service: TestService,
  given: Record<string, unknown> = {},
  program: TestProgram = service.program,
): Promise<string> {
  serial += 1;
  const body = { name: `Product ${serial}`, priceCents: 1000 + serial, checkoutUrl: `https://shop.example/buy/${serial}`, ...given };
  const created = await service.request('POST', `${program.path}/products`, { body, key: program.key });
  assert.equal(created.status, 201, created.text);
  return created.body.id;
}

/** A coupon of an affiliate, with a code made from its name unless one is given. */
export async function aCoupon(
  service: TestService,
  given: Record<string, unknown> & { affiliateId: string },
  program: TestProgram = service.program,
) {
  const created = await service.request('POST', `${program.path}/coupons`, { body: given, key: program.key });
  assert.equal(created.status, 201, created.text);
  return created.body;
}

/** The first write of an affiliate's page. */
export async function aPage(service: TestService, affiliateId: string, slug: string, given: Record<string, unknown> = {}) {
  const body = { affiliateId, pageTitle: 'My favourites', ...given };
  const written = await service.request('POST', `${service.program.path}/landing-pages/${slug}`, { body });
  assert.equal(written.status, 201, written.text);
  return written.body as { id: string; slug: string; reviewStatus: string; isPublished: boolean; isLive: boolean };
}

/** A commission rule: by default 10 % for all affiliates. */
export async function aRule(
  service: TestService,
  given: Record<string, unknown> = {},
  program: TestProgram = service.program,
): Promise<string> {
  serial += 1;
  const pays = 'type' in given ? {} : { type: 'percentage', rate: 10 };
  const body = { name: `Rule ${serial}`, ...pays, ...given };
  const created = await service.request('POST', `${program.path}/commission-rules`, { body, key: program.key });
  assert.equal(created.status, 201, created.text);
  return created.body.id;
}

/** Reports an order and expects it to be credited. */
export async function anOrder(service: TestService, given: Record<string, unknown>, program: TestProgram = service.program) {
  serial += 1;
  const body = { orderId: `order-${serial}`, amountCents: 10_000, ...given };
  const reported = await service.request('POST', '/v1/conversions', { body, key: program.key });
  assert.equal(reported.status, 201, reported.text);
  return reported.body;
}

/** A recorded click of an affiliate, written as tracking writes it. Returns its id. */
export async function aClick(service: TestService, affiliateId: string, program = service.program): Promise<string> {
  const id = service.ctx.ids.uuid();
  const values = [program.programId, id, affiliateId, service.clock.now()];
  await service.pool.query('insert into clicks (program_id, id, affiliate_id, created_at) values ($1, $2, $3, $4)', values);
  await service.pool.query('update affiliates set clicks = clicks + 1 where program_id = $1 and id = $2', [program.programId, affiliateId]);
  await service.pool.query(
    `insert into daily_totals as total (program_id, day, affiliate_id, clicks)
     select id, ($2::timestamptz at time zone timezone)::date, $3, 1 from programs where id = $1
     on conflict (program_id, day, affiliate_id) do update set clicks = total.clicks + 1`,
    [program.programId, service.clock.now(), affiliateId],
  );
  await markWork(service.ctx, { programId: program.programId, kind: 'click_figures', dueAt: service.clock.now() });
  return id;
}

/** A custom domain of the program, whose records were not created. Returns its id. */
export async function aDomain(service: TestService, host: string, { path, key }: TestProgram = service.program): Promise<string> {
  const created = await service.request('POST', `${path}/domains`, { body: { host, purpose: 'links' }, key });
  assert.equal(created.status, 201, created.text);
  return created.body.id;
}
