// Text is part of the product. Each banned word has a plain replacement; GLOSSARY.md lists one word per thing.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

type Ban = { pattern: RegExp; reason: string; except?: RegExp };

const banned: Ban[] = [
  {
    pattern: /\b(no|some|any|every)bod(y|ies)\b/i,
    reason: 'name the affiliate, caller, process, provider or request',
    except: /['"`]nobody['"`]/,
  },
  { pattern: /\bwho(so)?ever\b/i, reason: 'name the affiliate, caller, process or provider' },
  { pattern: /\banew\b/i, reason: 'write "again"' },
  { pattern: /\bfor ever\b/i, reason: 'write "permanently"' },
  { pattern: /\bthere is none\b/i, reason: 'write "none", or name what is missing' },
  {
    pattern: /\b(is|was|are|were|been) told\b|\btells? of\b|\btold (of|by|that)\b/i,
    reason: 'write "is notified", "reports" or "receives"',
  },
  { pattern: /\bspeaks? (for|of)\b/i, reason: 'write "refers to" or "supports"' },
  { pattern: /\bstands? for\b/i, reason: 'write "means" or "represents"' },
  { pattern: /\bpassed over\b/i, reason: 'write "skipped"' },
  { pattern: /\bled home\b/i, reason: 'write "redirected to the website"' },
  { pattern: /\bnames nothing\b/i, reason: 'write "was not found"' },
  { pattern: /\bwhat is left of\b/i, reason: 'write "the remaining …"' },
  { pattern: /\bby hand\b/i, reason: 'write "manually"' },
  { pattern: /\bin words\b/i, reason: 'write "described" or "explained"' },
  { pattern: /\bgoes? on\b/i, reason: 'write "continues"' },
  { pattern: /\bdoubt(s|ed|ful)?\b/i, reason: 'write "unknown outcome" or "suspicious"' },
  { pattern: /\bshadows?\b/i, reason: 'write "unattributed order"', except: /box-shadow/ },
  { pattern: /\bdebtors?\b/i, reason: 'write "payer" or "payee"', except: /debtor(Iban|Bic|Name)|<Dbtr|DebtorIban/ },
  { pattern: /\bhints?\b/i, reason: 'write "attribution signal"' },
  { pattern: /\bbooks?\b/i, reason: 'write "ledger" or "records"' },
  {
    pattern: /\brefusals?\b|\brefus(e|es|ed|ing)\b/i,
    reason: 'write "reject", "rejected" or "error"',
    except: /ECONNREFUSED|refused the connection|connection refused/i,
  },
  { pattern: /\bdoers?\b/i, reason: 'write "actor"' },
  { pattern: /\breseal(s|ed)?\b|\bunseal/i, reason: 'write "re-encrypt" or "decrypt"' },
  { pattern: /\bmeanwhile\b/i, reason: 'write "in the meantime", or name what runs at the same time' },
  { pattern: /\bfor good\b/i, reason: 'write "permanently"' },
  { pattern: /\ban own\b/i, reason: 'write "its own …" or "a separate …"' },
  { pattern: /\bby (itself|themselves)\b/i, reason: 'write "separately", "automatically" or "on its own"' },
  { pattern: /\bcan not\b/i, reason: 'write "can\'t" or "cannot"' },
  { pattern: /\bworked off\b|\bworks off\b/i, reason: 'write "processed"' },
  { pattern: /\bheld against\b|\bunder way\b/i, reason: 'write "compared with" or "pending"' },
  {
    pattern: /\b(effect|inaccessible|accessible again|fails?|appl(y|ies|ied)|changes?|visible) at once\b/i,
    reason: 'write "immediately", or "at the same time"',
  },
  {
    pattern: /\b(connection|transaction|statement|database|process|server|provider|folder|port|file|test|key) of (its|their|our) own\b/i,
    reason: 'write "its own …" or "a separate …"',
  },
  { pattern: /\b(host|key|keyboard|owner|affiliates?|members?|reads?) alone\b/i, reason: 'write "only the …"' },
  {
    pattern: /, also (a|after|as|at|by|for|if|in|of|on|the|those|what|when|where|while|with|without)\b/,
    reason: 'write "even", "including" or a separate sentence',
  },
  { pattern: /\b(is|are) no (address|amount|choice|conflict|edit|error|failure|name|number|search)s?\b/, reason: 'write "is not a …"' },
];

/** Files in which a word means something else, or is quoted. */
const quoting = ['GLOSSARY.md', 'test/language.test.ts', 'CHANGELOG.md', 'package-lock.json', 'LICENSE'];

const files = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.md', '*.sql', '*.json', '*.html', '*.js', '*.yaml', '*.tsx', '*.css'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && !quoting.includes(path))
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n') }));

describe('the language', () => {
  for (const { pattern, reason, except } of banned) {
    test(`never uses ${pattern.source}: ${reason}`, () => {
      const found = files.flatMap(({ path, lines }) =>
        lines.flatMap((line, index) =>
          pattern.test(line) && !except?.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 140)}`] : [],
        ),
      );
      assert.deepEqual(found, []);
    });
  }

  test('is read from all files', () => {
    assert.ok(files.length > 500, `${files.length} files`);
    assert.ok(banned[0]?.pattern.test('// Nobody is paid twice.'), 'a check that cannot fail checks nothing');
  });

  test('has Markdown lines of at most 120 characters', () => {
    const long = files
      .filter(({ path }) => path.endsWith('.md') && !path.endsWith('routes.md'))
      .flatMap(({ path, lines }) =>
        lines.flatMap((line, index) =>
          line.length > 120 && !line.startsWith('|') && !line.includes('](') ? [`${path}:${index + 1}`] : [],
        ),
      );
    assert.deepEqual(long, []);
  });
});
