import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Decision, decideSignIn, type Known } from './decide.ts';
import { type Claims, toClaims } from './provider.ts';

const claims: Claims = { subject: 's1', email: 'Ada@Brand.example', isEmailVerified: true, name: 'Ada' };
const ada = { id: 'ada', emailKey: 'ada@brand.example', isActive: true };
const unknown: Known = { domains: ['brand.example'], linked: null, withEmail: null, isWithEmailLinked: false };
const rejected = (rejection: string) => ({ kind: 'rejected', rejection });
const link = (userId: string | null) => ({ kind: 'link', userId, email: 'Ada@Brand.example', emailKey: 'ada@brand.example' });

const cases: [name: string, claims: Partial<Claims>, known: Partial<Known>, decision: Decision | object][] = [
  ['a new person becomes a user', {}, {}, link(null)],
  ['a user with the address is linked, in the case in which it is stored', {}, { withEmail: ada }, link('ada')],
  ['a linked user signs in', {}, { linked: ada, withEmail: ada }, { kind: 'linked', userId: 'ada' }],
  ['a linked user signs in with a new address', { email: 'ada.l@brand.example' }, { linked: ada }, { kind: 'linked', userId: 'ada' }],
  [
    'a linked user signs in with an address that another user has, as themselves',
    { email: 'leo@brand.example' },
    { linked: ada, withEmail: { ...ada, id: 'leo' } },
    { kind: 'linked', userId: 'ada' },
  ],
  ['an address that is not verified is rejected', { isEmailVerified: false }, { withEmail: ada }, rejected('email_unverified')],
  [
    'a linked user with an address that is not verified is rejected',
    { isEmailVerified: false },
    { linked: ada },
    rejected('email_unverified'),
  ],
  ['a person without an address is rejected', { email: null }, {}, rejected('email_unverified')],
  ['something else than an address is rejected', { email: 'ada@brand.example@evil.example.' }, {}, rejected('email_unverified')],
  ['an address of another domain is rejected', { email: 'ada@other.example' }, {}, rejected('domain_unverified')],
  ['an address of a subdomain is rejected', { email: 'ada@mail.brand.example' }, {}, rejected('domain_unverified')],
  ['an address of a domain that contains the name is rejected', { email: 'ada@evilbrand.example' }, {}, rejected('domain_unverified')],
  ['without verified domains, a person is rejected', {}, { domains: [] }, rejected('domain_unverified')],
  [
    'a linked user whose domain was removed is rejected',
    {},
    { linked: { ...ada, emailKey: 'ada@former.example' } },
    rejected('domain_unverified'),
  ],
  [
    'another person with the address of a linked user is rejected',
    {},
    { withEmail: ada, isWithEmailLinked: true },
    rejected('account_replaced'),
  ],
  ['a disabled user is rejected', {}, { withEmail: { ...ada, isActive: false } }, rejected('disabled')],
  ['a disabled linked user is rejected', {}, { linked: { ...ada, isActive: false } }, rejected('disabled')],
];

describe('a sign-in through a provider', () => {
  for (const [name, given, known, decision] of cases)
    test(name, () => assert.deepEqual(decideSignIn({ ...claims, ...given }, { ...unknown, ...known }), decision));
});

describe('an address is verified', () => {
  for (const [says, isEmailVerified] of [
    [{ email_verified: true }, true],
    [{ email_verified: 'true' }, true],
    [{ xms_edov: true }, true],
    [{ xms_edov: '1' }, true],
    [{ email_verified: false, xms_edov: true }, false],
    [{ xms_edov: false }, false],
    [{}, false],
  ] as const)
    test(`${isEmailVerified}: the provider says ${JSON.stringify(says)}`, () =>
      assert.equal(toClaims('s1', { email: 'ada@brand.example', ...says }).isEmailVerified, isEmailVerified));
});
