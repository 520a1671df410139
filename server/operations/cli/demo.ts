import type { Command } from 'commander';
import { createDemo } from '../demo/demo.ts';
import { fact, json, say } from './print.ts';
import { withService } from './run.ts';

export function demoCommands(cli: Command): void {
  cli
    .command('demo')
    .description('create a demo program with affiliates, products and pages')
    .option('--json', 'print JSON')
    .action(async ({ json: asJson }: { json?: boolean }) => {
      await withService('demo', async ({ ctx }) => {
        const { isNew: _, ...demo } = await createDemo(ctx, async () => {});
        if (asJson) return json(demo);
        fact('Program', `${demo.programId}  (${demo.name})`);
        fact('API key', demo.apiKey);
        say('  The API key is shown only once. It belongs to a test program.');
      });
    });
}
