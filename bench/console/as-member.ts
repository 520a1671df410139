// Requests of a member to the console's endpoints, without HTTP.
import { program } from '../conversions-script.ts';
import { median, quantile, timed } from '../list.ts';

/** What a handler receives besides its query. */
export const request = {
  actor: {
    kind: 'user' as const,
    id: 'bench',
    sessionId: 'bench',
    freshAt: new Date(0),
    secondFactorAt: null,
    isFromCommand: false,
    siteProgramId: null,
    approvesFrom: null,
    programId: program,
    currency: 'USD',
    role: 'viewer' as const,
    permissions: new Set(['read' as const]),
  },
  caller: { ip: '127.0.0.1', peer: '127.0.0.1', headers: {}, requestId: '', site: null },
  params: {} as Record<never, string>,
  body: undefined,
};

/** In milliseconds. */
export type Measured = { median: number; worst: number };

/** Runs `run` this many times in sequence. */
export async function measure(rounds: number, run: () => Promise<unknown> | undefined): Promise<Measured> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(async () => run()));
  return { median: median(times), worst: quantile(times, 1) };
}
