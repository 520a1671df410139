import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { createVault } from './vault.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];
const vault = createVault([first]);

describe('an encrypted value', () => {
  test('can be decrypted for its owner and contains no plain text', () => {
    const encrypted = vault.encrypt('DE89370400440532013000', 'row:1');
    assert.equal(vault.decrypt(encrypted, 'row:1'), 'DE89370400440532013000');
    assert.ok(!encrypted.toString('latin1').includes('DE89'));
    assert.notDeepEqual(encrypted, vault.encrypt('DE89370400440532013000', 'row:1'));
  });

  test('cannot be decrypted for another owner, or with any byte changed', () => {
    const encrypted = vault.encrypt('x', 'row:1');
    assert.throws(() => vault.decrypt(encrypted, 'row:2'));
    for (let index = 0; index < encrypted.length; index += 1) {
      const changed = Buffer.from(encrypted);
      changed[index] = (changed[index] ?? 0) ^ 1;
      assert.throws(() => vault.decrypt(changed, 'row:1'), `byte ${index}`);
    }
  });

  test('remains readable after a new key is added, until the old key is removed', () => {
    const encrypted = vault.encrypt('x', 'row:1');
    const rotated = createVault([second, first]);
    assert.equal(rotated.decrypt(encrypted, 'row:1'), 'x');
    assert.deepEqual([rotated.isCurrent(encrypted), rotated.isCurrent(rotated.encrypt('x', 'row:1'))], [false, true]);
    assert.throws(() => createVault([second]).decrypt(encrypted, 'row:1'), /SECRET_KEYS/);
  });
});
