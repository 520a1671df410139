// Looks at the website of the program: whether the tracking script is in its first page, and works there.
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Context } from '../../../context.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, timestampOut } from '../../../platform/http/declaration/fields.ts';
import { startDeadline } from '../../../platform/lib/concurrency/deadline.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { HttpFailure, type HttpResponse } from '../../../platform/lib/http.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { type FoundScript, type Inspection, inspectPage } from './inspect-page.ts';

const problemTexts = {
  unreachable: 'The website could not be reached: no HTTP response within 5 seconds.',
  failed: 'The website did not return a page.',
  missing: 'The script is not in the page.',
  added_later: 'The script is not in the page. A tag manager is, and may add it in the browser, which this check can’t see.',
  other_service: 'The script of another installation is in the page.',
  no_program: 'The script does not name a program.',
  other_program: 'The script names another program.',
  repeated: 'The script is in the page more than once, so visits may be recorded twice.',
  script_blocked: 'The Content-Security-Policy of the page blocks the script.',
  clicks_blocked:
    'The Content-Security-Policy of the page blocks requests of the script (connect-src), so referral codes are not recorded.',
} as const;
type Code = keyof typeof problemTexts;
const codes = Object.keys(problemTexts) as [Code, ...Code[]];

const WebsiteCheck = z
  .object({
    isInstalled: z.boolean().describe('Whether the script of this program is in the page and nothing was found that stops it.'),
    url: z.string().describe('The page, after redirects.'),
    httpStatus: countOut.nullable().describe('Null without a response.'),
    script: z.string().nullable().describe('The address of the script in the page.'),
    waitsForConsent: z.boolean().describe('Whether the script stores nothing before the visitor consents (`data-consent="denied"`).'),
    problems: z
      .array(z.object({ code: z.enum(codes), message: z.string() }))
      .describe('What keeps the script from working. Empty if nothing was found.'),
    checkedAt: timestampOut,
  })
  .meta({
    id: 'WebsiteCheck',
    example: {
      isInstalled: true,
      url: 'https://fernandfield.example/',
      httpStatus: 200,
      script: 'https://affiliates.example.com/t.js',
      waitsForConsent: true,
      problems: [],
      checkedAt: '2026-11-26T10:00:00.000Z',
    },
  });
type WebsiteCheck = z.input<typeof WebsiteCheck>;

const noWebsite = { status: 400, code: 'no_website', when: 'The program has no `websiteUrl`.' } as const;

export const checkWebsite = endpoint({
  id: 'website.check',
  route: 'POST /v1/programs/:programId/website/check',
  scope: 'write',
  requires: 'stores.write',
  tag: 'Clicks',
  summary: 'Check the tracking script on the website',
  description:
    'Requests the `websiteUrl` of the program once, following redirects, and looks for the tracking script in the page. Nothing is ' +
    'executed, so what a tag manager adds in the browser is not found.',
  statuses: [200],
  result: WebsiteCheck,
  errors: [noWebsite],
  async outside(ctx, { actor: { programId } }) {
    const { websiteUrl } = await getProgram(ctx, programId);
    if (websiteUrl === null) throw new InvalidState(noWebsite.code, 'Enter the website of the program first.');
    const { url, response } = await load(ctx, websiteUrl);
    const inspected = inspect(ctx, url, response);
    const problems = findProblems(inspected, response, programId);
    const [script] = inspected?.scripts.filter(({ isHere }) => isHere) ?? [];
    return {
      isInstalled: script !== undefined && problems.length === 0,
      url,
      httpStatus: response?.status ?? null,
      script: script?.src ?? null,
      waitsForConsent: script?.consent === 'denied',
      problems: problems.map((code) => ({ code, message: problemTexts[code] })),
      checkedAt: ctx.clock.now().toISOString(),
    } satisfies WebsiteCheck;
  },
});

const maxRedirects = 5;
/** The duration of every check without a response: otherwise it would distinguish a closed port from a silent one. */
const maxMs = 5000;
const maxPageBytes = 1024 * 1024;

/** The page at an address, after redirects. `response` is null if a server did not respond. */
async function load(ctx: Context, from: string): Promise<{ url: string; response: HttpResponse | null }> {
  const deadline = startDeadline(maxMs);
  let url = from;
  for (let redirects = 0; ; redirects += 1) {
    try {
      const headers = { accept: 'text/html' };
      const responseLimit = { bytes: maxPageBytes, ms: deadline.remainingMs() };
      const response = await ctx.http({ method: 'GET', url, headers, timeoutMs: deadline.remainingMs(), responseLimit });
      const { location } = response.headers;
      const next = location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : null;
      if (response.status < 300 || response.status >= 400 || next === null || redirects === maxRedirects) return { url, response };
      url = next;
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error;
      ctx.log.info({ err: error }, 'no response from the website of a program');
      await deadline.pass();
      return { url, response: null };
    }
  }
}

function inspect({ config }: Context, url: string, response: HttpResponse | null): Inspection | null {
  if (response === null || response.status < 200 || response.status >= 300) return null;
  if (!/\bhtml\b/i.test(response.headers['content-type'] ?? '')) return null;
  const policies = (response.headers['content-security-policy'] ?? '').split(',').filter((policy) => policy.trim() !== '');
  return inspectPage({ url, html: response.body, policies }, new URL(getPublicUrl(config)).origin);
}

/** Pure. The most important one first. */
export function findProblems(inspected: Inspection | null, response: HttpResponse | null, programId: string): Code[] {
  if (response === null) return ['unreachable'];
  if (inspected === null) return ['failed'];
  const { scripts, hasTagManager, blocks } = inspected;
  const here = scripts.filter(({ isHere }) => isHere);
  const [script] = here;
  if (script === undefined) return [scripts.length > 0 ? 'other_service' : hasTagManager ? 'added_later' : 'missing'];
  const named = nameProblem(script, programId);
  const repeated: Code[] = here.length > 1 ? ['repeated'] : [];
  const blocked = blocks.map((what): Code => (what === 'script' ? 'script_blocked' : 'clicks_blocked'));
  return [...(named === null ? [] : [named]), ...repeated, ...blocked];
}

function nameProblem({ programId: named }: FoundScript, programId: string): Code | null {
  if (named === null) return 'no_program';
  return named.toLowerCase() === programId ? null : 'other_program';
}
