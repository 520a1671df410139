// Decides in memory about a click: its network and the limits that apply to it (Contract §8), the affiliate's status, known
// duplicates.
import type { ClickSettings } from '../settings.ts';
import type { Click } from './click.ts';
import type { Inactive } from './inactive.ts';
import { hashNetwork, toNetworks } from './networks.ts';
import { type Decision, decideRepeat, type Repeats, rejectedBy, toFingerprint } from './repeats.ts';
import type { Window } from './windows.ts';

/** An IPv6 site (/48) contains 65,536 networks, of one customer or of many customers of a carrier. */
const wideFactor = 10;

export function hasLimits({ clicksPerIpPerMinute, clicksPerIpPerHour }: ClickSettings): boolean {
  return clicksPerIpPerMinute + clicksPerIpPerHour > 0;
}

/** A click by the hash of its network, and the windows in which it counts. */
export type Identified = { click: Click; address: string; windows: Window[] };

export function identify(click: Click, salt: string): Identified {
  const networks = toNetworks(click.ip);
  const address = hashNetwork(salt, click.link.programId, networks.narrow);
  if (!hasLimits(click.settings)) return { click, address, windows: [] };
  const windows = listWindows(click, address);
  if (networks.wide === null) return { click, address, windows };
  const site = hashNetwork(salt, click.link.programId, networks.wide);
  return { click, address, windows: [...windows, ...listWindows(click, site, wideFactor)] };
}

/** What a process remembers about clicks, so that it can reject further ones without a statement. */
export type Memory = { repeats: Repeats; inactive: Inactive };

/** The decision about a click, with the counts that this process knows. */
export function decide({ repeats, inactive }: Memory, { click, address }: Identified, id: string): Decision {
  if (inactive.has(click)) return rejectedBy('affiliate_not_active');
  const fingerprint = click.settings.dedupeSeconds > 0 ? toFingerprint(address, click) : null;
  const firstId = fingerprint === null ? null : repeats.find(fingerprint, click.at);
  const row = { click, id, address, flag: click.flag, fingerprint: firstId === null ? fingerprint : null };
  return decideRepeat(row, firstId);
}

function listWindows({ link: { programId }, settings }: Click, hash: string, factor = 1): Window[] {
  return [
    { programId, hash, seconds: 60, limit: settings.clicksPerIpPerMinute * factor },
    { programId, hash, seconds: 3600, limit: settings.clicksPerIpPerHour * factor },
  ];
}
