import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { createRule } from '../../earning/commission-rules/create.ts';
import { ruleFields } from '../../earning/commission-rules/write-rule.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { perform } from '../../platform/http/perform.ts';
import { toSlug } from '../../platform/lib/slug.ts';
import { rules } from './cast.ts';

type Catalogue = { groupIds: ReadonlyMap<string, string> };

/** The commission rules of the demo. */
export async function layDownRules({ tx, actor }: { tx: Tx; actor: Principal }, { groupIds }: Catalogue): Promise<void> {
  const products = await tx.db.selectFrom('products').select(['id', 'externalId']).where('programId', '=', actor.programId).execute();
  for (const { group, product, ...rule } of rules) {
    const productId = product === undefined ? undefined : products.find(({ externalId }) => externalId === toSlug(product))?.id;
    const body = z.object(ruleFields).parse({ ...rule, groupId: group === undefined ? undefined : groupIds.get(group), productId });
    await perform(createRule, tx, { actor, params: {}, query: undefined, body });
  }
}
