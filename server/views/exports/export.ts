// An export as the console shows it: a background task whose result is a file. Members see their own.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { explainPermission } from '../../accounts/identity/members/explain-permission.ts';
import type { Context } from '../../context.ts';
import { outputDays } from '../../platform/background-tasks/output.ts';
import type { BackgroundTasks } from '../../platform/db/schema.gen.ts';
import { countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import type { Permission } from '../../platform/http/declaration/permissions.ts';
import type { Principal } from '../../platform/http/declaration/principal.ts';
import { NotFound, PermissionRequired } from '../../platform/lib/errors.ts';
import { type ExportName, exportedLists, exportNames } from './lists.ts';
import { ExportInput, exportKind } from './run-export.ts';

const ExportStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']).meta({ id: 'ExportStatus' });

export const ExportShape = z
  .object({
    id: uuidOut,
    list: z.enum(exportNames).describe('The list whose rows the file has.'),
    rows: z.enum(['page', 'selected', 'all']).describe('Which rows were requested.'),
    status: ExportStatus,
    total: countOut.describe('The number of rows when the export began; of a finished one, the number of rows of the file.'),
    done: countOut.describe('How many rows are written.'),
    createdAt: timestampOut,
    finishedAt: timestampOut.nullable(),
    expiresAt: timestampOut.describe('Until when the file can be downloaded.'),
  })
  .meta({
    id: 'Export',
    example: {
      id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      list: 'conversions',
      rows: 'all',
      status: 'running',
      total: 84_120,
      done: 32_000,
      createdAt: '2026-11-20T09:00:00.000Z',
      finishedAt: null,
      expiresAt: '2026-11-27T09:00:00.000Z',
    },
  });

export function toExport(row: Selectable<BackgroundTasks>): z.input<typeof ExportShape> {
  const { list, rows } = ExportInput.parse(row.input);
  return {
    id: row.id,
    list,
    rows,
    status: ExportStatus.parse(row.status),
    total: row.status === 'succeeded' ? row.done : Math.max(row.total, row.done),
    done: row.done,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    expiresAt: expiryOf(row).toISOString(),
  };
}

/** When the file can no longer be downloaded. */
export function expiryOf({ createdAt }: Pick<Selectable<BackgroundTasks>, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + outputDays * 86_400_000);
}

/** The exports of the caller. */
export function selectExports({ db }: Pick<Context, 'db'>, { programId, id }: Pick<Principal, 'programId' | 'id'>) {
  const tasks = db.selectFrom('backgroundTasks').where('programId', '=', programId).where('kind', '=', exportKind);
  return tasks.where('actorKind', '=', 'user').where('actorId', '=', id);
}

/** One export of the caller. Throws NotFound for those of others. */
export async function getExportTask(ctx: Pick<Context, 'db'>, actor: Principal, id: string): Promise<Selectable<BackgroundTasks>> {
  const row = await selectExports(ctx, actor).selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound();
  return row;
}

/** Throws unless the caller may export a list: they must be permitted to read it. */
export async function requireExport(ctx: Pick<Context, 'db'>, actor: Principal, list: ExportName): Promise<void> {
  const permitted: ReadonlySet<Permission> = 'role' in actor ? actor.permissions : new Set();
  const missing = exportedLists[list].permissions.filter((permission) => !permitted.has(permission));
  if (missing.length === 0) return;
  throw new PermissionRequired({ permission: missing.join(' and '), ...(await explainPermission(ctx, actor.programId, missing)) });
}
