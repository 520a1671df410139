// Stops payouts, emails and webhooks of all processes immediately, and lets them continue.
import type { Command } from 'commander';
import type { Context } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import { freezeService, readFreeze, unfreezeService } from '../../../platform/freeze/freeze.ts';
import { line } from '../../../platform/http/declaration/fields.ts';
import { parseField } from '../arguments.ts';
import { formatTime, printJson, printLine } from '../print.ts';
import { commandActor, withService } from '../run.ts';

export function freezeCommands(cli: Command): void {
  cli.command('freeze').option('--note <text>', 'Why, for the audit log').option('--json', 'Print JSON').action(freeze);
  cli.command('unfreeze').option('--json', 'Print JSON').action(unfreeze);
}

async function freeze({ note, json }: { note?: string; json?: boolean }): Promise<void> {
  const given = note === undefined ? null : parseField(line(500), note, '--note');
  await withService('freeze', async ({ ctx }) => {
    const wasChanged = await setFreeze(ctx, true, given);
    const frozen = await readFreeze(ctx);
    if (json) return printJson({ wasChanged, ...frozen });
    printLine(wasChanged ? '  Frozen.' : `  Frozen already, since ${formatTime(frozen?.frozenAt ?? null)}.`);
    printLine('  No process sends payouts, emails or webhooks anymore. Calls in progress are completed.');
    printLine('  Orders, clicks and the API continue. What is queued is sent after `unfreeze`.');
  });
}

async function unfreeze({ json }: { json?: boolean }): Promise<void> {
  await withService('unfreeze', async ({ ctx }) => {
    const wasChanged = await setFreeze(ctx, false, null);
    if (json) return printJson({ wasChanged });
    printLine(wasChanged ? '  Unfrozen. What is queued is sent within a minute.' : '  The service was not frozen.');
  });
}

/** Freezes or unfreezes, with an entry in the audit log of every program. False if nothing changed. */
async function setFreeze(ctx: Context, shouldFreeze: boolean, note: string | null): Promise<boolean> {
  const actor = commandActor();
  return transact(ctx, async (tx) => {
    const wasChanged = shouldFreeze ? await freezeService(tx, { frozenBy: actor.id, note }) : await unfreezeService(tx);
    if (!wasChanged) return false;
    const programs = await tx.db.selectFrom('programs').select('id').execute();
    const action = shouldFreeze ? ('service.frozen' as const) : ('service.unfrozen' as const);
    for (const { id } of programs) {
      const after = shouldFreeze ? { note } : null;
      await recordChange(tx, { programId: id, actor, action, subjectId: id, after });
    }
    return true;
  });
}
