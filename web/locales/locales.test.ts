// Both languages have the same texts, with the same values inserted.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { apiWords } from '../ui/form/faults.ts';

const folder = import.meta.dirname;
const languages = ['en', 'de'];
const namespaces = [...new Set(languages.flatMap((language) => globSync('*.json', { cwd: join(folder, language) })))].sort();

/** Settings of the installation, the column of an import, the format of a macro, and what other systems show. */
const formats = /\b(SMTP_URL\b|PUBLIC_URL\b|read_products|pdl_ntfset_)|\(JSON\)|\bISO 8601\b/g;

type Tree = { [key: string]: string | Tree };

/** Every text by its full key. Plural forms differ between languages, so `count_one` and `count_other` become `count_*`. */
function textsOf(language: string, namespace: string): Map<string, string> {
  const flatten = (tree: Tree, prefix: string): [string, string][] =>
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[`${prefix}${key}`, value]] : flatten(value, `${prefix}${key}.`),
    );
  return new Map(flatten(JSON.parse(readFileSync(join(folder, language, namespace), 'utf8')) as Tree, ''));
}

function keysOf(texts: Map<string, string>): string[] {
  return [...new Set([...texts.keys()].map((key) => key.replace(/_(zero|one|two|few|many|other)$/, '_*')))].sort();
}

function insertedInto(text: string): string[] {
  return [...text.matchAll(/\{\{\s*(?:- )?([\w.]+)[^}]*\}\}|<\/?(\w+)>/g)].map(([, value, tag]) => value ?? `<${tag}>`).sort();
}

describe('the texts', () => {
  for (const namespace of namespaces) {
    test(`${namespace} has the same keys in every language`, () => {
      const [english = [], ...others] = languages.map((language) => keysOf(textsOf(language, namespace)));
      assert.ok(english.length > 0);
      for (const other of others) assert.deepEqual(other, english);
    });

    test(`${namespace} inserts the same values in every language, and leaves no text empty`, () => {
      const english = textsOf('en', namespace);
      for (const language of languages) {
        for (const [key, text] of textsOf(language, namespace)) {
          assert.notEqual(text.trim(), '', `${language} ${key}`);
          const source = english.get(key);
          if (source !== undefined) assert.deepEqual(insertedInto(text), insertedInto(source), `${language} ${key}`);
        }
      }
    });
  }

  test('are found', () => assert.ok(namespaces.includes('shell.json')));

  test('contain no words of the API, but names of settings and formats that people set', () => {
    for (const language of languages) {
      for (const namespace of namespaces) {
        for (const [key, text] of textsOf(language, namespace)) {
          const words = text.replaceAll(/\{\{[^}]*\}\}|\$t\([^)]*\)|<\/?\w+>/g, '').replaceAll(formats, '');
          assert.doesNotMatch(words, apiWords, `${language} ${namespace} ${key}`);
          assert.doesNotMatch(words, /\b(integer|boolean|payload|enum)\b/i, `${language} ${namespace} ${key}`);
        }
      }
    }
  });

  test('have the minus sign before amounts, and no 12-hour times', () => {
    for (const language of languages) {
      for (const namespace of namespaces) {
        for (const [key, text] of textsOf(language, namespace)) {
          assert.doesNotMatch(text, /(^|[\s(])-(\{\{|[$€£]|\d)/, `${language} ${namespace} ${key}`);
          assert.doesNotMatch(text, /\d ?[ap]\.?m\b/i, `${language} ${namespace} ${key}`);
        }
      }
    }
  });

  test('address people informally in German', () => {
    const formal = /\b(Ihnen|Ihrem|Ihren)\b|[a-zäöüß,;] (Sie|Ihre?)\b|^Ihre? (Seite|eigene)/;
    for (const namespace of namespaces) {
      for (const [key, text] of textsOf('de', namespace)) assert.doesNotMatch(text, formal, `${namespace} ${key}`);
    }
  });

  test('use one German word for each thing', () => {
    // Said instead: Betrugshinweis, Anspruch, Sammelauszahlung, Fassung.
    const others = /Betrugswarnung|Reklamation|Auszahlungslauf|Auszahlungsläuf|^Version \{\{revision/;
    for (const namespace of namespaces) {
      for (const [key, text] of textsOf('de', namespace)) assert.doesNotMatch(text, others, `${namespace} ${key}`);
    }
  });

  test('call the fields of a page the same on both sides of the review', () => {
    for (const language of languages) {
      const [portal, review] = [textsOf(language, 'portal-page.json'), textsOf(language, 'review.json')];
      for (const field of ['bioText', 'promoBadgeText', 'headline', 'pageTitle']) {
        const labels = [portal, review].map((texts) => [...texts].find(([key]) => key.endsWith(`.${field}`))?.[1]);
        assert.equal(labels[0], labels[1], `${language} ${field}`);
      }
    }
  });
});
