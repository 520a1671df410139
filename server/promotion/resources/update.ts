// Updating a resource. Archiving it is a change of `status`.
import { z } from 'zod';
import { outdatedError, readVersion, requireVersion, versionHint } from '../../accounts/programs/version.ts';
import type { Tx } from '../../context.ts';
import { recordEvent } from '../../messaging/events/record.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { resourceUpdated } from './events.ts';
import { prepareUpload, type Stored, storeContent, toStored, Upload, uploadLimitBytes } from './file.ts';
import {
  lockResource,
  type ResourceRow,
  ResourceShape,
  ResourceStatus,
  requireGroups,
  requireKnownPlaceholders,
  resourceFields,
  resourceSlot,
  textField,
  toResource,
  versionOf,
} from './resource.ts';

const Change = z
  .object({
    ...resourceFields,
    text: textField.describe(`${textField.description} Only allowed if \`kind\` is \`text\`.`),
    file: Upload.describe('Replaces the image or file. Not allowed if `kind` is `text`.'),
    status: ResourceStatus.describe('`archived`: affiliates no longer see it.'),
  })
  .partial()
  .meta({ id: 'ResourceUpdate', example: { status: 'archived' } });

export const updateResource = endpoint({
  id: 'resources.update',
  route: 'PATCH /v1/programs/:programId/resources/:id',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Resources',
  summary: 'Update a resource',
  description: `Omitted fields keep their value. Affiliates see the change immediately. ${versionHint}`,
  path: { id: resourceSlot },
  body: Change,
  bodyLimitBytes: uploadLimitBytes,
  heavy: true,
  statuses: [200],
  result: ResourceShape,
  errors: [outdatedError('stale_resource', 'resource')],
  prepare: prepareUpload,
  async handle(tx, { actor, caller, params: { id }, body: { text, file, ...fields } }) {
    const { programId } = actor;
    const before = await lockResource(tx, programId, id);
    const object = { programId, id, version: versionOf(before), noun: 'resource', code: 'stale_resource' };
    await requireVersion(tx, object, readVersion(caller.headers['if-match']));
    rejectOtherKind(before, { text, file });
    if (text !== undefined) requireKnownPlaceholders(text);
    if (fields.groupIds) await requireGroups(tx, programId, fields.groupIds);
    const stored = file === undefined ? null : toStored(before.kind, file);
    const change = difference(before, { ...fields, body: text, ...stored?.columns });
    if (!change) return toResource(before);
    const data = toResource(await store(tx, before, { columns: change.after, stored }));
    const recorded = shorten(change);
    await recordChange(tx, { programId, actor, action: 'resource.updated', subjectId: id, ...recorded });
    await recordEvent(tx, { programId, actor }, resourceUpdated.of({ objectId: id, data, previous: recorded.before }));
    return data;
  },
});

function rejectOtherKind({ kind }: ResourceRow, given: { text: unknown; file: unknown }): void {
  const other = kind === 'text' ? 'file' : 'text';
  if (given[other] !== undefined) throw new Invalid([{ path: [other], message: `is not allowed when \`kind\` is \`${kind}\`` }]);
}

type Changes = { columns: Partial<ResourceRow>; stored: Stored | null };

async function store(tx: Tx, { programId, id }: ResourceRow, { columns, stored }: Changes): Promise<ResourceRow> {
  if (stored) await storeContent(tx, { programId, resourceId: id }, stored);
  const resources = tx.db.updateTable('resources').set({ ...columns, updatedAt: tx.clock.now() });
  return resources.where('programId', '=', programId).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

type Recorded = { before: Record<string, unknown>; after: Record<string, unknown> };

/** Without long texts, and what follows from the content of a file. */
function shorten({ before, after }: Recorded): Recorded {
  const pick = ({ body, description, fileType, fileBytes, fileHash, width, height, ...rest }: Record<string, unknown>) => ({
    ...rest,
    text: excerpt(body, 60),
    description: excerpt(description, 60),
    fileHash: excerpt(fileHash, 12),
  });
  return { before: pick(before), after: pick(after) };
}

/** The beginning of a long text; other values are unchanged. */
function excerpt(text: unknown, length: number): unknown {
  return typeof text === 'string' && text.length > length ? `${text.slice(0, length)}…` : text;
}
