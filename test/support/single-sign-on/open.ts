// The single sign-on of the first program's organization, with a provider on loopback and DNS records in memory.
import assert from 'node:assert/strict';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../harness.ts';
import { openVisitor, type VisitedPage, type Visitor } from '../visitor.ts';
import { type IdentityProvider, startIdentityProvider } from './provider.ts';

export type SingleSignOn = {
  service: TestService;
  provider: IdentityProvider;
  owner: TestMember;
  /** The TXT records by name. */
  records: Map<string, string[]>;
  /** A request about the settings of single sign-on. */
  change(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path?: string, body?: object): ReturnType<TestMember['request']>;
  /** Adds a domain of the organization, and verifies it. */
  proveDomain(domain: string, by?: { owner: TestMember; program: TestProgram }): Promise<void>;
  visit(): Visitor;
  /** Enters an address on the sign-in page, and signs in at the provider. The last page that the browser gets. */
  signIn(subject: string, email: string, browser?: Visitor): Promise<VisitedPage>;
  /** The address of the provider to which the browser is sent. */
  begin(browser: Visitor, email: string): Promise<string>;
  close(): Promise<void>;
};

export const callbackUrl = 'http://127.0.0.1:3000/sign-in/sso/callback';

/** Opens a service whose organization has set up its provider and proven `brand.example`. */
export async function openSingleSignOn(): Promise<SingleSignOn> {
  const service = await openTestService({ environment: { ALLOW_PRIVATE_ADDRESSES: '1' } });
  const provider = await startIdentityProvider(callbackUrl);
  const owner = await service.asMember('owner');
  const records = new Map<string, string[]>();
  service.ctx.findDnsRecords = async (name) => records.get(name) ?? [];
  const request = (by: TestMember, { programId }: TestProgram, method: string, path: string, body?: object) =>
    by.request(method, `/app/programs/${programId}/single-sign-on${path}`, { body, headers: { 'tributary-program': programId } });
  const visit = () => openVisitor(service.app);
  const begin = async (browser: Visitor, email: string) => {
    const page = await browser.post('/sign-in/sso', { email, next: '/console/x' });
    const [, url = ''] = /content="0;url=([^"]+)"/.exec(page.text) ?? assert.fail(page.text);
    return url.replaceAll('&amp;', '&');
  };
  const signOn: SingleSignOn = {
    service,
    provider,
    owner,
    records,
    visit,
    begin,
    change: (method, path = '', body) => request(owner, service.program, method, path, body),
    async proveDomain(domain, by = { owner, program: service.program }) {
      const added = await request(by.owner, by.program, 'POST', '/domains', { domain });
      const row = added.body.domains.find((each: { domain: string }) => each.domain === domain);
      records.set(row.recordName, [row.recordValue]);
      const verified = await request(by.owner, by.program, 'POST', `/domains/${domain}/verify`);
      assert.equal(verified.status, 200, verified.text);
    },
    async signIn(subject, email, browser = visit()) {
      const returned = await provider.signIn(await begin(browser, email), subject);
      return browser.get(returned.slice(callbackUrl.indexOf('/sign-in')));
    },
    async close() {
      await provider.close();
      await service.close();
    },
  };
  const { issuer, clientId, clientSecret } = provider;
  const set = await signOn.change('PATCH', '', { issuer, clientId, clientSecret, defaultRole: 'reviewer' });
  assert.equal(set.status, 200, set.text);
  await signOn.proveDomain('brand.example');
  return signOn;
}
