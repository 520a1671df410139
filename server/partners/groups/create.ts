import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordEvent } from '../../messaging/events/record.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { recordValues } from '../../platform/db/recorded-values.ts';
import { endpoint, type Principal } from '../../platform/http/declaration/endpoint.ts';
import { foldCase } from '../../platform/lib/text.ts';
import { groupChanged } from './events.ts';
import { GroupShape, groupFields, toGroup } from './group.ts';

export const groupExists = { status: 409, code: 'group_exists', when: 'A group with this name already exists in the program.' } as const;

const NewGroup = z.object(groupFields).meta({ id: 'NewGroup', example: { name: 'Gold', description: 'More than 50 orders a month' } });

export const createGroup = endpoint({
  id: 'groups.create',
  route: 'POST /v1/programs/:programId/groups',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Groups',
  summary: 'Create a group',
  body: NewGroup,
  statuses: [201],
  result: GroupShape,
  errors: [groupExists],
  handle: (tx, { actor, body }) => addGroup(tx, actor, body),
});

/** Creates a group, with its audit entry. The unique name decides between simultaneous requests. */
export async function addGroup(tx: Tx, actor: Principal, body: z.output<typeof NewGroup>) {
  const { programId, currency } = actor;
  const now = tx.clock.now();
  const given = {
    name: body.name,
    description: body.description ?? null,
    holdDays: body.holdDays ?? null,
    minimumPayoutCents: body.minimumPayoutCents ?? null,
  };
  const key = { programId, id: tx.ids.uuid(), nameKey: foldCase(body.name), status: 'active' };
  const group = await tx.db
    .insertInto('groups')
    .values({ ...key, ...given, createdAt: now, updatedAt: now })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordValues(tx, 'groups', programId, [group.id]);
  await recordChange(tx, { programId, actor, action: 'group.created', subjectId: group.id, after: given });
  const created = toGroup(group, { currency, affiliateCount: 0 });
  await recordEvent(tx, { programId, actor }, groupChanged.of({ objectId: group.id, data: created }));
  return created;
}
