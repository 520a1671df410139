// Creating a bounty, and the fields that can be edited later.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cents, dayIn, line, paragraph } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { BountyShape, bountyExample, milestone, readBounty } from './bounty.ts';

export const bountyFields = {
  name: line(100).describe('Shown to affiliates, including as the note of their bonus.'),
  description: paragraph(2000)
    .refine((text) => text.length > 0, { error: 'must not be empty' })
    .describe('What affiliates have to do, as they read it.'),
  budgetCents: cents
    .min(1, 'must be at least 1')
    .nullable()
    .optional()
    .describe('The most that all bonuses together can cost; null without a budget.'),
  endsOn: dayIn
    .nullable()
    .optional()
    .describe('The last day whose orders count, or on which content can be submitted; null without an end.'),
};

const NewBounty = z
  .object({
    ...bountyFields,
    milestone,
    targetOrders: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(1_000_000, 'must not exceed 1000000')
      .nullable()
      .optional()
      .describe('Required if `milestone` is `orders`, and only allowed then.'),
    rewardCents: cents.min(1, 'must be at least 1').describe('The bonus of each affiliate.'),
    startsOn: dayIn.optional().describe('The first day whose orders count. Default: today.'),
  })
  .meta({
    id: 'NewBounty',
    example: {
      name: bountyExample.name,
      description: bountyExample.description,
      milestone: 'orders',
      targetOrders: 10,
      rewardCents: 5000,
      budgetCents: 100_000,
      startsOn: '2026-04-01',
      endsOn: '2026-04-30',
    },
  });

export const createBounty = endpoint({
  id: 'bounties.create',
  route: 'POST /v1/programs/:programId/bounties',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Bounties',
  summary: 'Create a bounty',
  description:
    'Affiliates who reach the milestone earn the bonus once, within a minute. It is a commission of kind `bonus` with the hold ' +
    'period of the affiliate. The milestone, the reward and the first day of a bounty do not change later.',
  body: NewBounty,
  statuses: [201],
  result: BountyShape,
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    const { timezone } = await getProgram(tx, programId);
    const now = tx.clock.now();
    const given = {
      name: body.name,
      description: body.description,
      milestone: body.milestone,
      targetOrders: body.targetOrders ?? null,
      rewardCents: body.rewardCents,
      budgetCents: body.budgetCents ?? null,
      startsOn: body.startsOn ?? localDate(now, timezone),
      endsOn: body.endsOn ?? null,
    };
    rejectContradictions(given);
    const id = tx.ids.uuid();
    const state = { spentCents: 0, status: 'active', checkedPosition: null, createdAt: now, updatedAt: now };
    await insertRows(tx, 'bounties', [{ programId, id, ...given, ...state }]);
    await recordChange(tx, { programId, actor, action: 'bounty.created', subjectId: id, after: given });
    return readBounty(tx, actor, id);
  },
});

type Terms = Pick<z.output<typeof NewBounty>, 'milestone'> & {
  targetOrders: number | null;
  rewardCents: number;
  budgetCents: number | null;
  startsOn: string;
  endsOn: string | null;
};

function rejectContradictions({ milestone: kind, targetOrders, rewardCents, budgetCents, startsOn, endsOn }: Terms): void {
  const fail = (path: string, message: string) => new Invalid([{ path: [path], message }]);
  if (kind === 'orders' && targetOrders === null) throw fail('targetOrders', 'is required when `milestone` is `orders`');
  if (kind !== 'orders' && targetOrders !== null) throw fail('targetOrders', 'is only allowed when `milestone` is `orders`');
  if (budgetCents !== null && budgetCents < rewardCents)
    throw fail('budgetCents', `must be at least the reward of one affiliate (${rewardCents})`);
  if (endsOn !== null && endsOn < startsOn) throw fail('endsOn', `must not be before ${startsOn}`);
}
