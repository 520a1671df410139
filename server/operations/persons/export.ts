// Writes the data about a person into a folder, with a subfolder for each program: the file that affiliates can download in
// the portal, other records of the program, photos and invoices.
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { toPdf } from '../../paying/invoices/document/download.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { throwFailures, tryEachProgram } from '../../platform/queue/each-program.ts';
import { writeOwnData } from '../../views/portal/own-data/download.ts';
import { type Found, findInProgram } from './found.ts';
import { findPerson, type Person } from './person.ts';
import { listRecords, readAccount, readRecords } from './records.ts';

export type ExportedProgram = { programId: string; name: string; files: string[] };

type Options = {
  email: string;
  /** A folder that doesn't exist. */
  folder: string;
  actor: Actor;
};

/**
 * Writes the folder and returns the files of each program that knows the person. Throws Invalid for something else than an address,
 * EEXIST if the folder exists, ProgramsFailed if a program failed.
 */
export async function exportPerson(ctx: Context, { email, folder, actor }: Options): Promise<ExportedProgram[]> {
  const person = await findPerson(ctx, email);
  await mkdir(folder, { mode: 0o700 });
  await writeJson(join(folder, 'account.json'), await readAccount(ctx, person));
  const programs: ExportedProgram[] = [];
  const failures = await tryEachProgram(ctx, {
    async run(programId, own) {
      const program = await own.db.selectFrom('programs').select(['name', 'slug']).where('id', '=', programId).executeTakeFirstOrThrow();
      const found = await transact(own, (tx) => findInProgram(tx, programId, person));
      const files = await exportFrom(own, { found, person, programName: program.name, folder: join(folder, program.slug) });
      if (files.length === 0) return;
      programs.push({ programId, name: program.name, files: files.map((file) => join(program.slug, file)) });
      await transact(own, (tx) => recordChange(tx, { programId, actor, action: 'person.exported', subjectId: programId }));
    },
  });
  throwFailures(failures);
  return programs;
}

type Part = { found: Found; person: Person; programName: string; folder: string };

/** Returns the names of the files; none for a program that doesn't know the person. */
async function exportFrom(ctx: Context, { found, person, programName, folder }: Part): Promise<string[]> {
  const { programId, affiliateIds } = found;
  const records = await readRecords(ctx, listRecords(found, person));
  if (affiliateIds.length === 0 && Object.keys(records).length === 0) return [];
  await mkdir(folder, { mode: 0o700 });
  const files = ['records.json'];
  await writeJson(join(folder, 'records.json'), records);
  const createdAt = ctx.clock.now().toISOString();
  for (const affiliateId of affiliateIds) {
    const name = affiliateIds.length === 1 ? 'affiliate.json' : `affiliate-${affiliateId}.json`;
    const owner = { programId, affiliateId, userId: person.userId ?? '00000000-0000-0000-0000-000000000000' };
    const content = Readable.from(writeOwnData(ctx, owner, { createdAt, programId, programName }));
    await pipeline(content, createWriteStream(join(folder, name), { mode: 0o600, flags: 'wx' }));
    files.push(name);
  }
  files.push(...(await writePhotos(ctx, { programId, person, folder })), ...(await writeInvoices(ctx, { found, folder })));
  return files;
}

async function writePhotos({ db }: Context, { programId, person, folder }: { programId: string; person: Person; folder: string }) {
  const { rows } = await sql<{ id: string; content: Buffer }>`
    select distinct on (photo.id) photo.id, variant.content from media as photo
    join media_variants as variant on variant.program_id = ${programId} and variant.media_id = photo.id
    where photo.program_id = ${programId} and photo.user_id = ${person.userId}::uuid order by photo.id, variant.max_width desc`.execute(db);
  return Promise.all(rows.map(({ id, content }) => writeNamed(folder, `photo-${id}.webp`, content)));
}

async function writeInvoices(ctx: Context, { found: { programId, affiliateIds }, folder }: { found: Found; folder: string }) {
  if (affiliateIds.length === 0) return [];
  const invoices = ctx.db.selectFrom('invoices').selectAll().where('programId', '=', programId).where('affiliateId', 'in', affiliateIds);
  const files: string[] = [];
  for (const invoice of await invoices.orderBy('createdAt').orderBy('id').execute()) {
    const { content } = await toPdf(ctx, programId, invoice);
    files.push(await writeNamed(folder, `invoice-${invoice.id}.pdf`, Buffer.from(content as Uint8Array)));
  }
  return files;
}

async function writeNamed(folder: string, name: string, content: Buffer): Promise<string> {
  await writeFile(join(folder, name), content, { mode: 0o600, flag: 'wx' });
  return name;
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
}
