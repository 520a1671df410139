// The bounties of the demo: one for the first sale, one for twelve sales, and one for content, of which two submissions
// await a decision.
import type { Tx } from '../../context.ts';
import { checkNext } from '../../earning/bounties/awarding/run.ts';
import { createBounty } from '../../earning/bounties/create.ts';
import { createSubmission } from '../../earning/bounties/submissions/create.ts';
import { decideSubmission } from '../../earning/bounties/submissions/decide.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { addDays, localDate } from '../../platform/lib/zoned-time.ts';
import { callEndpoint } from './call-endpoint.ts';
import type { Promoter } from './seed-activity.ts';
import { hoursBefore, type PastStep } from './timeline.ts';

const dayHours = 24;
const [createdDaysAgo, checkedDaysAgo, openDays] = [34, 9, 60];
/** More than there are affiliates. */
const bonusesPerCheck = 1000;

const forOrders = [
  {
    name: 'First sale',
    description: 'Welcome! For your first sale you get a bonus on top of your commission.',
    milestone: 'first_order',
    rewardCents: 1500,
    budgetCents: 120_000,
  },
  {
    name: 'Twelve sales',
    description: 'Bring twelve sales before the last day. Refunded sales do not count.',
    milestone: 'orders',
    targetOrders: 12,
    rewardCents: 5000,
    budgetCents: 200_000,
  },
] as const;

const forContent = {
  name: 'Video review',
  description: 'Show in a video of a minute or more how you use one of our teas, and mention that your link is an affiliate link.',
  milestone: 'content',
  rewardCents: 4000,
  budgetCents: 80_000,
} as const;

type Submitted = { daysAgo: number; path: string; note: string; decision?: { decision: 'approved' | 'rejected'; note: string } };

const submissions: readonly Submitted[] = [
  {
    daysAgo: 12,
    path: 'evening-routine',
    note: 'My evening routine. The tea is from 1:40.',
    decision: { decision: 'approved', note: 'The label is easy to read, and the light is lovely. Thank you!' },
  },
  {
    daysAgo: 8,
    path: 'unboxing',
    note: 'A short unboxing.',
    decision: { decision: 'rejected', note: 'Please mention in the video that the link is an affiliate link, and submit it again.' },
  },
  { daysAgo: 2, path: 'five-teas', note: 'Five teas in one week; Morning Clarity is the last one.' },
  { daysAgo: 1, path: 'cold-brew', note: 'How I make cold brew for my studio.' },
];

/** The steps of the past that are about bounties. */
export function generateBounties({ tx, actor }: { tx: Tx; actor: Principal }, promoters: readonly Promoter[]): PastStep[] {
  const ids = new Map<string, string>();
  const endsOn = addDays(localDate(tx.clock.now(), 'UTC'), openDays);
  const create = (body: (typeof forOrders)[number] | typeof forContent) => async (then: Tx) => {
    const { id } = await callEndpoint(then, createBounty, { actor, body: { ...body, endsOn } });
    ids.set(body.name, String(id));
  };
  const created = [...forOrders, forContent].map((body) => ({ at: hoursBefore(tx, createdDaysAgo * dayHours), run: create(body) }));
  const check = async (then: Tx) => {
    for (const { name } of forOrders)
      await checkNext(then, { programId: actor.programId, id: ids.get(name) ?? '', limit: bonusesPerCheck });
  };
  const submitted = submissions.flatMap((submission, index) => submit(submission, promoters[index + 8]));
  return [...created, { at: hoursBefore(tx, checkedDaysAgo * dayHours), isPayday: true, run: check }, ...submitted];

  function submit({ daysAgo, path, note, decision }: Submitted, promoter: Promoter | undefined): PastStep[] {
    if (!promoter) return [];
    let id = '';
    const run = async (then: Tx) => {
      const body = {
        bountyId: ids.get(forContent.name),
        affiliateId: promoter.id,
        url: `https://video.example/${promoter.slug}/${path}`,
        note,
      };
      ({ id } = (await callEndpoint(then, createSubmission, { actor, body })) as { id: string });
    };
    const decide = (then: Tx) => callEndpoint(then, decideSubmission, { actor, params: { id }, body: decision });
    const hours = daysAgo * dayHours;
    const steps: PastStep[] = [{ at: hoursBefore(tx, hours), run }];
    return decision ? [...steps, { at: hoursBefore(tx, hours - 5), run: decide }] : steps;
  }
}
