// The version of the fields of an object that can be edited. An edit that names the version it was based on (`If-Match`) does not
// overwrite a change that was made in the meantime.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { NamedActor } from '../../platform/http/declaration/actor-shape.ts';
import { timestampOut } from '../../platform/http/declaration/fields.ts';
import { Outdated } from '../../platform/lib/errors.ts';
import { findActorNames } from './actor-names.ts';

export const versionExample = 'p3Jx0bqv2mYd7KfW';

export const versionOut = z
  .string()
  .describe('Changes with every edit. Sent as `If-Match`, it keeps an update from overwriting the change of another.');

/** What the descriptions of updates say about versions. */
export const versionHint = 'With its `version` in an `If-Match` header, a change that was made in the meantime is not overwritten.';

/** Equal contents have equal versions, so a change that was reverted causes no conflict. */
export function toVersion(contents: unknown): string {
  return createHash('sha256').update(JSON.stringify(contents)).digest('base64url').slice(0, 16);
}

/** The declaration of the error that `requireVersion` throws. */
export function outdatedError<Code extends string>(code: Code, noun: string) {
  return {
    status: 412,
    code,
    when: `The ${noun} is not at the version that \`If-Match\` names.`,
    facts: z.object({ version: z.string(), changedAt: timestampOut.nullable(), changedBy: NamedActor.nullable() }),
  } as const;
}

/** `noun`: as in the names of audited actions. `subject`: what the message begins with, unless it is the noun. */
type Versioned = { programId: string; id: string; version: string; noun: string; code: string; subject?: string };

/** Throws Outdated, with the time and actor of the last change, if the object is not at the version that was seen. */
export async function requireVersion(tx: Tx, object: Versioned, seen: string | undefined): Promise<void> {
  const { programId, id, version, noun, code, subject = `This ${noun} was` } = object;
  if (seen === undefined || seen === version) return;
  const { rows } = await sql<{ kind: string; id: string; createdAt: Date }>`
    select actor_kind as kind, actor_id as id, created_at from audit_log
    where program_id = ${programId} and subject_id = ${id} and action like ${`${noun}.%`}
    order by created_at desc, id desc limit 1`.execute(tx.db);
  const [last] = rows;
  const changedBy = last ? (await findActorNames(tx, programId, [last]))(last) : null;
  const facts = { version, changedAt: last?.createdAt.toISOString() ?? null, changedBy };
  throw new Outdated(code, `${subject} changed in the meantime.`, facts);
}

/** The version in an `If-Match` header; quotes are optional. */
export function readVersion(header: string | undefined): string | undefined {
  const version = header?.trim().replace(/^(W\/)?"(.*)"$/, '$2');
  return version === '*' || version === '' ? undefined : version;
}
