import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { apiWords, explainFault } from './faults.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const catalogues = ['en', 'de'].map(
  (language) => JSON.parse(readFileSync(join(root, 'web', 'locales', language, 'ui.json'), 'utf8')) as { fault: Record<string, string> },
);

/** What no form can send: ids of clicks, orders of disputes, the look of embeds, and the program's currency among the other ones. */
const forCallers =
  /^must (…|not be 7, the currency of the program|be (8 to 64 letters|the order that this dispute|1 to 40 characters|true or false|true: another domain|a domain of yours|7, the currency of the order|names of fonts|a whole number of pixels))/;

/** The messages about fields in the sources of the server, with a number for every inserted value. */
function readMessages(folders = /^server\//): string[] {
  const files = globSync('server/**/*.ts', { cwd: root }).filter((file) => folders.test(file) && !/\.test\.ts$|operations\//.test(file));
  const texts = files.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /(['"`])((?:must|is required|is only|is not allowed|was not found|was already) (?:(?!\1).)*)\1/g,
    ),
  ]);
  return [...new Set(texts.map(([, , text = '']) => text.replaceAll(/\$\{[^}]*\}/g, '7').replaceAll('\\', '')))];
}

describe('messages of the server about fields', () => {
  const messages = readMessages();

  test('become texts without words of the API, in both languages', () => {
    assert.ok(messages.length > 150, `${messages.length} messages were found`);
    for (const message of messages) {
      const fault = explainFault(message);
      for (const { fault: texts } of catalogues) {
        const text = fault === null ? message : (texts[fault.key] ?? assert.fail(`no text for ${fault.key}`));
        assert.doesNotMatch(text.replaceAll(/\{\{\w+\}\}/g, ''), apiWords, message);
      }
    }
  });

  test('keep their numbers', () => {
    assert.deepEqual(explainFault('must not be longer than 100 characters'), { key: 'tooLong', values: { max: '100' } });
    assert.deepEqual(explainFault('must be a whole number from 1 to 90'), { key: 'range', values: { min: '1', max: '90' } });
  });

  test('of fields that people fill in are explained in their language', () => {
    const folders =
      /^server\/(partners|paying\/(payout-details|tax|invoices)|views|promotion|messaging\/webhooks\/postbacks|earning\/(refunds|order-changes|fraud)|accounts\/(identity|programs))\//;
    const unexplained = readMessages(folders).filter((message) => explainFault(message) === null && !forCallers.test(message));
    assert.deepEqual(unexplained, []);
  });

  test('about an amount never name a number of cents', () => {
    assert.deepEqual(explainFault('must be at least 1', 'amountCents'), { key: 'aboveZero', values: {} });
    assert.deepEqual(explainFault('must be at most 5000000', 'amountCents'), { key: 'amountRange', values: {} });
    assert.deepEqual(explainFault('must be a whole number from 1 to 90', 'minimumPayoutCents'), { key: 'amountRange', values: {} });
  });

  test('are shown unchanged when only callers of the API see them', () => {
    assert.equal(explainFault('must be a version like 2025-10'), null);
  });
});
