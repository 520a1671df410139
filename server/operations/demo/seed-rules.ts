import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { addRule } from '../../earning/commission-rules/create.ts';
import { ruleFields } from '../../earning/commission-rules/write-rule.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { toSlug } from '../../platform/lib/slug.ts';
import { rules } from './data/demo-data.ts';

/** Creates the commission rules; `groupIds` maps the names of groups to their ids. */
export async function seedRules({ tx, actor }: { tx: Tx; actor: Principal }, groupIds: ReadonlyMap<string, string>): Promise<void> {
  const products = await tx.db.selectFrom('products').select(['id', 'externalId']).where('programId', '=', actor.programId).execute();
  for (const { group, product, ...rule } of rules) {
    const productId = product === undefined ? undefined : products.find(({ externalId }) => externalId === toSlug(product))?.id;
    const fields = z.object(ruleFields).parse({ ...rule, groupId: group === undefined ? undefined : groupIds.get(group), productId });
    await addRule(tx, actor.programId, fields, actor);
  }
}
