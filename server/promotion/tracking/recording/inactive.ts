// Clicks of affiliates that are not active are rejected. Their statuses are read in the transaction that writes a batch,
// together with its BEGIN. Those that were not active are remembered for a second, so that links of a suspended affiliate
// cost one statement a second.
import { CompiledQuery } from 'kysely';
import type { Tx } from '../../../context.ts';
import { toArrayText } from '../../../platform/db/statements/send-together.ts';
import type { Click, ClickRow } from './click.ts';

export type Inactive = {
  /** Whether the affiliate is known not to be active. */
  has(click: Click): boolean;
  /** The ids of those affiliates of one program's rows that are not active. */
  find(tx: Tx, rows: readonly ClickRow[]): Promise<ReadonlySet<string>>;
};

const rememberedMs = 1000;
const maxRemembered = 10_000;

const findInactive = `select id from affiliates where program_id = $1 and id = any($2::uuid[]) and status <> 'active'`;

export function createInactive(): Inactive {
  const until = new Map<string, number>();
  return {
    has: ({ link, at }) => (until.get(link.affiliateId) ?? 0) > at.getTime(),
    async find(tx, rows) {
      const ids = new Set(rows.map(({ click }) => click.link.affiliateId));
      const values = [rows[0]?.click.link.programId, toArrayText([...ids])];
      const found = await tx.db.executeQuery<{ id: string }>(CompiledQuery.raw(findInactive, values));
      if (until.size > maxRemembered) until.clear();
      for (const { id } of found.rows) until.set(id, tx.clock.now().getTime() + rememberedMs);
      return new Set(found.rows.map(({ id }) => id));
    },
  };
}
