// Adding a resource to the library. What was uploaded is converted before the transaction starts.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordEvent } from '../../messaging/events/record.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint, type Principal } from '../../platform/http/declaration/endpoint.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { resourceCreated } from './events.ts';
import { prepareUpload, storeContent, toStored, Upload, uploadLimitBytes } from './file.ts';
import {
  ResourceKind,
  type ResourceRow,
  ResourceShape,
  requireGroups,
  requireKnownPlaceholders,
  resourceFields,
  textField,
  toResource,
} from './resource.ts';

export const NewResource = z
  .object({
    kind: ResourceKind.describe('It does not change later.'),
    ...resourceFields,
    text: textField.optional().describe(`${textField.description} Required if \`kind\` is \`text\`, and only allowed then.`),
    file: Upload.optional().describe('Required if `kind` is `image` or `file`, and only allowed then.'),
  })
  .meta({ id: 'NewResource', example: { kind: 'text', title: 'Caption for a story', text: 'Try {program}: {link}', language: 'en' } });

export const createResource = endpoint({
  id: 'resources.create',
  route: 'POST /v1/programs/:programId/resources',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Resources',
  summary: 'Create a resource',
  description:
    'Affiliates see it in the portal immediately. An image is encoded again as JPEG, or PNG if parts are transparent, at most 2,400 ' +
    'pixels wide and without metadata.',
  body: NewResource,
  bodyLimitBytes: uploadLimitBytes,
  heavy: true,
  statuses: [201],
  result: ResourceShape,
  prepare: prepareUpload,
  handle: (tx, { actor, body }) => addResource(tx, actor, body),
});

/** Adds a resource whose upload is prepared. */
export async function addResource(tx: Tx, actor: Principal, body: z.output<typeof NewResource>): Promise<z.input<typeof ResourceShape>> {
  const { programId } = actor;
  const { kind, title, description = null, groupIds = [], language = null, position = 0, text = null } = body;
  rejectContradictions(body);
  if (text !== null) requireKnownPlaceholders(text);
  await requireGroups(tx, programId, groupIds);
  const stored = body.file ? toStored(kind, body.file) : null;
  const [id, now] = [tx.ids.uuid(), tx.clock.now()];
  const given = { kind, title, description, body: text, groupIds, language, position, ...stored?.columns };
  const row: ResourceRow = await tx.db
    .insertInto('resources')
    .values({ programId, id, status: 'active', ...given, createdAt: now, updatedAt: now })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (stored) await storeContent(tx, { programId, resourceId: id }, stored);
  const created = toResource(row);
  const after = { kind, title, groupIds, language, position, fileName: stored?.columns.fileName };
  await recordChange(tx, { programId, actor, action: 'resource.created', subjectId: id, after });
  await recordEvent(tx, { programId, actor }, resourceCreated.of({ objectId: id, data: created }));
  return created;
}

function rejectContradictions({ kind, text, file }: z.output<typeof NewResource>): void {
  const [required, other] = kind === 'text' ? (['text', 'file'] as const) : (['file', 'text'] as const);
  const given = { text, file };
  if (given[other] !== undefined) throw new Invalid([{ path: [other], message: `is not allowed when \`kind\` is \`${kind}\`` }]);
  if (given[required] === undefined) throw new Invalid([{ path: [required], message: `is required when \`kind\` is \`${kind}\`` }]);
}
