// Creating coupons for many affiliates by a pattern. A dry run plans the same codes and changes nothing. The unique code
// decides between simultaneous requests: a code that was taken in between is reported, and the others are created.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import { recordEvents } from '../../../messaging/events/record.ts';
import { recordChanges } from '../../../platform/audit/record.ts';
import { recordValues } from '../../../platform/db/recorded-values.ts';
import { requireRow } from '../../../platform/db/require-row.ts';
import type { Coupons } from '../../../platform/db/schema.gen.ts';
import { endpoint, type Principal } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { toCodeKey } from '../code.ts';
import { toColumns, unknownCouponProduct } from '../coupon.ts';
import { couponCreated, toCouponEvent } from '../events.ts';
import { findTermFaults, mergeTerms, noTerms, requireProducts, type Terms, termFields } from '../terms.ts';
import { couponPattern, type Planned, type Promoter, planCodes } from './pattern.ts';

const maxAffiliates = 500;

const Body = z
  .object({
    pattern: couponPattern.describe(
      'The code of each affiliate, with `{firstName}`, `{lastName}` or `{referralCode}`. A number is added to a code that is taken.',
    ),
    affiliateIds: z
      .array(uuid)
      .min(1, 'must not be empty')
      .max(maxAffiliates)
      .transform((ids) => [...new Set(ids)].sort())
      .optional()
      .describe('Only these affiliates. Without `affiliateIds` and `groupId`, all active affiliates.')
      .meta({ json: { type: 'array', minItems: 1, maxItems: maxAffiliates, items: { type: 'string', format: 'uuid' } } }),
    groupId: uuid.optional().describe('Only the affiliates of this group.'),
    skipWithCoupon: z.boolean().default(true).describe('Leaves out affiliates who have an active coupon.'),
    dryRun: z.boolean().default(false),
    ...termFields,
  })
  .superRefine((body, check) => {
    for (const { path, message } of findTermFaults(mergeTerms(noTerms, body))) check.addIssue({ code: 'custom', path, message });
  })
  .meta({ id: 'NewCoupons', example: { pattern: '{firstName}20', discountType: 'percentage', discountRate: 20, dryRun: true } });

const Row = z
  .object({
    affiliateId: uuidOut,
    affiliateName: z.string().describe('The name of the affiliate.'),
    code: z.string().nullable().describe('The code of the coupon; null for an affiliate who was left out.'),
    status: z.enum(['created', 'skipped', 'taken']).describe('`skipped`: the affiliate has an active coupon. `taken`: no code was free.'),
    couponId: uuidOut.optional().describe('The id of the coupon. A dry run creates none.'),
  })
  .meta({ id: 'CreatedCouponRow' });

export const createCoupons = endpoint({
  id: 'coupons.createMany',
  route: 'POST /v1/programs/:programId/coupons/bulk',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Coupons',
  summary: 'Create coupons for many affiliates',
  description:
    `Creates a coupon with the same terms for each active affiliate, at most ${maxAffiliates} at once, with a code by a pattern. ` +
    'With `dryRun`, the response has the codes, and nothing is created.',
  body: Body,
  heavy: true,
  statuses: [200],
  result: z
    .object({ created: countOut, skipped: countOut, taken: countOut.describe('Affiliates for whom no code was free.'), rows: z.array(Row) })
    .meta({
      id: 'CreatedCoupons',
      example: {
        created: 1,
        skipped: 0,
        taken: 0,
        rows: [
          {
            affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
            affiliateName: 'Ada Lovelace',
            code: 'ADA20',
            status: 'created',
            couponId: '01980a55-2d3e-7f4a-8b5c-6d7e8f9a0b1c',
          },
        ],
      },
    }),
  errors: [
    unknownCouponProduct,
    { status: 404, code: 'not_found', when: '`groupId` or an id in `affiliateIds` was not found in this program.' },
    { status: 400, code: 'too_many_affiliates', when: `More than ${maxAffiliates} affiliates match. Choose a group, or affiliates.` },
  ],
  async handle(tx, { actor, body: { pattern, affiliateIds, groupId, skipWithCoupon, dryRun, ...given } }) {
    const { programId } = actor;
    const terms = mergeTerms(noTerms, given);
    await requireProducts(tx, programId, terms.productIds);
    if (groupId !== undefined) await requireRow(tx, { table: 'groups', programId, id: groupId, field: 'groupId' });
    for (const id of affiliateIds ?? []) await requireRow(tx, { table: 'affiliates', programId, id, field: 'affiliateIds' });
    const affiliates = await findAffiliates(tx, programId, { affiliateIds, groupId });
    const covered = skipWithCoupon ? await findCovered(tx, programId, affiliates) : new Set<string>();
    const chosen = affiliates.filter(({ id }) => !covered.has(id));
    const planned = await planCodes(pattern, chosen, (keys) => findTaken(tx, programId, keys));
    const inserted = dryRun ? null : await insertCoupons(tx, actor, { planned, terms });
    return summarize({ affiliates, covered, planned, inserted });
  },
});

