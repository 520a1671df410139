// Notes about an affiliate, for the members of the program. Only its author can change or delete a note.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { findActorNames } from '../../../accounts/programs/actor-names.ts';
import type { Context, Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { AffiliateNotes } from '../../../platform/db/schema.gen.ts';
import { NamedActor } from '../../../platform/http/declaration/actor-shape.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { paragraph, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { cursorPage } from '../../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, sortBy } from '../../../platform/http/declaration/lists.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { affiliateSlot } from '../affiliate.ts';

const Note = z
  .object({
    id: uuidOut,
    affiliateId: uuidOut,
    note: z.string(),
    author: NamedActor,
    isOwn: z.boolean().describe('Whether the caller wrote it and can change it.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({
    id: 'AffiliateNote',
    example: {
      id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      note: 'Prefers to be paid by bank transfer.',
      author: { kind: 'user', id: '01980a4e-8c11-7f02-b3a5-6d0e9a7c2f14', name: 'Dana Calder' },
      isOwn: true,
      createdAt: '2026-11-20T09:00:00.000Z',
      updatedAt: '2026-11-20T09:00:00.000Z',
    },
  });

const NoteText = z
  .object({ note: paragraph(5000).refine((text) => text.length > 0, { error: 'must not be empty' }) })
  .meta({ id: 'AffiliateNoteText', example: { note: 'Prefers to be paid by bank transfer.' } });

const noteSlot = idSlot('affiliateNotes', 'The id of the note.');

const notYours = { status: 400, code: 'not_the_author', when: 'Another member wrote the note.' } as const;

type Reader = Actor & { programId: string };
type Row = Selectable<AffiliateNotes>;

async function toNotes(ctx: Pick<Context, 'db'>, actor: Reader, rows: readonly Row[]): Promise<z.input<typeof Note>[]> {
  const authors = rows.map((row) => ({ kind: row.authorKind, id: row.authorId }));
  const nameOf = await findActorNames(ctx, actor.programId, authors);
  return rows.map((row) => ({
    id: row.id,
    affiliateId: row.affiliateId,
    note: row.note,
    author: nameOf({ kind: row.authorKind, id: row.authorId }),
    isOwn: isAuthor(actor, row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }));
}

function isAuthor(actor: Actor, { authorKind, authorId }: Row): boolean {
  return authorKind === actor.kind && authorId === actor.id;
}

async function toNote(tx: Tx, actor: Reader, row: Row): Promise<z.input<typeof Note>> {
  const [note] = await toNotes(tx, actor, [row]);
  if (!note) throw new Error('A note was not converted.');
  return note;
}

async function lockOwnNote(tx: Tx, actor: Reader, id: string): Promise<Row> {
  const notes = tx.db.selectFrom('affiliateNotes').selectAll().where('programId', '=', actor.programId).where('id', '=', id);
  const row = await notes.forUpdate().executeTakeFirstOrThrow();
  if (!isAuthor(actor, row)) throw new InvalidState('not_the_author', 'Only the author of a note can change it.');
  return row;
}

const common = { isUserOnly: true, tag: 'Affiliate table', requires: 'affiliates.write' } as const;

export const listNotes = endpoint({
  id: 'affiliateNotes.list',
  route: 'GET /app/programs/:programId/affiliates/:id/notes',
  scope: 'read',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'List the notes about an affiliate',
  path: { id: affiliateSlot },
  query: z.object({ ...cursorPage, sort: sortBy('createdAt') }),
  statuses: [200],
  result: cursorListOf('notes', Note, 'AffiliateNoteList'),
  async handle(ctx, { actor, params, query: { limit, offset, sort, cursor } }) {
    const notes = ctx.db.selectFrom('affiliateNotes').where('programId', '=', actor.programId).where('affiliateId', '=', params.id);
    const { rows, total, nextCursor } = await findPage(notes, { limit, offset, sort, cursor }, (selected) => selected.selectAll());
    return { notes: await toNotes(ctx, actor, rows), total, limit, offset, nextCursor };
  },
});

export const createNote = endpoint({
  ...common,
  id: 'affiliateNotes.create',
  route: 'POST /app/programs/:programId/affiliates/:id/notes',
  scope: 'write',
  summary: 'Add a note about an affiliate',
  path: { id: affiliateSlot },
  body: NoteText,
  statuses: [201],
  result: Note,
  async handle(tx, { actor, params, body: { note } }) {
    const now = tx.clock.now();
    const author = { programId: actor.programId, affiliateId: params.id, authorKind: actor.kind, authorId: actor.id };
    const row = await tx.db
      .insertInto('affiliateNotes')
      .values({ ...author, id: tx.ids.uuid(), note, createdAt: now, updatedAt: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(tx, { programId: actor.programId, actor, action: 'affiliate.note_added', subjectId: params.id, after: { note } });
    return toNote(tx, actor, row);
  },
});

export const updateNote = endpoint({
  ...common,
  id: 'affiliateNotes.update',
  route: 'PATCH /app/programs/:programId/affiliate-notes/:id',
  scope: 'write',
  summary: 'Change a note',
  path: { id: noteSlot },
  body: NoteText,
  statuses: [200],
  result: Note,
  errors: [notYours],
  async handle(tx, { actor, params, body: { note } }) {
    const before = await lockOwnNote(tx, actor, params.id);
    if (before.note === note) return toNote(tx, actor, before);
    const notes = tx.db.updateTable('affiliateNotes').set({ note, updatedAt: tx.clock.now() }).where('programId', '=', actor.programId);
    const row = await notes.where('id', '=', params.id).returningAll().executeTakeFirstOrThrow();
    const change = {
      action: 'affiliate.note_changed',
      subjectId: row.affiliateId,
      before: { note: before.note },
      after: { note },
    } as const;
    await recordChange(tx, { programId: actor.programId, actor, ...change });
    return toNote(tx, actor, row);
  },
});

export const deleteNote = endpoint({
  ...common,
  id: 'affiliateNotes.delete',
  route: 'DELETE /app/programs/:programId/affiliate-notes/:id',
  scope: 'write',
  summary: 'Delete a note',
  path: { id: noteSlot },
  statuses: [200],
  result: Note,
  errors: [notYours],
  async handle(tx, { actor, params }) {
    const row = await lockOwnNote(tx, actor, params.id);
    await tx.db.deleteFrom('affiliateNotes').where('programId', '=', actor.programId).where('id', '=', params.id).execute();
    const change = { action: 'affiliate.note_deleted', subjectId: row.affiliateId, before: { note: row.note } } as const;
    await recordChange(tx, { programId: actor.programId, actor, ...change });
    return toNote(tx, actor, row);
  },
});
