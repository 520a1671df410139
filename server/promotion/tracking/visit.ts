// One visit of a link: found, assessed, recorded and redirected. The redirect and the API share it.
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../context.ts';
import { withTimeout } from '../../platform/lib/concurrency/timeout.ts';
import { Unavailable } from '../../platform/lib/errors.ts';
import { createRangeCheck, parseIpAddress } from '../../platform/lib/network/ip-address.ts';
import { explainUnstorable } from '../../platform/lib/text.ts';
import { createBotCheck } from './agents.ts';
import { assessClick } from './assess-click.ts';
import { addClickParameters, parseDeepLink } from './destination.ts';
import type { Link, LinkName } from './links/find-links.ts';
import { createLinkCache, type KnownLink, type ProgramTerms } from './links/links.ts';
import { unavailablePath } from './pages/link-unavailable.ts';
import type { Click, Recorded } from './recording/click.ts';
import { type Progress, unlessStuck } from './recording/deadline.ts';
import { createClickRecorder, unavailable } from './recording/record.ts';
import { createRejectedClickCounter, type RejectedClickCounter } from './recording/rejected-clicks.ts';

export type Visit = {
  name: LinkName;
  via: Click['via'];
  ip: string;
  headers: IncomingHttpHeaders;
  /** The other end of the connection: a trusted proxy, or the client itself. */
  peer: string;
  /** A HEAD request, with which a program checks the link. */
  isHead: boolean;
  /** The visitor's address and user agent, as a trusted server reported them. */
  reported?: { ipAddress?: string | undefined; userAgent?: string | undefined };
  /** The page that the visitor came from. */
  referrer: string | undefined;
  url: unknown;
  subIds: readonly unknown[];
  /** The name of the parameter with which an ad marked the link; not those of `url`. */
  adParameter: string | null;
  visitorId: string | null;
};

export type Outcome = Recorded & { link: Link; redirectUrl: string; expiresAt: Date | null };

export type Tracking = {
  /**
   * Null for an unknown link. Without a promise when nothing must be read or written, as for a click that is rejected.
   * Throws Unavailable while links can't be looked up.
   */
  visit(visit: Visit): Outcome | null | Promise<Outcome | null>;
  /** The website of a program by its id or slug; null if the program has none, or the database doesn't respond. */
  findWebsite(program: string): Promise<string | null>;
  rejected: RejectedClickCounter;
  /** Writes what this process has counted, before it ends. Never rejects. */
  flush(): Promise<void>;
};

/** The user agents of servers that don't set one: none, or the default of Node. */
const serverAgents = new Set(['', 'node']);

/** By the settings of the process: a program's request has its own Context, with the program's share of connections. */
const instances = new WeakMap<Context['config'], Tracking>();

/** The tracking of this process: one queue and one set of caches, shared by redirects and the API. */
export function getTracking(ctx: Context): Tracking {
  const tracking = instances.get(ctx.config) ?? createTracking(ctx);
  instances.set(ctx.config, tracking);
  return tracking;
}

function createTracking(ctx: Context): Tracking {
  const links = createLinkCache(ctx);
  const recording: Progress = { movedAt: 0 };
  const { record, flush } = createClickRecorder(ctx, recording);
  const rejected = createRejectedClickCounter(ctx);
  const checks: Checks = { isBot: createBotCheck(), isTrustedProxy: createRangeCheck(ctx.config.trustedProxies) };
  const fallbackUrl = `${ctx.config.publicUrl ?? ''}${unavailablePath}`;

  const follow = (visit: Visit, known: KnownLink | null, wait: Wait): Outcome | null | Promise<Outcome> => {
    if (!known || known.terms.isDeleting) return null;
    if (wait.isOver) throw new Unavailable('The visitor has been redirected.');
    wait.on = recording;
    const { link, terms } = known;
    const at = ctx.clock.now();
    const recordedAt = new Date(at.getTime() + terms.aheadMs);
    const client = readClient(visit, checks.isTrustedProxy);
    const referrerHost = parseReferrerHost(visit.referrer);
    const destination = parseDeepLink(visit.url, terms.destinations);
    const { action, reason } = assess(visit, client, { terms, referrerHost, isBot: checks.isBot });
    const answer = (outcome: Recorded): Outcome => {
      if (!outcome.recorded) rejected.add({ programId: link.programId, timezone: terms.timezone }, recordedAt, outcome.reason ?? '');
      const url = toRedirectUrl(destination ?? terms.destinations.website, link, outcome.clickId);
      const expiresAt = outcome.recorded ? new Date(recordedAt.getTime() + terms.windowDays * 86_400_000) : null;
      return { ...outcome, link, redirectUrl: url ?? fallbackUrl, expiresAt };
    };
    if (action === 'ignore') return answer({ recorded: false, clickId: null, reason });
    const flag = action === 'count' ? null : { reason, action };
    const { via, visitorId, adParameter } = visit;
    const { settings, timezone } = terms;
    const sender = { ip: client.ip, agent: client.agent, country: client.country };
    const subIds = toSubIds(visit.subIds);
    const source = { via, visitorId, referrerHost, destination, subIds, adParameter };
    const outcome = record({ link, settings, timezone, at, recordedAt, ...sender, ...source, flag, wait });
    return outcome instanceof Promise ? outcome.then(answer) : answer(outcome);
  };

  const visit: Tracking['visit'] = (visit) => {
    const wait: Wait = { on: links.progress.links, isOver: false };
    const known = links.find(visit.name, () => {
      wait.on = links.progress.terms;
    });
    const followed = known instanceof Promise ? known.then((found) => follow(visit, found, wait)) : follow(visit, known, wait);
    if (!(followed instanceof Promise)) return followed;
    return unlessStuck<Outcome | null>(followed, deadlineMs, () => wait.on).catch((error: unknown) => {
      wait.isOver = true;
      return followUnrecorded(visit, links.getLast(visit.name), fallbackUrl, error);
    });
  };
  return {
    rejected,
    visit,
    findWebsite: (program) => withTimeout(deadlineMs, links.findWebsite(program)).catch(() => null),
    flush: async () => void (await Promise.all([rejected.idle(), flush()])),
  };
}

