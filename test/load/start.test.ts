// What a start loads. Each module costs every start, every command and every test half a millisecond.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { commandFiles } from '../../server/operations/cli/commands.ts';
import { processTerminal } from '../../server/operations/cli/terminal/terminal.ts';
import { addCalled } from '../../server/operations/cli/tree.ts';
import { startLoadServer } from './server.ts';

/** Packages that are loaded where they are first used. */
const loadedLater = [
  '@scalar/fastify-api-reference',
  '@simplewebauthn/server',
  'ajv',
  'nodemailer',
  'pdfkit',
  'pg-copy-streams',
  'piscina',
  'prom-client',
  'qrcode',
  'sharp',
  'stripe',
  'undici',
  'vite',
];

test('a server is ready without the packages that only some installations or requests need', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-start-'));
  const file = join(folder, 'packages');
  const recorder = new URL('./record-packages.ts', import.meta.url).href;
  const server = await startLoadServer({
    NODE_OPTIONS: `--import=${recorder}`,
    PACKAGES_FILE: file,
    SMTP_URL: 'smtp://127.0.0.1:1',
  });
  try {
    const loaded = readFileSync(file, 'utf8').trim().split('\n');
    assert.ok(loaded.includes('fastify') && loaded.includes('kysely'), 'the packages were recorded');
    assert.deepEqual(
      loaded.filter((name) => loadedLater.includes(name)),
      [],
    );
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

test('the list of commands names what each file declares', async () => {
  for (const { commands, load } of commandFiles) {
    const cli = new Command();
    (await load())(cli, processTerminal(), addCalled);
    assert.deepEqual(
      cli.commands.map((command) => command.name()),
      Object.keys(commands),
    );
  }
});
