// A simulation as the console shows it: a background task whose result says who would have earned more and who less.
// Members see their own.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { findAffiliateReferences } from '../../../partners/affiliates/reference.ts';
import type { BackgroundTasks } from '../../../platform/db/schema.gen.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import type { Principal } from '../../../platform/http/declaration/principal.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import type { Replay } from './replay.ts';
import { SimulationInput, simulationKind } from './run-simulation.ts';
import { addUp, exampleTotals, listSums, SimulatedAffiliate, SimulatedTotals } from './simulate.ts';

/** So many affiliates are returned. */
const maxAffiliates = 100;

const Side = z.object({ affiliates: countOut, differenceCents: centsOut });

const SimulatedWeek = z
  .object({
    startsOn: z.string().describe("Its Monday, in the program's time zone."),
    beforeCents: centsOut,
    afterCents: centsOut,
    salesCents: centsOut,
  })
  .meta({ id: 'SimulatedWeek' });

const SimulationOutcome = z
  .object({
    total: SimulatedTotals.extend({ salesCents: centsOut }),
    gaining: Side.describe('The affiliates who would have earned more.'),
    losing: Side.describe('The affiliates who would have earned less.'),
    weeks: z.array(SimulatedWeek).describe('Weeks with orders, the earliest first.'),
    affiliates: z.array(SimulatedAffiliate).describe(`The ${maxAffiliates} affiliates with the largest differences.`),
  })
  .meta({ id: 'SimulationOutcome' });

export const RuleSimulation = z
  .object({
    id: uuidOut,
    status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']).meta({ id: 'RuleSimulationStatus' }),
    from: timestampOut.describe('The orders occurred at or after this time.'),
    to: timestampOut.describe('The orders occurred before this time.'),
    currency: currencyOut,
    total: countOut.describe('The number of orders in the period when the simulation began.'),
    done: countOut.describe('How many of them are calculated.'),
    outcome: SimulationOutcome.nullable().describe('Null until the simulation has succeeded.'),
    createdAt: timestampOut,
    finishedAt: timestampOut.nullable(),
  })
  .meta({
    id: 'RuleSimulation',
    example: {
      id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      status: 'succeeded',
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-04-01T00:00:00.000Z',
      currency: 'USD',
      total: 12,
      done: 12,
      outcome: {
        total: { ...exampleTotals, salesCents: 120_000 },
        gaining: { affiliates: 1, differenceCents: 2400 },
        losing: { affiliates: 0, differenceCents: 0 },
        weeks: [{ startsOn: '2026-01-05', beforeCents: 12_000, afterCents: 14_400, salesCents: 120_000 }],
        affiliates: [{ affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', ...exampleTotals }],
      },
      createdAt: '2026-04-02T09:00:00.000Z',
      finishedAt: '2026-04-02T09:00:01.000Z',
    },
  });

type Viewer = Pick<Principal, 'programId' | 'id' | 'currency'>;

/** A simulation of the caller. Throws NotFound for those of others. */
export async function getSimulation(
  ctx: Pick<Context, 'db' | 'config'>,
  actor: Viewer,
  id: string,
): Promise<z.input<typeof RuleSimulation>> {
  const tasks = ctx.db.selectFrom('backgroundTasks').selectAll().where('programId', '=', actor.programId);
  const row = await tasks.where('kind', '=', simulationKind).where('actorId', '=', actor.id).where('id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound();
  const isFinished = row.status === 'succeeded';
  return { ...toSimulation(row, actor.currency), outcome: isFinished ? await readOutcome(ctx, actor.programId, row) : null };
}

function toSimulation(row: Selectable<BackgroundTasks>, currency: string): z.input<typeof RuleSimulation> {
  const { from, to } = SimulationInput.parse(row.input);
  return {
    id: row.id,
    status: RuleSimulation.shape.status.parse(row.status),
    from,
    to,
    currency,
    total: row.status === 'succeeded' ? row.done : Math.max(row.total, row.done),
    done: row.done,
    outcome: null,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

async function readOutcome(
  ctx: Pick<Context, 'db' | 'config'>,
  programId: string,
  { progress }: Selectable<BackgroundTasks>,
): Promise<z.input<typeof SimulationOutcome>> {
  const state = progress as unknown as Replay;
  const all = listSums(state);
  const shown = all.slice(0, maxAffiliates);
  const references = await findAffiliateReferences(
    ctx,
    programId,
    shown.map(({ affiliateId }) => affiliateId),
  );
  const sideOf = (isIn: (cents: number) => boolean) => {
    const side = all.filter(({ differenceCents }) => isIn(differenceCents));
    return { affiliates: side.length, differenceCents: side.reduce((total, one) => total + one.differenceCents, 0) };
  };
  const weeks = Object.entries(state.weeks).map(([startsOn, week]) => ({ startsOn, ...week }));
  weeks.sort((a, b) => a.startsOn.localeCompare(b.startsOn));
  return {
    total: { ...addUp(state), salesCents: weeks.reduce((total, { salesCents }) => total + salesCents, 0) },
    gaining: sideOf((cents) => cents > 0),
    losing: sideOf((cents) => cents < 0),
    weeks,
    affiliates: shown.map((sum) => ({ ...sum, affiliate: references.get(sum.affiliateId) })),
  };
}
