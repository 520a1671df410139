import { z } from 'zod';
import type { Method, Rail, RailType } from './rail.ts';

const methods: readonly Method[] = ['paypal', 'bank', 'stripe', 'wise', 'external'];

/** A person pays, and says so with mark-paid. */
export const manual: RailType = {
  type: 'manual',
  config: z.strictObject({}),
  secrets: z.strictObject({}),
  methods,
  ...{ isAutomatic: false, keyWindowHours: null, concurrency: 1, capabilities: ['payouts'] },
  ...{ believesRefusalOfRepeat: true, bookLagHours: 1, listsByReference: true },
  open: () => byHand,
};

const byHand: Rail = {
  send: () => Promise.reject(new Error('Nothing is ever sent here: a person pays.')),
  lookUp: () => Promise.reject(new Error('There is nobody to ask here: a person pays.')),
  list: null,
  readEvent: null,
  test: async () => ({ works: true, message: 'There is nothing to connect to: a person pays.' }),
};
