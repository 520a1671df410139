// Deleting a program from the console: what would be deleted and what prevents it, and the request itself. The deletion is
// cancelled outside of the program, which is inaccessible by then (identity/program-deletions).
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { findObstacles, mustKeepRecords, ObstacleShape } from './obstacles.ts';
import { graceDays, requestDeletion } from './request.ts';

const Preview = z
  .object({
    graceDays: countOut.describe('For how many days the deletion can be cancelled.'),
    affiliates: countOut.describe('How many affiliates lose their access, their links and their pages.'),
    orders: countOut.describe('How many orders are deleted. Counted up to 10,000.'),
    obstacles: z.array(ObstacleShape).describe('What must be settled first. The request is rejected unless it is empty.'),
    mustKeepRecords: z.boolean().describe('Whether `hasRecords` must confirm that the ledger and the payouts were exported.'),
  })
  .meta({
    id: 'ProgramDeletionPreview',
    example: {
      graceDays: 30,
      affiliates: 48,
      orders: 1204,
      obstacles: [{ code: 'money_owed', count: 7, amountCents: 48_200 }],
      mustKeepRecords: true,
    },
  });

export const previewDeletion = endpoint({
  id: 'programDeletion.get',
  route: 'GET /app/programs/:programId/deletion',
  scope: 'read',
  requires: 'program.delete',
  isUserOnly: true,
  tag: 'Program deletion',
  summary: 'Preview the deletion of the program',
  description: 'What would be deleted, and what has to be settled first.',
  statuses: [200],
  result: Preview,
  async handle(ctx, { actor: { programId } }) {
    const [counts, { obstacles }, mustKeep] = await Promise.all([
      countContents(ctx, programId),
      findObstacles(ctx, programId),
      mustKeepRecords(ctx, programId),
    ]);
    return { graceDays, ...counts, obstacles, mustKeepRecords: mustKeep };
  },
});

export const deleteProgram = endpoint({
  id: 'programDeletion.request',
  route: 'POST /app/programs/:programId/deletion',
  scope: 'write',
  requires: 'program.delete',
  isSensitive: true,
  isUserOnly: true,
  endsAccess: true,
  tag: 'Program deletion',
  summary: 'Delete the program',
  description:
    'The program is inaccessible immediately, for members, API keys, affiliates and visitors. Its owners can cancel the deletion until ' +
    '`deleteAfter`; then all of its data is deleted. The owners are notified by email.',
  body: z
    .object({
      name: z.string().describe('The name of the program, repeated.'),
      hasRecords: z.boolean().default(false).describe('Confirms that the ledger and the payouts were exported.'),
    })
    .meta({ id: 'ProgramDeletionRequest', example: { name: 'Fern & Field', hasRecords: true } }),
  statuses: [200],
  result: z.object({ programId: uuidOut, deleteAfter: timestampOut }).meta({
    id: 'ProgramDeletion',
    example: { programId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f', deleteAfter: '2026-12-22T09:30:00.000Z' },
  }),
  errors: [
    { status: 400, code: 'name_mismatch', when: 'The name is not the name of the program.' },
    { status: 400, code: 'program_owes_money', when: 'Payouts are open or locked, or affiliates are owed money.' },
    { status: 400, code: 'records_not_kept', when: 'The program paid affiliates, and `hasRecords` is false.' },
  ],
  async handle(tx, { actor, body: { name, hasRecords } }) {
    const { programId } = actor;
    const deleteAfter = await requestDeletion(tx, { programId, name, hasRecords, actor });
    return { programId, deleteAfter: deleteAfter.toISOString() };
  },
});

const maxCounted = 10_000;

async function countContents({ db }: Context, programId: string): Promise<{ affiliates: number; orders: number }> {
  const count = async (table: 'affiliates' | 'conversions') => {
    const rows = db.selectFrom(table).select('id').where('programId', '=', programId).limit(maxCounted).as('counted');
    const { found } = await db
      .selectFrom(rows)
      .select(({ fn }) => fn.countAll<string>().as('found'))
      .executeTakeFirstOrThrow();
    return Number(found);
  };
  return { affiliates: await count('affiliates'), orders: await count('conversions') };
}
