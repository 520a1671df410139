import { z } from 'zod';
import type { Method, Rail, RailType } from './rail.ts';

const methods: readonly Method[] = ['paypal', 'bank', 'stripe', 'wise', 'external'];

/** Paid manually and confirmed with mark-paid. */
export const manual: RailType = {
  type: 'manual',
  config: z.strictObject({}),
  secrets: z.strictObject({}),
  methods,
  convertedCurrencies: null,
  isAutomatic: false,
  keyWindowHours: null,
  isRepeatedRejectionFinal: true,
  listDelayHours: 1,
  listsByReference: true,
  concurrency: 1,
  capabilities: ['payouts'],
  open: () => manualRail,
};

const manualRail: Rail = {
  send: () => Promise.reject(new Error('Manual payouts are not sent.')),
  lookUp: () => Promise.reject(new Error('Manual payouts cannot be looked up.')),
  list: null,
  readEvent: null,
  test: async () => ({ works: true, message: 'Manual payouts need no connection.' }),
};
