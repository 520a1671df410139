// What one person requests, another one approves. A key belongs to the member who created it. In a program with one owner,
// 72 hours replace the second person.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import type { DeclaredError, Principal } from '../../../platform/http/declaration/endpoint.ts';
import { timestampOut } from '../../../platform/http/declaration/fields.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { canonicalUuid } from '../../../platform/lib/ids.ts';
import { roleWaitHours } from './waiting.ts';

const code = 'second_approver_required';

/** How an approval works, for descriptions in the reference. */
export const whoApproves =
  'A member approves it, signed in to the console: not the member who requested it, directly or with an API key that they created, and one ' +
  `who has had their role for ${roleWaitHours} hours or was confirmed by another owner. API keys can't approve. The only owner of a program ` +
  `can approve their own request, or one of a key that belongs to no member, ${roleWaitHours} hours after it.`;

export const secondApproverRequired: DeclaredError = {
  status: 400,
  code,
  when: 'Another person must approve this, or it is too early; see `approvableFrom`.',
  facts: z.object({
    approvableFrom: timestampOut.nullable().describe('From when the caller can approve it; null if another person must.'),
  }),
};

/** `requestedBy`: null if any member can approve it. */
type Request = { requestedBy: string | null; requestedAt: Date };

/** Throws InvalidState unless the caller is another person than the one who sent the request. */
export async function requireSecondPerson(tx: Tx, actor: Principal, { requestedBy, requestedAt }: Request): Promise<void> {
  if (actor.kind !== 'user') throw rejected('API keys can’t approve. Another member must approve it, signed in to the console.');
  if (actor.approvesFrom) {
    const text = 'Your role in this program is too new to approve it. You can approve it later, or once another owner confirms you.';
    throw rejected(text, actor.approvesFrom);
  }
  if (requestedBy === null) return;
  const requester = await findPerson(tx, actor.programId, requestedBy);
  if (requester !== null && requester !== actor.id) return;
  const owners = await listOwnerIds(tx, actor.programId);
  const isOnlyOwner = owners.length === 1 && owners[0] === actor.id;
  if (requester === null && !isOnlyOwner) return;
  if (!isOnlyOwner) throw rejected('Another person must approve it than the one who requested it.');
  const approvableFrom = new Date(requestedAt.getTime() + roleWaitHours * 3_600_000);
  if (approvableFrom <= systemTime(tx)) return;
  throw rejected(`You’re the only owner, so ${roleWaitHours} hours replace the second person. Approve it after that time.`, approvableFrom);
}

function rejected(text: string, approvableFrom: Date | null = null): InvalidState {
  return new InvalidState(code, text, { approvableFrom: approvableFrom?.toISOString() ?? null });
}

/** The user who sent a request or created its key; null for a key of the command line. */
async function findPerson(tx: Tx, programId: string, actorId: string): Promise<string | null> {
  const id = canonicalUuid(actorId);
  if (id === null) return null;
  const { rows } = await sql<{ userId: string | null }>`
    select user_id from api_keys where program_id = ${programId} and id = ${id}
    union all
    select id from users where id = ${id}`.execute(tx.db);
  return rows[0]?.userId ?? null;
}

/** The active owners, who can't change until the transaction ends. */
async function listOwnerIds({ db }: Tx, programId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select users.id from users where users.status = 'active' and users.id in (
      select user_id from program_members where program_id = ${programId} and role = 'owner'
      union
      select member.user_id from organization_members as member
      join programs as program on program.id = ${programId} and program.organization_id = member.organization_id
      where member.role = 'owner'
    )`.execute(db);
  return rows.map(({ id }) => id);
}
