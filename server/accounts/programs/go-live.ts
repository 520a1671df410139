// Switching a test program to live. Unpaid commissions of test orders would be paid like others, so the caller states the
// total that they saw.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { recordValues } from '../../platform/db/recorded-values.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cents } from '../../platform/http/declaration/fields.ts';
import { Invalid, InvalidState } from '../../platform/lib/errors.ts';
import { removeUnusedClock } from '../../platform/test-clocks/write-clock.ts';
import { getProgram, ProgramShape, readProgramShape } from './program.ts';

export const GoLiveCondition = z.enum(['website', 'commission_rule']).meta({ id: 'GoLiveCondition' });
export type GoLiveCondition = z.infer<typeof GoLiveCondition>;

type Readiness = { isLive: boolean; missing: GoLiveCondition[]; unpaidCents: number };

/** What a program needs before it goes live, and the unpaid commissions it would go live with. */
export async function readReadiness({ db }: Pick<Context, 'db'>, programId: string): Promise<Readiness> {
  const { rows } = await sql<{ isLive: boolean; hasWebsite: boolean; hasRule: boolean; unpaidCents: number }>`
    select mode = 'live' as is_live, website_url is not null as has_website,
      exists (select from commission_rules where program_id = ${programId} and status = 'active') as has_rule,
      (select coalesce(sum(amount_cents - reversed_cents - settled_cents), 0)::bigint from commissions
        where program_id = ${programId} and status in ('pending', 'held', 'approved')) as unpaid_cents
    from programs where id = ${programId}`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('The program is missing.');
  const missing: GoLiveCondition[] = [];
  if (!found.hasWebsite) missing.push('website');
  if (!found.hasRule) missing.push('commission_rule');
  return { isLive: found.isLive, missing, unpaidCents: Number(found.unpaidCents) };
}

/** Payouts that it made count as paid, so it can't be removed. `providers_program_mode_fkey` decides races. */
async function hasSimulatedProvider({ db }: Pick<Context, 'db'>, programId: string): Promise<boolean> {
  const providers = db.selectFrom('providers').select('id').where('programId', '=', programId).where('type', '=', 'simulated');
  return (await providers.limit(1).executeTakeFirst()) !== undefined;
}

export const goLive = endpoint({
  id: 'programs.goLive',
  route: 'POST /app/programs/:programId/go-live',
  scope: 'write',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Program',
  summary: 'Switch a test program to live',
  description:
    'A live program can’t become a test program again. It needs a website and an active commission rule. API keys stay valid. Repeating ' +
    'the request changes nothing.',
  body: z
    .object({ unpaidCents: cents.describe('The unpaid commissions of test orders, from the checklist. They would be paid like others.') })
    .meta({ id: 'GoLive', example: { unpaidCents: 0 } }),
  statuses: [200],
  result: ProgramShape,
  errors: [
    {
      status: 400,
      code: 'not_ready',
      when: 'The program lacks what `missing` names.',
      facts: z.object({ missing: z.array(GoLiveCondition).describe('What the program lacks.') }),
    },
    {
      status: 400,
      code: 'simulated_payouts',
      when: 'The program has a provider of simulated payouts, which count as paid. Create another program to go live.',
    },
    {
      status: 400,
      code: 'clock_advanced',
      when: 'The test clock of the program was advanced, so its data is in the future. Create another program to go live.',
    },
  ],
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    await getProgram(tx, programId, { lock: true });
    const { isLive, missing, unpaidCents } = await readReadiness(tx, programId);
    if (isLive) return readProgramShape(tx, programId);
    if (missing.length > 0)
      throw new InvalidState('not_ready', 'The program needs a website and an active commission rule first.', { missing });
    if (body.unpaidCents !== unpaidCents)
      throw new Invalid([{ path: ['unpaidCents'], message: `must equal the unpaid commissions (${unpaidCents})` }]);
    if (!(await removeUnusedClock(tx, programId)))
      throw new InvalidState('clock_advanced', 'The test clock of this program was advanced. Create another program to go live.');
    if (await hasSimulatedProvider(tx, programId))
      throw new InvalidState('simulated_payouts', 'This program has simulated payouts. Create another program to go live.');
    await tx.db.updateTable('programs').set({ mode: 'live' }).where('id', '=', programId).execute();
    await recordValues(tx, 'programs', programId, [programId]);
    const change = { before: { mode: 'test' }, after: { mode: 'live' } };
    await recordChange(tx, { programId, actor, action: 'program.went_live', subjectId: programId, ...change });
    return readProgramShape(tx, programId);
  },
});
