// Runs the README as a new user does: `npm start` on an empty data folder, the lines that it prints, then every command
// of the quickstart, in order, in one shell.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { chrome } from '../support/browsers.ts';
import { type FirstStart, startFirstTime } from '../support/embedded/first-start.ts';

const readme = readFileSync('README.md', 'utf8');
const quickstart = readme.slice(readme.indexOf('## Quickstart'), readme.indexOf('## Payouts'));
const blocks = [...quickstart.matchAll(/```sh\n([\s\S]*?)```(?:\n```json\n([\s\S]*?)```)?/g)].map(([, command = '', response]) => ({
  command,
  response,
}));
/** The names of the top-level fields of a response that is shown shortened. */
function parseFieldNames(shown: string): string[] {
  const flat = shown.replace(/\{[^{}]*\}/g, (inner, at: number) => (at === 0 ? inner : '{}')).replace(/\{[^{}]*\}(?!\s*$)/g, '{}');
  return [...flat.matchAll(/"(\w+)":/g)].map(([, name = '']) => name);
}

/** Opens a URL as a browser does. */
const open = (url: string) => fetch(url, { redirect: 'manual', headers: { 'user-agent': chrome } });

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe('the README, on the demo that npm start creates', { skip: !hasCurl }, () => {
  let folder: string;
  let printed = '';
  let environment: Record<string, string>;
  let started: FirstStart;
  before(async () => {
    started = await startFirstTime();
    ({ folder, printed, environment } = started);
  });
  after(() => started?.close());

  const exports = () => printed.match(/^ *export .*$/gm) ?? [];

  test('the lines that npm start prints work when pasted', async () => {
    assert.equal(exports().length, 3, printed);
    const pasted = printed.slice(printed.indexOf('export')).replace('curl ', 'curl -s --fail-with-body ');
    const { stdout } = await promisify(execFile)('sh', ['-ec', pasted], { env: environment });
    assert.equal(JSON.parse(stdout).affiliates.length, 2);
  });

  test('links in responses have the port that PORT=0 selected', async () => {
    const [api = '', program = '', key = ''] = exports().map((line) => line.split('=')[1] ?? '');
    const response = await fetch(`${api}/programs/${program}/affiliates?limit=1&expand=details`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const [affiliate] = ((await response.json()) as { affiliates: { linkUrl: string }[] }).affiliates;
    assert.equal(new URL(affiliate?.linkUrl ?? '').origin, new URL(api).origin);
  });

  test('every URL that npm start prints opens in a browser, and the link redirects to a website that exists', async () => {
    const pages = [...printed.matchAll(/^ {2}(Docs|Reference|OpenAPI|Link) +(http\S+)/gm)].map(([, , url = '']) => url);
    assert.equal(pages.length, 4, printed);
    for (const url of pages) {
      const response = await open(url);
      assert.ok([200, 302].includes(response.status), `${url}: ${response.status}`);
      // Hosts below .example, .test and .invalid never exist.
      if (response.status === 302) assert.match(response.headers.get('location') ?? '', /^https:\/\/example\.com\/.*trb_click=/);
    }
  });

  test('the printed console link opens a page, and fetching it does not use it up', async () => {
    const [, link = ''] = /Console +(http\S+\/enter\/\S+)/.exec(printed) ?? [];
    assert.match(printed, /signs you in as Dana Calder \(owner\); single use, expires in 1 hour/);
    for (let times = 0; times < 2; times += 1) assert.equal((await open(link)).status, 200);
  });

  test('creating another demo does not break the link', async () => {
    const [, link = ''] = /Link +(http\S+)/.exec(printed) ?? [];
    const before = await open(link);
    await promisify(execFile)(process.execPath, ['scripts/launch.mjs', 'demo', '--json'], { env: environment });
    const response = await open(link);
    const withoutClick = (location: string | null) => location?.replace(/trb_click=[^&]*/, '');
    assert.equal(withoutClick(response.headers.get('location')), withoutClick(before.headers.get('location')));
    assert.match(response.headers.get('location') ?? '', /trb_click=/);
  });

  test('its seven calls, pasted in order, return the responses that it shows', async () => {
    assert.equal(blocks.filter(({ response }) => response !== undefined).length, 7);
    const marked = blocks.map(({ command }, index) => `printf '\\n@@%s\\n' ${index}\n${command}`).join('\n');
    const script = `${exports().join('\n')}\n${marked}`
      .replaceAll('curl ', 'curl -s --fail-with-body ')
      .replaceAll('/tmp/ada.json', join(folder, 'ada.json'));
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { env: environment });
    const outputs = stdout.split(/\n@@\d+\n/).slice(1);
    assert.equal(outputs.length, blocks.length);
    for (const [index, { command, response }] of blocks.entries()) if (response) checkResponse(command, response, outputs[index] ?? '');
    const link = outputs.find((output) => /\/r\/\w+\s*$/.test(output))?.trim() ?? '';
    const response = await open(link);
    assert.match(response.headers.get('location') ?? '', /trb_click=/, `${link} is Ada's link`);
  });

  function checkResponse(command: string, shown: string, output: string): void {
    const body = JSON.parse(output);
    const fields = parseFieldNames(shown);
    // A response that ends in "… }" shows some of its fields.
    const isComplete = !/…\s*\}\s*$/.test(shown);
    assert.deepEqual(isComplete ? Object.keys(body) : fields.filter((field) => field in body), fields, command);
    for (const [, field = '', value = ''] of shown.matchAll(/"(\w+Cents|rate)": (\d[\d.]*)/g))
      assert.equal(body[field], Number(value), `${field} of ${command}`);
  }
});
