// Texts are loaded with their screen, in the language that the page has in the end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import i18next from 'i18next';
import { changeLanguage, loadScreenTexts, startTexts, type TextSources } from './load.ts';

const titleOf = (namespace: string) => i18next.getResource(i18next.language, namespace, 'title');
const load = (key: string, text: string) => async () => ({ texts: { [key]: { title: text } } });

test('screens that are opened while the language changes have their texts in the new one', async () => {
  let continueLoading = () => {};
  const slow = new Promise<void>((resolve) => {
    continueLoading = resolve;
  });
  const sources: TextSources = {
    shell: {
      en: load('shell', 'Shell'),
      de: async () => {
        await slow;
        return load('shell', 'Rahmen')();
      },
    },
    screens: {
      en: { home: load('home', 'Home'), links: load('links', 'Links') },
      de: { home: load('home', 'Start'), links: load('links', 'Verweise') },
    },
  };
  Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } });
  await startTexts('en', sources);
  const home = loadScreenTexts('home');
  const change = changeLanguage('de');
  await home;
  assert.equal(titleOf('home'), 'Home');
  const links = loadScreenTexts('links');
  continueLoading();
  await Promise.all([change, links]);
  assert.deepEqual(['home', 'links'].map(titleOf), ['Start', 'Verweise']);
});
