// What the lists of the console receive for each row: what their tables show, and no more. A row of the list of
// conversions of the API has about 1,000 bytes, because it includes each commission.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestMember, type TestService } from '../support/harness.ts';
import { fillProgram } from '../support/screens/fill-program.ts';

/** Bytes per row, not compressed, for each list as its screen reads it. */
const limits = {
  conversions: 400,
  affiliates: 550,
  customers: 400,
  products: 400,
  'audit-entries': 600,
  emails: 400,
  activity: 400,
};

type Row = Record<string, unknown>;

describe('the lists of the console', () => {
  let service: TestService;
  let member: TestMember;
  before(async () => {
    service = await openTestService();
    await fillProgram(service, service.program);
    member = await service.asMember('owner', { name: 'Dana Calder' });
  });
  after(() => service.close());

  async function read(path: string): Promise<{ rows: Row[]; total: unknown; bytes: number }> {
    const { status, body, text } = await member.request('GET', path);
    assert.equal(status, 200, `${path}: ${text}`);
    const rows = Object.values(body).find((value): value is Row[] => Array.isArray(value)) ?? [];
    return { rows, total: body.total, bytes: Buffer.byteLength(text) };
  }

  const app = (list: string) => `/app/programs/${service.program.programId}/${list}`;

  for (const [list, limit] of Object.entries(limits)) {
    test(`${list}: a row has at most ${limit} bytes`, async (t) => {
      const { rows, bytes } = await read(`${app(list)}?limit=50`);
      assert.ok(rows.length >= 20, `${rows.length} rows`);
      const perRow = Math.ceil(bytes / rows.length);
      t.diagnostic(`${perRow} bytes per row`);
      assert.ok(perRow <= limit, `${perRow} of ${limit} bytes per row`);
    });
  }

  for (const query of ['', 'sort=-amountCents', 'status=held', 'search=ada', 'conflict=true', 'refunded=true', 'offset=40']) {
    test(`orders are the conversions of the API, with the same figures: ${query || 'no filter'}`, async () => {
      const [orders, conversions] = [
        await read(`${app('conversions')}?${query}`),
        await read(`${service.program.path}/conversions?expand=affiliate&${query}`),
      ];
      assert.equal(orders.total, conversions.total);
      assert.deepEqual(orders.rows, conversions.rows.map(toOrderRow));
    });
  }

  for (const query of ['', 'isBound=true', 'search=c-900', 'sort=createdAt&offset=10']) {
    test(`customers are those of the API, with the same figures: ${query || 'no filter'}`, async () => {
      const [shown, customers] = [
        await read(`${app('customers')}?${query}`),
        await read(`${service.program.path}/customers?expand=affiliate&expand=totals&${query}`),
      ];
      assert.ok(shown.rows.length > 0);
      assert.equal(shown.total, customers.total);
      assert.deepEqual(shown.rows, customers.rows.map(toCustomerRow));
    });
  }
});

/** A conversion of the API as a row of the table of orders. */
function toOrderRow(conversion: Row): Row {
  const { id, orderId, status, amountCents, refundedCents, commissionCents, currency, exchange, occurredAt } = conversion;
  const { name, email } = conversion.affiliate as Row;
  const { method, conflict } = conversion.attribution as { method: string; conflict: { affiliateId: string }[] | null };
  const otherAffiliates = new Set(conflict?.map(({ affiliateId }) => affiliateId)).size;
  const affiliate = { name, email };
  const amounts = { amountCents, refundedCents, commissionCents, currency, exchange };
  return { id, orderId, status, affiliate, method, ...amounts, otherAffiliates, occurredAt };
}

/** A customer of the API as a row of the table of customers. */
function toCustomerRow(customer: Row): Row {
  const { id, externalIds, boundBy, boundMethod, boundAt, createdAt } = customer;
  const { orders, salesCents, refundsCents, currency } = customer.totals as { [name: string]: number };
  const affiliateName = (customer.affiliate as Row | undefined)?.name ?? null;
  const figures = { orders, salesCents: Number(salesCents) - Number(refundsCents), currency };
  return { id, externalIds, affiliateName, boundBy, boundMethod, boundAt, ...figures, createdAt };
}
