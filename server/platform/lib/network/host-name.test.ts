import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHostName } from './host-name.ts';

test('host names are parsed to the form that browsers compare; other text is null', () => {
  for (const [text, host] of [
    [' Shop.EXAMPLE ', 'shop.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost', 'localhost'],
    ...['', 'https://x.example', 'x.example:80', 'x.example/a', '*.x.example', '1.2.3.4', '0x7f.1', 'a@b.example', '[::1]'].map(
      (wrong) => [wrong, null] as const,
    ),
  ] as const)
    assert.equal(parseHostName(text), host, text);
});
