// Rows of a program for `test/every-endpoint.test.ts`.
import assert from 'node:assert/strict';
import { aClick, aCoupon, aDomain, aGroup, anAffiliate, aProduct } from '../builders.ts';
import { moneyRows } from '../fuzz/money-samples.ts';
import { payoutRows } from '../fuzz/payout-samples.ts';
import { providerRows } from '../fuzz/provider-samples.ts';
import type { TestProgram, TestService } from '../harness.ts';

/** The ids of new rows of a program, by the part of the path that comes before them. */
export async function rowsOfProgram(service: TestService, program: TestProgram): Promise<Record<string, string>> {
  const { id } = await anAffiliate(service, {}, program);
  const slug = `page-${program.programId.slice(-6)}`;
  const page = { affiliateId: id, pageTitle: 'Mine' };
  assert.equal((await service.request('POST', `${program.path}/landing-pages/${slug}`, { body: page, key: program.key })).status, 201);
  return {
    affiliates: id,
    groups: await aGroup(service, 'Gold', program),
    products: await aProduct(service, {}, program),
    coupons: (await aCoupon(service, { affiliateId: id }, program)).id,
    domains: await aDomain(service, `${slug}.example`, program),
    'landing-pages': slug,
    clicks: await aClick(service, id, program),
    'audit-events': (await service.request('GET', `${program.path}/audit-events?limit=1`, { key: program.key })).body.auditEvents[0].id,
    'audit-entries': (await service.request('GET', `${program.path}/audit-events?limit=1`, { key: program.key })).body.auditEvents[0].id,
    events: (await service.pool.query('select id from events where program_id = $1 limit 1', [program.programId])).rows[0].id,
    ...(await moneyRows(service, program)),
    ...(await providerRows(service, program)),
    ...(await payoutRows(service, program)),
  };
}
