// Clicks of affiliates that are not active are rejected. Their statuses are read in the transaction that writes a batch,
// together with its BEGIN. Those that were not active are remembered for a second, so that links of a suspended affiliate
// cost one statement a second.
import type { Tx } from '../../../context.ts';
import { toArrayText } from '../../../platform/db/statements/array-text.ts';
import { plainSql } from '../../../platform/db/statements/plain-sql.ts';
import type { Click, ClickRow } from './click.ts';

export type Inactive = {
  /** Whether the affiliate is known not to be active. */
  has(click: Click): boolean;
  /** The ids of those affiliates of one program's rows that are not active. */
  find(tx: Tx, rows: readonly ClickRow[]): Promise<ReadonlySet<string>>;
};

const rememberedMs = 1000;
const maxRemembered = 10_000;

export function createInactive(): Inactive {
  const until = new Map<string, number>();
  return {
    has: ({ link, at }) => (until.get(link.affiliateId) ?? 0) > at.getTime(),
    async find(tx, rows) {
      const ids = new Set(rows.map(({ click }) => click.link.affiliateId));
      const found = await plainSql<{ id: string }>`
        select id from affiliates where program_id = ${rows[0]?.click.link.programId} and id = any(${toArrayText([...ids])}::uuid[])
          and status <> 'active'`.execute(tx.db);
      if (until.size > maxRemembered) until.clear();
      for (const { id } of found.rows) until.set(id, tx.clock.now().getTime() + rememberedMs);
      return new Set(found.rows.map(({ id }) => id));
    },
  };
}
