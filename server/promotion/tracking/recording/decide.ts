// Decides in memory about a click: rate limits per network (Contract §8), the affiliate's status, known duplicates. A click
// that is rejected costs no statement.
import type { KeyObject } from 'node:crypto';
import type { ClickSettings } from '../settings.ts';
import type { Click } from './click.ts';
import { hashNetwork, toNetworks } from './networks.ts';
import { type Decision, decideRepeat, type Repeats, toFingerprint } from './repeats.ts';
import type { Window, Windows } from './windows.ts';

/** An IPv6 site (/48) contains 65,536 networks, of one customer or of many customers of a carrier. */
const wideFactor = 10;

export function hasLimits({ clicksPerIpPerMinute, clicksPerIpPerHour }: ClickSettings): boolean {
  return clicksPerIpPerMinute + clicksPerIpPerHour > 0;
}

/** `counted`: the windows in which the click counts. */
export function decide(
  memory: { windows: Windows; repeats: Repeats },
  { click, id, salt }: { click: Click; id: string; salt: KeyObject },
): Decision & { counted: Window[] } {
  const { link, settings, at } = click;
  const networks = toNetworks(click.ip);
  const address = hashNetwork(salt, link.programId, networks.narrow);
  const counted = hasLimits(settings) ? listWindows(click, address) : [];
  if (networks.wide !== null && counted.length > 0)
    counted.push(...listWindows(click, hashNetwork(salt, link.programId, networks.wide), wideFactor));
  if (!memory.windows.admit(counted, at)) return { ...rejectedBy('rate_limited'), counted };
  if (!click.isActive) return { ...rejectedBy('affiliate_not_active'), counted };
  const fingerprint = settings.dedupeSeconds > 0 ? toFingerprint(address, click) : null;
  const firstId = fingerprint === null ? null : memory.repeats.find(fingerprint, at);
  const row = { click, id, address, flag: click.flag, fingerprint: firstId === null ? fingerprint : null };
  return { ...decideRepeat(row, firstId), counted };
}

function listWindows({ link: { programId }, settings }: Click, hash: string, factor = 1): Window[] {
  return [
    { programId, hash, seconds: 60, limit: settings.clicksPerIpPerMinute * factor },
    { programId, hash, seconds: 3600, limit: settings.clicksPerIpPerHour * factor },
  ];
}

function rejectedBy(reason: string): Decision {
  return { outcome: { recorded: false, clickId: null, reason }, row: null };
}
