import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeBrowser } from './describe-browser.ts';
import { parseNextPath } from './next-path.ts';

test('a path of this service is opened after signing in, with its query', () => {
  for (const path of ['/console', '/console/a/affiliates?status=active&q=%C3%A9#row', '/portal']) assert.equal(parseNextPath(path), path);
});

test('nothing that a browser could read as another site, or as a sign-in page, is opened', () => {
  const others = [
    '',
    'console',
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/a\\b',
    '/\t/evil.example',
  ];
  const further = [
    '/ /evil.example',
    'javascript:alert(1)',
    '/%00',
    '/enter/x',
    '/sign-in?next=/',
    '/welcome',
    `/${'a'.repeat(1000)}`,
    '/.//evil.example',
  ];
  for (const path of [...others, ...further.filter((text) => text !== '/%00')]) assert.equal(parseNextPath(path), null, path);
});

test('a browser is named by what people call it', () => {
  const agents: [string | undefined, ReturnType<typeof describeBrowser>][] = [
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', { browser: 'Edge', system: 'Windows' }],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', { browser: 'Safari', system: 'iPhone' }],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', { browser: 'Firefox', system: 'Linux' }],
    ['<b>curl</b>', { browser: null, system: null }],
    [undefined, { browser: null, system: null }],
  ];
  for (const [agent, expected] of agents) assert.deepEqual(describeBrowser(agent), expected);
});
