// How ads mark the addresses of links and pages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { adParameters, findAdParameter } from './ad-parameters.ts';

test('the first parameter with a value is found, whatever else the query has', () => {
  assert.equal(findAdParameter({ sub1: 'news', gad_source: '1', gclid: 'x' }), 'gclid');
  assert.equal(findAdParameter({ msclkid: ['x', 'y'] }), 'msclkid');
  for (const query of [{}, { gclid: '' }, { utm_source: 'gclid' }]) assert.equal(findAdParameter(query), null);
});

test('the script of pages recognizes the same ones', () => {
  const script = readFileSync(new URL('pages/t.js', import.meta.url), 'utf8');
  const [, pattern = ''] = /adParameter: \/(.+)\/\.exec/.exec(script) ?? [];
  const find = (query: string) => new RegExp(pattern).exec(query)?.[1];
  // Google adds them only beside another one.
  const added = ['gad_source', 'gad_campaignid'];
  for (const name of adParameters.filter((one) => !added.includes(one))) assert.equal(find(`ref=ADA&${name}=x`), name);
  for (const query of ['ref=ADA', 'about_gclid=x', 'utm_term=gclid']) assert.equal(find(query), undefined);
});
