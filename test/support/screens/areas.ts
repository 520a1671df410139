// The files in test/browser/screens/ share the screens of the console between them, so that they run side by side.

export const areas = ['program', 'money', 'payouts', 'settings'] as const;
export type Area = (typeof areas)[number];

/** The area of a screen, by its path. */
export function areaOf(path: string): Area {
  if (/^\/?settings\b/.test(path)) return 'settings';
  if (/^\/?payouts\b/.test(path)) return 'payouts';
  return /^\/?(conversions|commissions|rules)\b/.test(path) ? 'money' : 'program';
}
