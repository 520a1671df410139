// A resource: an image, text or file that a program gives its affiliates to promote it with. Its kind never changes.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { toVersion, versionExample, versionOut } from '../../accounts/programs/version.ts';
import type { Context, Tx } from '../../context.ts';
import { checkPlaceholders } from '../../messaging/emails/editing/text.ts';
import type { Resources } from '../../platform/db/schema.gen.ts';
import { countOut, line, logged, paragraph, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { findUnknownGroups } from '../catalogue/allowed-groups.ts';
import { placeholders } from './fill-text.ts';

export const ResourceKind = z.enum(['image', 'text', 'file']).meta({ id: 'ResourceKind' });
export const ResourceStatus = z.enum(['active', 'archived']).meta({ id: 'ResourceStatus' });

export const ResourceFile = z
  .object({
    name: z.string().describe('The name under which it is downloaded.'),
    type: z.string().describe('Its media type.'),
    sizeBytes: countOut.describe('Its size in bytes.'),
    width: countOut.nullable().describe('In pixels; null unless it is an image.'),
    height: countOut.nullable().describe('In pixels; null unless it is an image.'),
  })
  .meta({
    id: 'ResourceFile',
    example: { name: 'spring-banner.jpg', type: 'image/jpeg', sizeBytes: 214_380, width: 1600, height: 900 },
  });

export const resourceExample = {
  id: '01980c11-5e2f-7a4b-8c6d-7e8f90a1b2c3',
  kind: 'text' as const,
  title: 'Caption for a story',
  description: 'For a photo of your morning tea.',
  text: 'My mornings start with {program}. Try it: {link}',
  file: null,
  groupIds: [],
  language: 'en',
  position: 0,
  status: 'active' as const,
  version: versionExample,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};

export const ResourceShape = z
  .object({
    id: uuidOut,
    kind: ResourceKind,
    title: z.string().describe('Shown to affiliates.'),
    description: z.string().nullable().describe('What it is for, as affiliates read it.'),
    text: z.string().nullable().describe('The text with its placeholders; null unless `kind` is `text`.'),
    file: ResourceFile.nullable().describe('The image or file; null if `kind` is `text`. `resources.getFile` returns its content.'),
    groupIds: z.array(uuidOut).describe('Only affiliates in these groups see it; empty for all.'),
    language: z.string().nullable().describe('The language of its content, such as `de`; null if it has none.'),
    position: countOut.describe('Lower numbers are shown first, and the oldest first among equal ones.'),
    status: ResourceStatus.describe('`archived`: affiliates no longer see it.'),
    version: versionOut,
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Resource', example: resourceExample });

/** Fields that can be edited whatever the kind is. */
export const resourceFields = {
  title: logged(line(100)).describe('Shown to affiliates.'),
  description: paragraph(1000).nullable().optional().describe('What it is for, as affiliates read it.'),
  groupIds: z
    .array(uuid)
    .max(100)
    .transform((ids) => [...new Set(ids)])
    .meta({ json: { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: 100 } })
    .optional()
    .describe('Only affiliates in these groups see it; empty, the default, for all.'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, 'must be a language code such as `de` or `pt-BR`')
    .nullable()
    .optional()
    .describe('The language of its content, such as `de`.'),
  position: z
    .int('must be a whole number')
    .min(0, 'must not be negative')
    .max(1_000_000, 'must not exceed 1000000')
    .optional()
    .describe('Lower numbers are shown first, and the oldest first among equal ones. Default: 0.'),
};

export const textField = paragraph(5000)
  .refine((text) => text.length > 0, { error: 'must not be empty' })
  .describe(`What affiliates copy. Replaced for each of them: ${placeholders.map((name) => `\`{${name}}\``).join(', ')}.`);

export const resourceSlot = idSlot('resources', 'The id of the resource.');

export type ResourceRow = Selectable<Resources>;

/** Locks a resource. Throws when it does not exist; the path was checked before. */
export function lockResource(tx: Tx, programId: string, id: string): Promise<ResourceRow> {
  const resources = tx.db.selectFrom('resources').selectAll().where('programId', '=', programId).where('id', '=', id);
  return resources.forUpdate().executeTakeFirstOrThrow();
}

/** Throws Invalid for a placeholder that texts don't have. */
export function requireKnownPlaceholders(text: string): void {
  const message = checkPlaceholders(text, placeholders);
  if (message !== null) throw new Invalid([{ path: ['text'], message }]);
}

/** Throws Invalid if a group is not one of the program. Those that exist are locked until the commit. */
export async function requireGroups(tx: Tx, programId: string, groupIds: readonly string[]): Promise<void> {
  const unknown = await findUnknownGroups(tx, programId, groupIds);
  const missing = groupIds.findIndex((id) => unknown.has(id));
  if (missing >= 0) throw new Invalid([{ path: ['groupIds', String(missing)], message: 'was not found in this program' }]);
}

/** A resource as the API returns it. */
export async function readResource({ db }: Pick<Context, 'db'>, programId: string, id: string): Promise<z.input<typeof ResourceShape>> {
  const resources = db.selectFrom('resources').selectAll().where('programId', '=', programId);
  return toResource(await resources.where('id', '=', id).executeTakeFirstOrThrow());
}

export function toResource(row: ResourceRow): z.input<typeof ResourceShape> {
  return {
    ...row,
    kind: ResourceKind.parse(row.kind),
    text: row.body,
    file: toFile(row),
    status: ResourceStatus.parse(row.status),
    version: versionOf(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Null for a text. */
export function toFile({ fileName: name, fileType: type, fileBytes: sizeBytes, width, height }: ResourceRow) {
  return name === null || type === null || sizeBytes === null ? null : { name, type, sizeBytes, width, height };
}

/** The version of the fields that can be edited. */
export function versionOf(row: ResourceRow): string {
  const { title, description, body, fileName, fileHash, groupIds, language, position, status } = row;
  return toVersion([title, description, body, fileName, fileHash, groupIds, language, position, status]);
}
