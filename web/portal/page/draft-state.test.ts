// What the editor saves, keeps on the device and shows.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Content, changesOf, contains, keepCopy, move, readCopy, stageOf } from './draft-state.ts';
import { findRestricted } from './phrases.ts';

const base: Content = {
  slug: 'ada',
  templateId: 'minimalist',
  accent: 'lagoon',
  pageTitle: 'Ada',
  headline: '',
  bioText: '',
  avatarUrl: null,
  heroImageUrl: null,
  heroFocus: 'center',
  promoBadgeText: '',
  promotionMode: 'all',
  featuredProductIds: ['a', 'b'],
  productNotes: { a: 'x', b: 'y' },
  links: [],
};

function memory(): Storage {
  const items = new Map<string, string>();
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
    removeItem: (name: string) => void items.delete(name),
  };
  // The draft uses these three methods.
  return storage as unknown as Storage;
}

describe('the draft in the editor', () => {
  test('saves the fields that differ, and no others', () => {
    assert.deepEqual(changesOf(base, base), {});
    const changed = { ...base, headline: 'New', productNotes: { b: 'y', a: 'x' }, featuredProductIds: ['b', 'a'] };
    assert.deepEqual(changesOf(base, changed), { headline: 'New', featuredProductIds: ['b', 'a'] });
  });

  test('does not save spaces that the server trims, over and over', () => {
    assert.deepEqual(changesOf(base, { ...base, pageTitle: 'Ada ', bioText: '\n' }), {});
  });

  test('knows its own words when the answer to saving them was lost', () => {
    assert.ok(contains({ ...base, headline: 'Mine' }, { headline: 'Mine ' }));
    assert.ok(!contains({ ...base, headline: 'Theirs' }, { headline: 'Mine' }));
  });

  test('keeps unsaved words on the device, for the version that they change', () => {
    const storage = memory();
    keepCopy(storage, 'p', { version: 3, changes: { headline: 'Unsaved' } });
    assert.deepEqual(readCopy(storage, 'p', 3), { headline: 'Unsaved' });
    assert.deepEqual(readCopy(storage, 'p', 4), {});
    assert.deepEqual(readCopy(storage, 'q', 3), {});
    keepCopy(storage, 'p', { version: 4, changes: {} });
    assert.deepEqual(readCopy(storage, 'p', 3), {});
    assert.deepEqual(readCopy(null, 'p', 3), {});
  });

  test('moves products up and down, and stops at both ends', () => {
    assert.deepEqual(move(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b']);
    assert.deepEqual(move(['a', 'b', 'c'], 0, 1), ['b', 'a', 'c']);
    assert.deepEqual(move(['a', 'b'], 0, -1), ['a', 'b']);
    assert.deepEqual(move(['a', 'b'], 1, 2), ['a', 'b']);
  });

  test('knows the stage of the page', () => {
    const page = { slug: 'ada', url: '', submittedAt: '', isLive: false, isPublished: true, reviewStatus: 'draft', changes: null } as const;
    assert.equal(stageOf(null), 'new');
    assert.equal(stageOf(page), 'in_review');
    assert.equal(stageOf({ ...page, isPublished: false }), 'offline');
    assert.equal(stageOf({ ...page, reviewStatus: 'changes_requested' }), 'changes_requested');
    assert.equal(stageOf({ ...page, reviewStatus: 'approved', isLive: true }), 'live');
    assert.equal(stageOf({ ...page, reviewStatus: 'approved', isPublished: false }), 'offline');
  });

  test('finds restricted phrases as whole words', () => {
    const phrases = ['cure', 'clinically  proven', '100%', ''];
    assert.deepEqual(findRestricted('It is Clinically\nproven to CURE.', phrases), ['cure', 'clinically  proven']);
    assert.deepEqual(findRestricted('secure and cured', phrases), []);
    assert.deepEqual(findRestricted('works 100% of the time', phrases), ['100%']);
  });
});
