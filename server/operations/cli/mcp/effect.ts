// What a write will do, for the person who confirms it: what the API says about it, or what it changes.
import { isDeepStrictEqual } from 'node:util';
import type { ApiDocument } from '../api/document.ts';
import { sendPreview } from '../api/dry-run.ts';
import type { Operation } from '../api/operation.ts';
import { CommandError, exitCodes } from '../command-error.ts';
import type { Connection } from '../connection/connection.ts';
import { type ApiRequest, get } from '../connection/send.ts';

export type Effect = {
  /** What the operation does. */
  summary: string;
  /** What would happen, by the API itself, for operations that have `dryRun`. */
  preview?: unknown;
  /** For an update: the fields that it changes. */
  changes?: Record<string, { from: unknown; to: unknown }>;
  /** For other writes on an object: the object. */
  object?: unknown;
  /** The path of the object. */
  objectPath?: string;
};

type Write = { connection: Connection; document: ApiDocument; operation: Operation; request: ApiRequest };

/** Throws CommandError if the API rejects what can be checked in advance. */
export async function readEffect({ connection, document, operation, request }: Write): Promise<Effect> {
  const { summary } = operation;
  if (operation.canPreview) return { summary, preview: (await sendPreview({ connection, request })).body };
  const objectPath = findObjectPath(document, operation, request);
  const object = objectPath === null ? null : await readObject(connection, objectPath);
  if (objectPath === null || object === null) return { summary };
  if (operation.method !== 'PATCH') return { summary, object, objectPath };
  const fields = JSON.parse(request.body ?? '{}') as Record<string, unknown>;
  const changed = Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(object[name], value));
  return { summary, changes: Object.fromEntries(changed.map(([name, to]) => [name, { from: object[name], to }])), objectPath };
}

/** Throws CommandError if the object is no longer as the plan says. */
export async function requireUnchanged(connection: Connection, { changes, object, objectPath }: Effect): Promise<void> {
  if (objectPath === undefined) return;
  const present = await readObject(connection, objectPath);
  const planned = changes ? Object.fromEntries(Object.entries(changes).map(([name, { from }]) => [name, from])) : pickState(object);
  const differing = Object.keys(planned).filter((name) => !isDeepStrictEqual(planned[name], present?.[name]));
  if (differing.length > 0)
    throw new CommandError(
      `Since the plan was made, ${differing.join(' and ')} changed. Nothing was done. Make the plan again.`,
      exitCodes.conflict,
    );
}

/** Counters of an object change all the time: what a decision rests on is its state. */
function pickState(object: unknown): Record<string, unknown> {
  const fields = object as Record<string, unknown>;
  return Object.fromEntries(['status', 'amountCents', 'version'].filter((name) => name in fields).map((name) => [name, fields[name]]));
}

/** Null for an object that doesn't exist: some writes create it. */
async function readObject(connection: Connection, path: string): Promise<Record<string, unknown> | null> {
  try {
    return (await get(connection, path)) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === exitCodes.notFound) return null;
    throw error;
  }
}

/** The object at the same path, or at the path before the action: `…/commissions/{id}` for `…/commissions/{id}/hold`. */
function findObjectPath({ paths }: ApiDocument, { path }: Operation, request: ApiRequest): string | null {
  const actual = request.path.split('?')[0] ?? '';
  // What a POST adds to a list is not an object yet.
  if (paths[path]?.get) return path.endsWith('}') || !paths[path].post ? actual : null;
  const parent = path.slice(0, path.lastIndexOf('/'));
  return parent.endsWith('}') && paths[parent]?.get ? actual.slice(0, actual.lastIndexOf('/')) : null;
}
