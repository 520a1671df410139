// The affiliates, products and rules that every simulated program starts with.
import { z } from 'zod';
import { createProgram } from '../../../server/accounts/programs/create.ts';
import type { Context, Tx } from '../../../server/context.ts';
import { addRule } from '../../../server/earning/commission-rules/create.ts';
import { ruleFields } from '../../../server/earning/commission-rules/write-rule.ts';
import { Invite, invite } from '../../../server/partners/affiliates/invite.ts';
import { recordValues } from '../../../server/platform/db/recorded-values.ts';
import { transact } from '../../../server/platform/db/transact.ts';
import type { Principal } from '../../../server/platform/http/declaration/endpoint.ts';
import { addProduct } from '../../../server/promotion/catalogue/create.ts';

import { aPrincipal } from './call.ts';

const Rule = z.object(ruleFields);
const command = { kind: 'command' as const, id: 'simulation' };

/** Creates the program; flat refunds and the cap depend on the seed. */
export async function createWorld(ctx: Context, seed: number, now: Date) {
  return transact({ ...ctx, clock: { now: () => now } }, async (tx) => {
    const fresh = { name: `Seed ${seed}`, mode: 'test' as const, currency: 'USD', timezone: 'UTC', websiteUrl: null };
    const { programId, keyId } = await createProgram(tx, fresh, command);
    const actor = aPrincipal(programId, keyId);
    const policy = { flatRefunds: seed % 3 === 0 ? 'keep' : 'pro_rata', commissionCapPercent: seed % 4 === 0 ? '15' : '100' };
    await tx.db.updateTable('programs').set(policy).where('id', '=', programId).execute();
    await recordValues(tx, 'programs', programId, [programId]);
    const affiliates = await createAffiliates(tx, programId);
    const products = await createProducts(tx, actor);
    const rules = await createRules(tx, actor, { products, affiliates });
    return { actor, affiliates, products, rules };
  });
}

async function createAffiliates(tx: Tx, programId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1) {
    const upline = index % 2 === 1 ? { parentAffiliateId: ids[index - 1] } : {};
    const given = {
      email: `p${index}@example.com`,
      firstName: 'P',
      lastName: String(index),
      autoApprove: true,
      sendInvite: false,
      ...upline,
    };
    ids.push((await invite(tx, { programId, actor: command }, Invite.parse(given))).id);
  }
  return ids;
}

async function createProducts(tx: Tx, actor: Principal): Promise<string[]> {
  const ids: string[] = [];
  for (const category of ['Tea', 'Tea', 'Home']) {
    const body = { name: `${category} ${ids.length}`, category, priceCents: 1000, checkoutUrl: 'https://shop.example/x' };
    ids.push((await addProduct(tx, actor, body)).id);
  }
  return ids;
}

async function createRules(
  tx: Tx,
  actor: Principal,
  { products, affiliates }: { products: string[]; affiliates: string[] },
): Promise<string[]> {
  const wanted: z.input<typeof Rule>[] = [
    { name: 'default', type: 'percentage', rate: 10 },
    { name: 'a product', type: 'percentage', rate: 33.3333, productId: products[0] ?? null },
    { name: 'tea', type: 'flat', amountCents: 137, per: 'unit', category: 'Tea' },
    { name: 'one affiliate', type: 'flat', amountCents: 501, affiliateId: affiliates[2] ?? null, maxPerOrderCents: 499 },
    {
      name: 'tiers',
      type: 'percentage',
      rate: 5,
      affiliateId: affiliates[4] ?? null,
      tiers: [
        { metric: 'conversions', period: 'month', from: 3, rate: 7.5 },
        { metric: 'conversions', period: 'month', from: 9, rate: 12.3457 },
      ],
    },
    { name: 'budget', type: 'percentage', rate: 20, productId: products[2] ?? null, budgetCents: 4000, budgetPeriod: 'month' },
    { name: 'first orders', type: 'percentage', rate: 50, trigger: 'first', affiliateId: affiliates[0] ?? null, minPerOrderCents: 100 },
    { name: 'upline', type: 'percentage', rate: 2.5, level: 2 },
    { name: 'leads', event: 'lead', type: 'flat', amountCents: 333 },
    { name: 'upline of leads', event: 'lead', type: 'flat', amountCents: 77, level: 2 },
    { name: 'upline of tea', type: 'percentage', rate: 15, level: 2, basis: 'commission', category: 'Tea' },
  ];
  const ids: string[] = [];
  for (const rule of wanted) ids.push((await addRule(tx, actor.programId, Rule.parse(rule), { actor })).id);
  return ids;
}
