// Runs a simulation in steps, so that it can be cancelled between two of them. Few orders are calculated at once, before the
// request returns.
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Context, Tx } from '../../../context.ts';
import {
  createTask,
  runShortTask,
  type StepResult,
  type Task,
  type TaskJob,
  taskJob,
} from '../../../platform/background-tasks/background-task.ts';
import { jobName } from '../../../platform/queue/job.ts';
import { loadWholeHistory } from '../load.ts';
import { type Replay, type ReplayedRules, replayNext, startReplay } from './replay.ts';
import { PlannedChanges, rewriteHistory } from './rule-changes.ts';

/** More orders are calculated in the background. */
const maxShortOrders = 2000;

export const SimulationInput = z.object({ from: z.string(), to: z.string(), changes: PlannedChanges });
type SimulationInput = z.infer<typeof SimulationInput>;

/** The kind of the background tasks. */
export const simulationKind = 'commissionRules.simulate';

const simulationJob = jobName<TaskJob>('commissionRules.simulate');

export const runSimulation = taskJob<Replay>(simulationJob, createStep);

/** The rules by which the orders are calculated again. Throws for changes of rules that do not exist. */
export async function loadSimulatedRules(
  ctx: Pick<Context, 'db' | 'clock'>,
  programId: string,
  { from, changes }: Pick<SimulationInput, 'from' | 'changes'>,
): Promise<ReplayedRules> {
  const [history, { timezone }] = await Promise.all([loadWholeHistory(ctx, programId, new Date(from)), getProgram(ctx, programId)]);
  return { history: rewriteHistory(history, changes), timezone };
}

type NewSimulation = Pick<Task<Replay>, 'programId' | 'actor' | 'total'> & { input: SimulationInput; rules: ReplayedRules };

/** Starts a simulation, and finishes it if it is short. Returns its id. */
export function startSimulation(tx: Tx, { programId, actor, total, input, rules }: NewSimulation): Promise<string> {
  const task = { programId, actor, kind: simulationKind, total, input: JSON.parse(JSON.stringify(input)) };
  return total > maxShortOrders ? createTask(tx, simulationJob, task) : runShortTask(tx, task, createStep(rules));
}

/** The steps of one simulation. They load its rules once, so that all orders of a run are calculated by the same ones. */
function createStep(loaded?: ReplayedRules) {
  let rules = loaded;
  return async (tx: Tx, { programId, input, progress, done }: Task<Replay>): Promise<StepResult<Replay>> => {
    const { from, to, changes } = SimulationInput.parse(input);
    rules ??= await loadSimulatedRules(tx, programId, { from, changes });
    const before: Replay = { ...startReplay(new Date(from)), ...progress };
    const { state, orders, isAtEnd } = await replayNext(tx, { programId, to: new Date(to) }, rules, before);
    return { done: done + orders, progress: state, isFinished: isAtEnd };
  };
}
