// One visit, from the name of a link to what became of it: found, judged, recorded, led on. The redirect and
// the API say the same of it.
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../context.ts';
import { Unavailable } from '../../platform/lib/errors.ts';
import { explainUnstorable } from '../../platform/lib/text.ts';
import { botCheck } from './agents.ts';
import { deepLink, marked } from './destination.ts';
import { judge } from './fraud.ts';
import { type Link, type LinkName, type Links, linkKeeper } from './links.ts';
import { isAddress, rangeCheck } from './recording/addresses.ts';
import { type Click, clickRecorder, type Recorded, unavailable } from './recording/record.ts';
import { type Refusals, refusalCounter } from './recording/refusals.ts';
import { type Progress, untilStuck } from './recording/within.ts';

export type Visit = {
  name: LinkName;
  via: Click['via'];
  ip: string;
  headers: IncomingHttpHeaders;
  /** The other end of the connection: a trusted proxy, or the client itself. */
  peer: string;
  /** HEAD: a program looks whether the link is good. */
  isHead: boolean;
  /** The page that the visitor came from. */
  referrer: string | undefined;
  url: unknown;
  subIds: readonly unknown[];
  visitorId: string | null;
};

export type Outcome = Recorded & { link: Link; redirectUrl: string; expiresAt: Date | null };

export type Tracking = {
  /** Null for a link that leads nowhere. Throws Unavailable while links can't be looked up. */
  visit(visit: Visit): Promise<Outcome | null>;
  refusals: Refusals;
};

/** What servers send that set no agent: nothing, or Node's own name. */
const serverAgents = new Set(['', 'node']);

/** By the settings of the process: the Context of a program's request is another one, with the program's share of the connections. */
const opened = new WeakMap<Context['config'], Tracking>();

/** What tracking keeps in this process: one queue and one set of caches for redirects and API alike. */
export function trackingOf(ctx: Context): Tracking {
  const known = opened.get(ctx.config) ?? openTracking(ctx);
  opened.set(ctx.config, known);
  return known;
}

function openTracking(ctx: Context): Tracking {
  const links = linkKeeper(ctx);
  const recording: Progress = { movedAt: 0 };
  const record = clickRecorder(ctx, recording);
  const refusals = refusalCounter(ctx);
  const isBot = botCheck();
  const isTrustedProxy = rangeCheck(ctx.config.trustedProxies);
  const home = `${ctx.config.publicUrl ?? ''}/`;

  const steps = {
    async follow(visit: Visit, wait: Wait): Promise<Outcome | null> {
      const link = await links.find(visit.name);
      if (!link) return null;
      wait.on = links.progress.terms;
      const { settings, destinations, isBlockedAddress, windowDays, timezone } = await links.terms(link.programId);
      if (wait.isOver) throw new Unavailable('The visitor has been redirected.');
      const { headers, peer, via, visitorId } = visit;
      // A proxy may forward text that is no address; it must not count as a visitor of its own.
      const ip = isAddress(visit.ip) ? visit.ip : peer;
      wait.on = recording;
      const agent = headers['user-agent'] ?? '';
      const referrerHost = hostOf(visit.referrer);
      const country = isTrustedProxy(peer) ? countryOf(headers) : null;
      const deep = deepLink(visit.url, destinations);
      const at = ctx.clock.now();
      const { action, reason } = judge(settings, {
        // A shop's server that reports a click has no agent of its own to speak of; one that it passes on is judged.
        isBot: isBot(agent) && !(via === 'api' && serverAgents.has(agent)),
        isPrefetch: visit.isHead || isPrefetch(headers),
        isEmbedded: visit.via === 'redirect' && isEmbedded(headers),
        isBlockedAddress: isBlockedAddress(ip),
        referrerHost,
        country,
      });
      const subIds = visit.subIds.map(toSubId);
      while (subIds.at(-1) === '') subIds.pop();
      const facts = { link, settings, at, ip, agent, via, visitorId, country, referrerHost, destination: deep, subIds };
      const outcome: Recorded =
        action === 'ignore'
          ? { recorded: false, clickId: null, reason }
          : await record({ ...facts, isOver: () => wait.isOver, flag: action === 'count' ? null : { reason, action } });
      if (!outcome.recorded) refusals.note({ programId: link.programId, timezone }, at, outcome.reason ?? '');
      return {
        ...outcome,
        link,
        redirectUrl: targetOf(deep ?? destinations.home, link, outcome.clickId) ?? home,
        expiresAt: outcome.recorded ? new Date(at.getTime() + windowDays * 86_400_000) : null,
      };
    },
  };
  return { refusals, visit: withinDeadline(steps.follow, links, home) };
}

/** A visitor waits this long for a database that hangs. Then what is known of the link leads on, and the click isn't recorded. */
const deadlineMs = 500;

/** What a visit waits for at present, and whether it has been given up. */
type Wait = { on: Progress; isOver: boolean };
type Follow = (visit: Visit, wait: Wait) => Promise<Outcome | null>;

function withinDeadline(follow: Follow, links: Links, home: string): Tracking['visit'] {
  return async (visit) => {
    const wait: Wait = { on: links.progress.links, isOver: false };
    const { stuck, stop } = untilStuck(deadlineMs, () => wait.on);
    const followed = Promise.race([follow(visit, wait), stuck]).finally(stop);
    return followed.catch((error: unknown) => {
      wait.isOver = true;
      const known = links.lastKnown(visit.name);
      if (!known) throw new Unavailable(error);
      const { link, terms } = known;
      const target = targetOf(deepLink(visit.url, terms.destinations) ?? terms.destinations.home, link, null);
      return { ...unavailable, link, redirectUrl: target ?? home, expiresAt: null };
    });
  };
}

function targetOf(address: string | null, { referralCode }: Link, clickId: string | null): string | null {
  return address === null ? null : marked(address, { clickId, referralCode });
}

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const { purpose, 'sec-purpose': secPurpose, 'x-purpose': xPurpose, 'x-moz': xMoz } = headers;
  if (purpose === undefined && secPurpose === undefined && xPurpose === undefined && xMoz === undefined) return false;
  return /prefetch|prerender|preview/i.test(`${purpose} ${secPurpose} ${xPurpose} ${xMoz}`);
}

/** Browsers say what a request is for; whoever doesn't say it isn't suspected. */
function isEmbedded(headers: IncomingHttpHeaders): boolean {
  const destination = headers['sec-fetch-dest'];
  return destination !== undefined && destination !== 'document';
}

function countryOf(headers: IncomingHttpHeaders): string | null {
  const country = headers['cf-ipcountry'];
  return typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : null;
}

function hostOf(referrer: string | undefined): string | null {
  if (referrer === undefined) return null;
  const url = URL.parse(referrer);
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.hostname.slice(0, 253) : null;
}

/** What can't be stored is left out: a visitor must not pay for a link that was written oddly. */
function toSubId(value: unknown): string {
  return typeof value === 'string' && explainUnstorable(value) === null ? value.slice(0, 100).toWellFormed() : '';
}
