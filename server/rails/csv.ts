import { manual } from './manual.ts';
import type { RailType } from './rail.ts';

/** A person pays, from an exported file. */
export const csv: RailType = { ...manual, type: 'csv', capabilities: ['payouts', 'export'] };
