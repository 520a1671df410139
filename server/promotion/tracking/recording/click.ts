import type { Link } from '../links/find-links.ts';
import type { Action, ClickSettings } from '../settings.ts';

export type Click = {
  link: Link;
  settings: ClickSettings;
  /** The program's time zone, for the day on which the click counts. */
  timezone: string;
  /** By the system clock, for limits. */
  at: Date;
  /** By the program's clock. */
  recordedAt: Date;
  ip: string;
  agent: string;
  via: 'redirect' | 'api' | 'beacon';
  visitorId: string | null;
  country: string | null;
  referrerHost: string | null;
  /** The deep link; null for the program's website. */
  destination: string | null;
  subIds: readonly string[];
  adParameter: string | null;
  flag: { reason: string; action: Action } | null;
  /** `isOver`: the visitor was redirected in the meantime. Such a click is not written. */
  wait: { readonly isOver: boolean };
};

/** `reason`: why a click was rejected or flagged. */
export type Recorded = { recorded: boolean; clickId: string | null; reason: string | null };

/** A click to record. `address` is the hash of the visitor's network, in hex. `fingerprint`: if it may be a duplicate. */
export type ClickRow = { click: Click; id: string; address: string; flag: Click['flag']; fingerprint: string | null };
