// Checks invitations before they are sent: which are valid, which affiliates exist already, which have errors. One query
// per kind of reference, so that a large file is checked within a request.
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { parseParts } from '../../../platform/http/validate.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { type ApiError, type Detail, Invalid } from '../../../platform/lib/errors.ts';
import { toOneLine } from '../../../platform/lib/text.ts';
import { PersonInvite } from '../invite.ts';

/** An invitation as it was sent. `line` is its place in the file or list, from 1. */
export type SentRow = { line: number; given: Record<string, unknown> };
type Invitation = z.output<typeof PersonInvite>;
/** Why a row is rejected: `details` by field, `reason` in one line. */
type Rejection = { outcome: 'rejected'; reason: string; details: Detail[] };
export type CheckedRow = { line: number; email: string } & (
  | { outcome: 'valid'; invitation: Invitation }
  | { outcome: 'existed' }
  | Rejection
);

/** Checks the rows, in their order. A later row with the email of an earlier one is rejected. */
export async function checkRows(ctx: Pick<Context, 'db'>, programId: string, rows: readonly SentRow[]): Promise<CheckedRow[]> {
  const parsed = rows.map(parseRow);
  const invitations = parsed.flatMap((row) => (row.outcome === 'valid' ? [row.invitation] : []));
  const found = await findReferences(ctx, programId, invitations);
  const seen = new Map<string, number>();
  return parsed.map((row) => {
    if (row.outcome !== 'valid') return row;
    const key = emailKey(row.invitation.email) ?? row.email;
    const { line, email, invitation } = row;
    const earlier = seen.get(key);
    if (earlier !== undefined)
      return { line, email, ...reject(new Invalid([{ path: ['email'], message: `is the same as in line ${earlier}` }])) };
    seen.set(key, line);
    if (found.emails.has(key)) return { line, email, outcome: 'existed' };
    const fault = findFault(invitation, found);
    return fault === null ? row : { line, email, ...reject(new Invalid([fault])) };
  });
}

function parseRow({ line, given }: SentRow): CheckedRow {
  const email = toOneLine(typeof given.email === 'string' ? given.email : '').trim();
  try {
    return { line, email, outcome: 'valid', invitation: parseParts({ body: [PersonInvite, given] }).body };
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return { line, email, ...reject(error) };
  }
}

/** The outcome of a row that an error rejects. */
export function reject({ details = [], message }: ApiError): Rejection {
  const faults = details.map(({ path, message: fault }) => `${path.join('.')} ${fault}`);
  return { outcome: 'rejected', reason: faults.join('; ') || message, details };
}

type Found = { emails: Set<string>; externalIds: Set<string>; groups: Set<string>; affiliates: Set<string> };

async function findReferences(ctx: Pick<Context, 'db'>, programId: string, invitations: readonly Invitation[]): Promise<Found> {
  const emailKeys = invitations.map(({ email }) => emailKey(email) ?? email);
  const externalIds = invitations.flatMap(({ externalId }) => externalId ?? []);
  const groupIds = [...new Set(invitations.flatMap(({ groupId }) => groupId ?? []))];
  const uplineIds = [...new Set(invitations.flatMap(({ parentAffiliateId }) => parentAffiliateId ?? []))];
  const { rows } = await sql<{ kind: string; value: string }>`
    select 'email' as kind, email_key as value from affiliates where program_id = ${programId} and email_key = any(${emailKeys}::text[])
    union all
    select 'external', external_id from affiliates where program_id = ${programId} and external_id = any(${externalIds}::text[])
    union all
    select 'group', id::text from groups where program_id = ${programId} and status = 'active' and id = any(${groupIds}::uuid[])
    union all
    select 'affiliate', id::text from affiliates where program_id = ${programId} and id = any(${uplineIds}::uuid[])`.execute(ctx.db);
  const valuesOf = (kind: string) => new Set(rows.filter((row) => row.kind === kind).map(({ value }) => value));
  return { emails: valuesOf('email'), externalIds: valuesOf('external'), groups: valuesOf('group'), affiliates: valuesOf('affiliate') };
}

function findFault({ externalId, groupId, parentAffiliateId }: Invitation, found: Found): Detail | null {
  if (externalId && found.externalIds.has(externalId)) return { path: ['externalId'], message: 'is already used in this program' };
  if (groupId && !found.groups.has(groupId)) return { path: ['groupId'], message: 'was not found in this program' };
  if (parentAffiliateId && !found.affiliates.has(parentAffiliateId))
    return { path: ['parentAffiliateId'], message: 'was not found in this program' };
  return null;
}
