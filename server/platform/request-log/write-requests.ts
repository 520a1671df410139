import type { Context } from '../../context.ts';
import { insertRows } from '../db/inserts/insert-rows.ts';
import { toNodeOf } from '../db/program-connections.ts';
import { transact } from '../db/transact.ts';
import type { LoggedRequest } from './describe-request.ts';

/** Writes logged requests of one program, all or none. */
export async function writeRequests(ctx: Context, programId: string, requests: readonly LoggedRequest[]): Promise<void> {
  await transact({ ...ctx, db: toNodeOf(ctx, programId) }, (tx) => insertRows(tx, 'loggedRequests', requests));
}
