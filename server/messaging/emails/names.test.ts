// Names in right-to-left scripts don't reorder the sentences of emails: in subjects, text and HTML they are isolated.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { locales } from './look/look.ts';
import { renderSample, sampleIds } from './previews/samples.ts';

const name = 'نور خليل';
const isolated = /\u2068[^\u2068\u2069]*\u2069|<bdi>[^<]*<\/bdi>|dir="auto"[^>]*>[^<]*<|alt="[^"]*"/g;
const rightToLeft = /[\u0590-\u08ff]/;

describe('a name in a right-to-left script', () => {
  for (const id of sampleIds) {
    test(`is isolated in the email ${id}`, () => {
      for (const locale of locales) {
        const look = { of: 'program', name, websiteUrl: null, logoUrl: null, color: null, postalAddress: null } as const;
        const words = { firstName: name, member: name, message: 'Hi', reason: 'No', note: 'Hi', passkey: name };
        const email = renderSample(id, {
          frame: { look, locale },
          sender: { name, websiteUrl: null },
          origin: 'https://links.example',
          words,
        });
        // A line with nothing but the name has nothing that it could reorder.
        const text = email.text
          .split('\n')
          .filter((line) => line !== name)
          .join('\n');
        for (const [form, content] of Object.entries({ subject: email.subject, text, html: email.html })) {
          const rest = content.replace(isolated, '');
          assert.doesNotMatch(
            rest,
            rightToLeft,
            `${form}: ${rest.slice(Math.max(0, rest.search(rightToLeft) - 60), rest.search(rightToLeft) + 40)}`,
          );
        }
      }
    });
  }
});