/** How long a visitor waits for an unresponsive database. Then cached data is used, and the click isn't recorded. */
const deadlineMs = 500;

/** What a visit is waiting for, and whether it was given up. */
type Wait = { on: Progress; isOver: boolean };

function followUnrecorded(visit: Visit, last: KnownLink | null, fallbackUrl: string, error: unknown): Outcome {
  if (!last || last.terms.isDeleting) throw new Unavailable(error);
  const { link, terms } = last;
  const target = toRedirectUrl(parseDeepLink(visit.url, terms.destinations) ?? terms.destinations.website, link, null);
  return { ...unavailable, link, redirectUrl: target ?? fallbackUrl, expiresAt: null };
}

type Checks = { isBot: (agent: string) => boolean; isTrustedProxy: (address: string) => boolean };

type Client = { ip: string; agent: string; country: string | null };
type Facts = { terms: ProgramTerms; referrerHost: string | null; isBot: Checks['isBot'] };

/** Whether the visit counts. */
function assess({ via, headers, isHead, reported }: Visit, { ip, agent, country }: Client, { terms, referrerHost, isBot }: Facts) {
  return assessClick(terms.settings, {
    // The server that reports a click may send no user agent.
    isBot: isBot(agent) && !(via === 'api' && reported?.userAgent === undefined && serverAgents.has(agent)),
    isPrefetch: isHead || isPrefetch(headers),
    isEmbedded: via === 'redirect' && isEmbedded(headers),
    isBlockedAddress: terms.isBlockedAddress(ip),
    referrerHost,
    country,
  });
}

function readClient({ headers, peer, ip, reported = {} }: Visit, isTrustedProxy: Checks['isTrustedProxy']): Client {
  const country = parseCountry(headers);
  return {
    // A proxy can forward text that is not an address; it must not count as another visitor.
    ip: reported.ipAddress ?? (parseIpAddress(ip) === null ? peer : ip),
    agent: reported.userAgent ?? headers['user-agent'] ?? '',
    country: country !== null && reported.ipAddress === undefined && isTrustedProxy(peer) ? country : null,
  };
}

function toRedirectUrl(url: string | null, { referralCode }: Link, clickId: string | null): string | null {
  return url === null ? null : addClickParameters(url, { clickId, referralCode });
}

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const { purpose, 'sec-purpose': secPurpose, 'x-purpose': xPurpose, 'x-moz': xMoz } = headers;
  if (purpose === undefined && secPurpose === undefined && xPurpose === undefined && xMoz === undefined) return false;
  return /prefetch|prerender|preview/i.test(`${purpose} ${secPurpose} ${xPurpose} ${xMoz}`);
}

/** Browsers send the purpose of a request; a request without one is not suspicious. */
function isEmbedded(headers: IncomingHttpHeaders): boolean {
  const destination = headers['sec-fetch-dest'];
  return destination !== undefined && destination !== 'document';
}

function parseCountry(headers: IncomingHttpHeaders): string | null {
  const country = headers['cf-ipcountry'];
  return typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : null;
}

function parseReferrerHost(referrer: string | undefined): string | null {
  if (referrer === undefined) return null;
  const url = URL.parse(referrer);
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.hostname.slice(0, 253) : null;
}

/** Text that can't be stored is omitted, because a malformed link must still redirect its visitor. */
function toSubIds(values: readonly unknown[]): string[] {
  const subIds = values.map((value) =>
    typeof value === 'string' && explainUnstorable(value) === null ? value.slice(0, 100).toWellFormed() : '',
  );
  return subIds.slice(0, subIds.findLastIndex((text) => text !== '') + 1);
}