type Selected = { affiliateIds: readonly string[] | undefined; groupId: string | undefined };

async function findAffiliates(ctx: Pick<Context, 'db'>, programId: string, { affiliateIds, groupId }: Selected): Promise<Promoter[]> {
  let affiliates = ctx.db
    .selectFrom('affiliates')
    .select(['id', 'firstName', 'lastName', 'referralCode'])
    .where('programId', '=', programId)
    .where('status', '=', 'active');
  if (affiliateIds) affiliates = affiliates.where('id', 'in', affiliateIds);
  if (groupId) affiliates = affiliates.where('groupId', '=', groupId);
  const found = await affiliates
    .orderBy('id')
    .limit(maxAffiliates + 1)
    .execute();
  if (found.length > maxAffiliates)
    throw new InvalidState('too_many_affiliates', `More than ${maxAffiliates} affiliates match. Choose a group, or affiliates.`);
  return found;
}

/** The affiliates among these who have an active coupon. */
async function findCovered(tx: Tx, programId: string, affiliates: readonly Promoter[]): Promise<Set<string>> {
  if (affiliates.length === 0) return new Set();
  const ids = affiliates.map(({ id }) => id);
  const now = tx.clock.now();
  const rows = await tx.db
    .selectFrom('coupons')
    .select('affiliateId')
    .where('programId', '=', programId)
    .where('affiliateId', 'in', ids)
    .where('status', '=', 'active')
    .where((where) => where.or([where('endsAt', 'is', null), where('endsAt', '>', now)]))
    .execute();
  return new Set(rows.map(({ affiliateId }) => affiliateId));
}

async function findTaken(tx: Tx, programId: string, codeKeys: readonly string[]): Promise<Set<string>> {
  const coupons = tx.db.selectFrom('coupons').select('codeKey').where('programId', '=', programId);
  const rows = await coupons.where('codeKey', 'in', codeKeys).execute();
  return new Set(rows.map(({ codeKey }) => codeKey));
}

type Insertion = { planned: readonly Planned[]; terms: Terms };

/** The coupons that were created, by affiliate. */
async function insertCoupons(tx: Tx, actor: Principal, { planned, terms }: Insertion): Promise<Map<string, Selectable<Coupons>>> {
  if (planned.length === 0) return new Map();
  const { programId, currency } = actor;
  const now = tx.clock.now();
  const rows = planned.map(({ affiliate, code }) => {
    const key = { programId, id: tx.ids.uuid(), affiliateId: affiliate.id, code, codeKey: toCodeKey(code) };
    return Object.assign(key, toColumns(terms), { status: 'active', createdAt: now, updatedAt: now });
  });
  const coupons = await tx.db
    .insertInto('coupons')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['programId', 'codeKey']).doNothing())
    .returningAll()
    .execute();
  if (coupons.length === 0) return new Map();
  const ids = coupons.map(({ id }) => id);
  await recordValues(tx, 'coupons', programId, ids);
  const changes = coupons.map(({ id, affiliateId, code }) => ({
    action: 'coupon.created' as const,
    subjectId: id,
    after: Object.assign({}, terms, { affiliateId, code }),
  }));
  await recordChanges(tx, { programId, actor }, changes);
  const events = coupons.map((coupon) => toCouponEvent(tx, couponCreated, { coupon, currency }));
  await recordEvents(tx, { programId, actor }, events);
  return new Map(coupons.map((coupon) => [coupon.affiliateId, coupon]));
}

type Outcome = {
  affiliates: readonly Promoter[];
  covered: ReadonlySet<string>;
  planned: readonly Planned[];
  /** Null in a dry run. */
  inserted: ReadonlyMap<string, Selectable<Coupons>> | null;
};

function summarize({ affiliates, covered, planned, inserted }: Outcome) {
  const codes = new Map(planned.map(({ affiliate, code }) => [affiliate.id, code]));
  const rows = affiliates.map(({ id, firstName, lastName }) => {
    const code = codes.get(id) ?? null;
    const isCreated = code !== null && (inserted === null || inserted.has(id));
    const status = covered.has(id) ? ('skipped' as const) : isCreated ? ('created' as const) : ('taken' as const);
    return { affiliateId: id, affiliateName: `${firstName} ${lastName}`, code, status, couponId: inserted?.get(id)?.id };
  });
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  return { created: count('created'), skipped: count('skipped'), taken: count('taken'), rows };
}
