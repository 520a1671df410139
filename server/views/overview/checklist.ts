// The first steps of a program, each completed by what exists in it: nothing is stored about them.
import { sql } from 'kysely';
import { z } from 'zod';
import { readReadiness } from '../../accounts/programs/go-live.ts';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut } from '../../platform/http/declaration/fields.ts';

const stepIds = ['brand', 'commission_rule', 'products', 'store', 'affiliate', 'click', 'order', 'payout_provider', 'live'] as const;
type StepId = (typeof stepIds)[number];

const Missing = z
  .enum([
    'website',
    'logo_or_color',
    'commission_rule',
    'product',
    'store',
    'affiliate',
    'active_affiliate',
    'click',
    'order',
    'credited_order',
    'payout_provider',
    'confirmation',
  ])
  .meta({ id: 'ChecklistMissing' });
type Missing = z.infer<typeof Missing>;

const Checklist = z
  .object({
    steps: z.array(
      z.object({
        id: z.enum(stepIds),
        isDone: z.boolean().describe('Whether the step lacks nothing.'),
        missing: z.array(Missing).describe('What completes the step, the first thing first; empty if it is done.'),
      }),
    ),
    done: countOut.describe('How many steps are done.'),
    total: countOut.describe('How many steps there are.'),
    isComplete: z.boolean().describe('Whether every step is done.'),
    unpaidCents: centsOut.describe('The unpaid commissions that a test program would go live with.'),
  })
  .meta({
    id: 'Checklist',
    example: {
      steps: [
        { id: 'brand', isDone: true, missing: [] },
        { id: 'commission_rule', isDone: false, missing: ['commission_rule'] },
      ],
      done: 1,
      total: 9,
      isComplete: false,
      unpaidCents: 0,
    },
  });

export const getChecklist = endpoint({
  id: 'checklist.get',
  route: 'GET /app/programs/:programId/checklist',
  scope: 'read',
  isUserOnly: true,
  tag: 'Overview',
  summary: 'Get the first steps of a program',
  description: 'Each step is completed by what exists in the program.',
  statuses: [200],
  result: Checklist,
  async handle(ctx, { actor: { programId } }) {
    const [facts, readiness] = await Promise.all([readFacts(ctx, programId), readReadiness(ctx, programId)]);
    const missing = findMissing(facts);
    if (!readiness.isLive) missing.live = readiness.missing.length > 0 ? readiness.missing : ['confirmation'];
    const steps = stepIds.map((id) => ({ id, isDone: missing[id].length === 0, missing: missing[id] }));
    const done = steps.filter(({ isDone }) => isDone).length;
    return { steps, done, total: steps.length, isComplete: done === steps.length, unpaidCents: readiness.unpaidCents };
  },
});

type Facts = {
  hasWebsite: boolean;
  hasLook: boolean;
  hasRule: boolean;
  hasProduct: boolean;
  hasStore: boolean;
  hasAffiliate: boolean;
  hasActiveAffiliate: boolean;
  hasClick: boolean;
  hasOrder: boolean;
  hasUnattributedOrder: boolean;
  hasPayoutProvider: boolean;
};

/** What is missing for each step. Pure. */
function findMissing(facts: Facts): Record<StepId, Missing[]> {
  const affiliate: Missing[] = !facts.hasAffiliate ? ['affiliate'] : facts.hasActiveAffiliate ? [] : ['active_affiliate'];
  const unless = (isThere: boolean, missing: Missing): Missing[] => (isThere ? [] : [missing]);
  return {
    brand: [...unless(facts.hasWebsite, 'website'), ...unless(facts.hasLook, 'logo_or_color')],
    commission_rule: unless(facts.hasRule, 'commission_rule'),
    products: unless(facts.hasProduct, 'product'),
    store: unless(facts.hasStore, 'store'),
    affiliate,
    // Clicks come through the links of affiliates.
    click: facts.hasClick ? [] : [...affiliate, 'click'],
    order: facts.hasOrder ? [] : [facts.hasUnattributedOrder ? 'credited_order' : 'order'],
    payout_provider: unless(facts.hasPayoutProvider, 'payout_provider'),
    live: [],
  };
}

async function readFacts({ db }: Pick<Context, 'db'>, programId: string): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select program.website_url is not null as has_website,
      exists (select from program_brands where program_id = ${programId} and (logo_url is not null or color is not null)) as has_look,
      exists (select from commission_rules where program_id = ${programId} and status = 'active') as has_rule,
      exists (select from products where program_id = ${programId} and status = 'active') as has_product,
      exists (select from providers where program_id = ${programId} and kind = 'commerce' and status <> 'archived')
        or exists (select from api_keys where program_id = ${programId} and last_used_at is not null) as has_store,
      exists (select from affiliates where program_id = ${programId}) as has_affiliate,
      exists (select from affiliates where program_id = ${programId} and status = 'active') as has_active_affiliate,
      exists (select from clicks where program_id = ${programId}) as has_click,
      exists (select from conversions where program_id = ${programId}) as has_order,
      exists (select from unattributed_orders where program_id = ${programId}) as has_unattributed_order,
      exists (select from providers where program_id = ${programId} and kind = 'payout' and status <> 'archived') as has_payout_provider
    from programs as program where program.id = ${programId}`.execute(db);
  const [facts] = rows;
  if (!facts) throw new Error('The facts of the program are missing.');
  return facts;
}
