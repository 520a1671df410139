import type { Command } from 'commander';
import { createDemo } from '../demo/demo.ts';
import { printField, printJson, printLine } from './print.ts';
import { withService } from './run.ts';

export function demoCommands(cli: Command): void {
  cli
    .command('demo')
    .option('--json', 'Print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      await withService('demo', async ({ ctx }) => {
        const { isNew: _, ...demo } = await createDemo(ctx, async () => {});
        if (json) return printJson(demo);
        printField('Program', `${demo.programId}  (${demo.name})`);
        printField('API key', demo.apiKey);
        printLine('  The API key is shown only once. It belongs to a test program.');
      });
    });
}
