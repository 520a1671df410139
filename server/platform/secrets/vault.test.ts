import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { vaultOf } from './vault.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];
const vault = vaultOf([first]);

describe('a sealed value', () => {
  test('opens for its owner and holds nothing readable', () => {
    const sealed = vault.seal('DE89370400440532013000', 'row:1');
    assert.equal(vault.open(sealed, 'row:1'), 'DE89370400440532013000');
    assert.ok(!sealed.toString('latin1').includes('DE89'));
    assert.notDeepEqual(sealed, vault.seal('DE89370400440532013000', 'row:1'));
  });

  test('opens for nobody else, and not with any byte changed', () => {
    const sealed = vault.seal('x', 'row:1');
    assert.throws(() => vault.open(sealed, 'row:2'));
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      assert.throws(() => vault.open(changed, 'row:1'), `byte ${index}`);
    }
  });

  test('outlives a new key as long as the old one is kept', () => {
    const sealed = vault.seal('x', 'row:1');
    const rotated = vaultOf([second, first]);
    assert.equal(rotated.open(sealed, 'row:1'), 'x');
    assert.deepEqual([rotated.isCurrent(sealed), rotated.isCurrent(rotated.seal('x', 'row:1'))], [false, true]);
    assert.throws(() => vaultOf([second]).open(sealed, 'row:1'), /SECRET_KEYS/);
  });
});
