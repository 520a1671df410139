// The demo program that an empty installation starts with, created in one transaction. Its API key is stored in the data
// folder, readable by its owner alone, so that every start can print it. It belongs to a test program with invented data.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { findKey } from '../../accounts/programs/api-key.ts';
import { createProgram } from '../../accounts/programs/create.ts';
import type { Context, Tx } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { program } from './demo-data.ts';
import { createRandom } from './random.ts';
import { seedActivity } from './seed-activity.ts';
import { seedProgram } from './seed-program.ts';

const StoredDemo = z.object({ programId: z.string(), apiKey: z.string(), name: z.string(), referralCode: z.string().default('') });
type StoredDemo = z.infer<typeof StoredDemo>;
export type Demo = StoredDemo & { isNew: boolean; affiliates: number; products: number; pages: number };

const seed = 20_261_121;
const dayMs = 86_400_000;
const programDays = 120;
const activityDays = 60;

/** The demo of this installation, created if the database has no program yet; otherwise null. */
export async function ensureDemo(ctx: Context, { isEmbedded }: { isEmbedded: boolean }): Promise<Demo | null> {
  if (!ctx.config.demo || !isEmbedded) return null;
  const stored = await readStoredDemo(ctx.config.dataDir);
  if (stored) {
    const found = await ctx.db.selectFrom('programs').select('id').where('id', '=', stored.programId).executeTakeFirst();
    if (found) return { ...stored, isNew: false, affiliates: 0, products: 0, pages: 0 };
  }
  const anyProgram = await ctx.db.selectFrom('programs').select('id').limit(1).executeTakeFirst();
  return anyProgram ? null : createDemo(ctx, (demo) => storeDemo(ctx.config.dataDir, demo));
}

/** Creates a demo program. `store` runs just before the commit, so that no demo exists whose key is unknown. */
export async function createDemo(ctx: Context, store: (demo: StoredDemo) => Promise<void>): Promise<Demo> {
  const now = ctx.clock.now();
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
  const start = daysAgo(programDays);
  return transact(ctx, async (tx) => {
    const random = createRandom(seed);
    const { programId, apiKey } = await createProgram(
      { ...tx, clock: { now: () => start } },
      { ...program, mode: 'test', currency: 'USD', timezone: 'UTC' },
      { kind: 'command', id: 'demo' },
    );
    const actor = await findKey(tx, apiKey);
    if (!actor) throw new Error('The new API key is not valid.');
    const seeded = await seedProgram({ tx, actor, random }, { start, days: programDays });
    const { activeAffiliateIds: affiliateIds, affiliateCount, productCount, pageCount } = seeded;
    await seedActivity({ tx, random, actor, affiliateIds, from: daysAgo(activityDays), days: activityDays });
    const demo = { programId, apiKey, name: program.name, referralCode: await findTopReferralCode(tx, programId) };
    await store(demo);
    return { ...demo, isNew: true, affiliates: affiliateCount, products: productCount, pages: pageCount };
  });
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
