import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { browsers } from '../../../test/support/browsers.ts';
import { createBotCheck } from './agents.ts';

const list = JSON.parse(readFileSync('node_modules/crawler-user-agents/crawler-user-agents.json', 'utf8')) as { instances: string[] }[];

test('every user agent of crawler-user-agents is a bot', () => {
  const isBot = createBotCheck();
  const crawlers = list.flatMap(({ instances }) => instances);
  assert.ok(crawlers.length > 2000, `${crawlers.length}`);
  assert.deepEqual(
    crawlers.filter((agent) => !isBot(agent)),
    [],
  );
});

test('an absent user agent and common tools are bots', () => {
  const isBot = createBotCheck();
  for (const agent of ['', '  ', 'curl/8.5.0', 'python-requests/2.32', 'node', 'Go-http-client/2.0', 'okhttp/4.12.0', 'Wget/1.21'])
    assert.ok(isBot(agent), agent);
});

test('browsers, including those inside apps, are not bots', () => {
  const isBot = createBotCheck();
  assert.ok(browsers.length >= 20);
  assert.deepEqual(
    browsers.filter((agent) => isBot(agent)),
    [],
  );
});

test('a flood of unusual user agents does not fill the memory', () => {
  const isBot = createBotCheck();
  for (let number = 0; number < 12_000; number += 1) assert.ok(isBot(`x-crawler/${number}`));
  assert.ok(!isBot(browsers[0] ?? ''));
});
