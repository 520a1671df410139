import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { openWorkers } from './concurrency/workers.ts';
import { Invalid } from './errors.ts';
import { parseStrictJson, parseStrictJsonInTurn } from './json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

describe('strict JSON', () => {
  test('reads every JSON value exactly as JSON.parse does', () => {
    const acceptedValues = fc
      .jsonValue({ maxDepth: 6 })
      .filter((value) => !/\\u0000|\\ud|__proto__|constructor|prototype/i.test(JSON.stringify(value)));
    fc.assert(
      fc.property(acceptedValues, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        assert.deepEqual(parse(text), JSON.parse(text));
      }),
      { numRuns: 2000 },
    );
  });

  test('rejects a repeated key at any position, even in escaped form', () => {
    for (const text of ['{"a":1,"a":1}', '{"x":{"a":1,"b":2,"a":3}}', '[{"a":1,"\\u0061":2}]', '{"a:":1,"b":":","a:":2}']) {
      assert.throws(() => parse(text), Invalid, text);
    }
    assert.deepEqual(parse('{"a":{"a":":\\":"},"b":[{"a":1},{"a":2}]}'), { a: { a: ':":' }, b: [{ a: 1 }, { a: 2 }] });
  });

  test('gives the same values and errors for a large text, which another thread parses', async (t) => {
    const workers = openWorkers();
    t.after(() => workers.close());
    const large = { text: 'x'.repeat(2_000_000), list: [1, { a: null }] };
    assert.deepEqual(await parseStrictJsonInTurn(Buffer.from(JSON.stringify(large)), workers), large);
    for (const [broken, message] of [
      [`{"a":1,"a":"${large.text}"}`, 'must not repeat a key'],
      [`{"a":"${large.text}"`, 'must be valid JSON'],
    ] as const) {
      await assert.rejects(parseStrictJsonInTurn(Buffer.from(broken), workers), (error: Invalid) => {
        assert.ok(error instanceof Invalid);
        assert.deepEqual(error.details, [{ path: [], message }]);
        return true;
      });
    }
  });

  test('returns the path of text that cannot be stored', () => {
    for (const [text, path] of [
      ['{"a":["\\u0000"]}', ['a', '0']],
      ['{"b":{"c":"\\ud800"}}', ['b', 'c']],
      ['{"n":1e400}', ['n']],
    ] as const) {
      assert.throws(
        () => parse(text),
        (error) => error instanceof Invalid && assert.deepEqual(error.details?.[0]?.path, path) === undefined,
      );
    }
  });

  test('rejects keys that reach a prototype, deep nesting, invalid UTF-8 and a byte order mark', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    assert.doesNotThrow(() => parse(deep(32)));
    for (const text of ['{"__proto__":{}}', '{"a":{"constructor":1}}', deep(34), deep(30_000), '\ufeff{}', '', '{"a":1']) {
      assert.throws(() => parse(text), Invalid, text.slice(0, 30));
    }
    assert.throws(() => parseStrictJson(Buffer.from([0x22, 0xff, 0x22])), Invalid);
  });
});
