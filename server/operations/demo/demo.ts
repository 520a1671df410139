// The demo program that an empty installation starts with: everything in one transaction, and a note in
// the data folder, so that every later start can show the same key again. It is a test program, whose
// keys protect nothing but invented people; the note is readable by its owner alone.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { createProgram } from '../../accounts/programs/create.ts';
import type { Context, Tx } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { playActivity } from './activity.ts';
import { brand } from './cast.ts';
import { chanceFrom } from './chance.ts';
import { tell } from './story.ts';

const Note = z.object({ programId: z.string(), apiKey: z.string(), name: z.string(), referralCode: z.string().default('') });
export type DemoNote = z.infer<typeof Note>;
export type DemoFacts = DemoNote & { isNew: boolean; affiliates: number; products: number; pages: number };

/** The demo of this installation, created when the database holds no program yet. Null where there's none. */
export async function ensureDemo(ctx: Context, { isEmbedded }: { isEmbedded: boolean }): Promise<DemoFacts | null> {
  if (!ctx.config.demo || !isEmbedded) return null;
  const note = await readNote(ctx.config.dataDir);
  if (note) {
    const program = await ctx.db.selectFrom('programs').select('id').where('id', '=', note.programId).executeTakeFirst();
    if (program) return { ...note, isNew: false, affiliates: 0, products: 0, pages: 0 };
  }
  const any = await ctx.db.selectFrom('programs').select('id').limit(1).executeTakeFirst();
  return any ? null : createDemo(ctx, (fresh) => writeNote(ctx.config.dataDir, fresh));
}

/** Creates the demo program. `keep` is called just before the commit, so that no demo exists without its note. */
export async function createDemo(ctx: Context, keep: (note: DemoNote) => Promise<void>): Promise<DemoFacts> {
  const days = 120;
  const today = ctx.clock.now();
  const start = new Date(today.getTime() - days * 86_400_000);
  return transact(ctx, async (tx) => {
    const chance = chanceFrom(20_261_121);
    const { programId, keyId, apiKey } = await createProgram(
      { ...tx, clock: { now: () => start } },
      { ...brand, mode: 'test', currency: 'USD', timezone: 'UTC' },
      { kind: 'command', id: 'demo' },
    );
    const actor: Principal = {
      kind: 'api_key',
      id: keyId,
      programId,
      currency: 'USD',
      scopes: ['read', 'write'],
      rateLimitPerMinute: null,
    };
    const { people, active, productCount, slugs } = await tell({ tx, actor, chance, start });
    const activeDays = 60;
    const from = new Date(today.getTime() - activeDays * 86_400_000);
    await playActivity({ tx, chance, actor, affiliateIds: active.map(({ id }) => id), from, days: activeDays });
    const note = { programId, apiKey, name: brand.name, referralCode: await topReferralCode(tx, programId) };
    await keep(note);
    return { ...note, isNew: true, affiliates: people.length, products: productCount, pages: slugs.length };
  });
}

/** The code of the affiliate with the most clicks. A code is unique in the installation, also beside another demo. */
async function topReferralCode(tx: Tx, programId: string): Promise<string> {
  const affiliates = tx.db.selectFrom('affiliates').where('programId', '=', programId).where('status', '=', 'active');
  const top = await affiliates.select('referralCode').orderBy('clicks', 'desc').orderBy('id').executeTakeFirst();
  return top?.referralCode ?? '';
}

async function readNote(dataDir: string): Promise<DemoNote | null> {
  const text = await readFile(noteIn(dataDir), 'utf8').catch(() => null);
  if (text === null) return null;
  const parsed = Note.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}

async function writeNote(dataDir: string, note: DemoNote): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeFile(noteIn(dataDir), JSON.stringify(note), { mode: 0o600 });
  await chmod(noteIn(dataDir), 0o600);
}

function noteIn(dataDir: string): string {
  return join(dataDir, 'demo.json');
}
