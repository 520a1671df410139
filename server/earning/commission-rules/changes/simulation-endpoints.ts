// Simulations of the console: starting one, its progress, its outcome, and cancelling it.
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { finish, lockTask } from '../../../platform/background-tasks/background-task.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { NotFound, NothingToDo } from '../../../platform/lib/errors.ts';
import { planChanges } from './rule-changes.ts';
import { getSimulation, RuleSimulation } from './rule-simulation.ts';
import { loadSimulatedRules, simulationKind, startSimulation } from './run-simulation.ts';
import { checkPeriod, Simulation } from './simulate.ts';

const simulationSlot = idSlot('backgroundTasks', 'The id of the simulation.');

export const createSimulation = endpoint({
  id: 'ruleSimulations.create',
  route: 'POST /app/programs/:programId/rule-simulations',
  scope: 'write',
  requires: 'read',
  isUserOnly: true,
  tag: 'Commission rules',
  summary: 'Start a simulation of rule changes',
  description:
    'Calculates the orders of a period again with changed rules; neither rules nor commissions change. With up to 2,000 orders the ' +
    'simulation is finished when the request returns, otherwise it continues in the background.',
  body: Simulation,
  statuses: [201],
  result: RuleSimulation,
  errors: [{ status: 404, code: 'not_found', when: '`ruleId`, or an id in `archiveRuleIds`, was not found in this program.' }],
  heavy: true,
  async handle(tx, { actor, body }) {
    checkPeriod(body);
    const { programId } = actor;
    const input = { from: body.from.toISOString(), to: body.to.toISOString(), changes: planChanges(tx, body) };
    const rules = await loadSimulatedRules(tx, programId, input);
    const total = await countOrders(tx, programId, body);
    const id = await startSimulation(tx, { programId, actor, total, input, rules });
    return getSimulation(tx, actor, id);
  },
});

export const readSimulation = endpoint({
  id: 'ruleSimulations.get',
  route: 'GET /app/programs/:programId/rule-simulations/:id',
  scope: 'read',
  isUserOnly: true,
  tag: 'Commission rules',
  summary: 'Get a simulation of rule changes',
  description: 'A simulation of the member who calls, until 30 days after it ended.',
  path: { id: simulationSlot },
  statuses: [200],
  result: RuleSimulation,
  handle: (ctx, { actor, params }) => getSimulation(ctx, actor, params.id),
});

export const cancelSimulation = endpoint({
  id: 'ruleSimulations.cancel',
  route: 'POST /app/programs/:programId/rule-simulations/:id/cancel',
  scope: 'write',
  requires: 'read',
  isUserOnly: true,
  tag: 'Commission rules',
  summary: 'Cancel a simulation of rule changes',
  description: 'Stops the simulation before its next step. It has no outcome.',
  path: { id: simulationSlot },
  statuses: [200],
  result: RuleSimulation,
  errors: [{ status: 422, code: 'task_finished', when: 'The simulation has already ended.' }],
  async handle(tx, { actor, params: { id } }) {
    const row = await lockTask(tx, actor.programId, id);
    if (!row || row.kind !== simulationKind || row.actorId !== actor.id) throw new NotFound();
    if (row.finishedAt !== null) throw new NothingToDo('task_finished', 'This simulation has already ended.');
    await finish(tx, { programId: actor.programId, taskId: id }, 'cancelled');
    return getSimulation(tx, actor, id);
  },
});

async function countOrders(ctx: Pick<Context, 'db'>, programId: string, { from, to }: z.output<typeof Simulation>): Promise<number> {
  const orders = ctx.db.selectFrom('conversionSummaries').where('programId', '=', programId);
  const counted = orders
    .where('occurredAt', '>=', from)
    .where('occurredAt', '<', to)
    .select((row) => row.fn.countAll<number>().as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}
