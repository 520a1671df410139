// The demo program that an empty installation starts with, created in one transaction. Its API key is stored in the data
// folder, readable only by its owner, so that every start can print it. It belongs to a test program with invented data.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import { findKey } from '../../accounts/programs/api-key.ts';
import { createOrganization, createProgram } from '../../accounts/programs/create.ts';
import type { Context, Tx } from '../../context.ts';
import { extendStatementTimeout } from '../../platform/db/statement-timeout.ts';
import { transact } from '../../platform/db/transact.ts';
import { members, organization, program } from './data/demo-data.ts';
import { seedPortalUser } from './portal-user.ts';

const StoredDemo = z.object({ programId: z.string(), apiKey: z.string(), name: z.string(), referralCode: z.string().default('') });
type StoredDemo = z.infer<typeof StoredDemo>;
export type Demo = StoredDemo & { isNew: boolean; affiliates: number; products: number; pages: number };

export const demoOwner = members[0];

/** The demo of this installation, created if the database has no program yet; otherwise null. */
export async function ensureDemo(ctx: Context, { isEmbedded }: { isEmbedded: boolean }): Promise<Demo | null> {
  if (!ctx.config.demo || !isEmbedded) return null;
  const stored = await findDemo(ctx);
  if (stored) return { ...stored, isNew: false, affiliates: 0, products: 0, pages: 0 };
  const anyProgram = await ctx.db.selectFrom('programs').select('id').limit(1).executeTakeFirst();
  return anyProgram ? null : createDemo(ctx, (demo) => storeDemo(ctx.config.dataDir, demo));
}

/** The demo that this installation was created with; null without one, or if it was removed. */
export async function findDemo(ctx: Pick<Context, 'db' | 'config'>): Promise<StoredDemo | null> {
  const stored = await readStoredDemo(ctx.config.dataDir);
  if (!stored) return null;
  const found = await ctx.db.selectFrom('programs').select('id').where('id', '=', stored.programId).executeTakeFirst();
  return found ? stored : null;
}

/** Creates a demo program. `store` runs just before the commit, so that no demo exists whose key is unknown. */
export async function createDemo(ctx: Context, store: (demo: StoredDemo) => Promise<void>): Promise<Demo> {
  // Loaded here, because only the first start needs it.
  const { programDays, seedPast } = await import('./seed-past.ts');
  return transact(ctx, async (tx) => {
    await extendStatementTimeout(tx);
    // The process also calculates, and may have to share its processor.
    await sql`set local idle_in_transaction_session_timeout = '2min'`.execute(tx.db);
    // Plans are made, and kept, while the tables are empty.
    await sql`set local enable_seqscan = off`.execute(tx.db);
    const { programId, apiKey, actor } = await createEmptyProgram(tx, programDays);
    const counts = await seedPast(tx, actor);
    await seedPortalUser(tx, programId);
    const demo = { programId, apiKey, name: program.name, referralCode: await findTopReferralCode(tx, programId) };
    await store(demo);
    return { ...demo, ...counts, isNew: true };
  });
}

async function createEmptyProgram(tx: Tx, days: number) {
  const start = new Date(tx.clock.now().getTime() - days * 86_400_000);
  const actor = { kind: 'command' as const, id: 'demo' };
  const then = { ...tx, clock: { now: () => start } };
  const organizationId = await createOrganization(then, organization);
  const created = await createProgram(then, { ...program, organizationId, mode: 'test', currency: 'USD', timezone: 'UTC' }, actor);
  const principal = await findKey(tx, created.apiKey);
  if (!principal) throw new Error('The new API key is not valid.');
  return { ...created, actor: principal };
}

/** The code of the affiliate with the most clicks. Codes are unique in the installation, so another demo can't take it. */
async function findTopReferralCode(tx: Tx, programId: string): Promise<string> {
  const affiliates = tx.db.selectFrom('affiliates').where('programId', '=', programId).where('status', '=', 'active');
  const top = await affiliates.select('referralCode').orderBy('clicks', 'desc').orderBy('id').executeTakeFirst();
  return top?.referralCode ?? '';
}

async function readStoredDemo(dataDir: string): Promise<StoredDemo | null> {
  const text = await readFile(storedDemoFile(dataDir), 'utf8').catch(() => null);
  if (text === null) return null;
  const parsed = StoredDemo.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}

async function storeDemo(dataDir: string, demo: StoredDemo): Promise<void> {
  const file = storedDemoFile(dataDir);
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, JSON.stringify(demo), { mode: 0o600 });
  await chmod(file, 0o600);
}

function storedDemoFile(dataDir: string): string {
  return join(dataDir, 'demo.json');
}
