import { z } from 'zod';
import { manual } from './manual.ts';
import type { RailType } from './rail.ts';

/** Paid manually, from an exported file. The settings identify the payer in file formats that require it. */
export const csv: RailType = {
  ...manual,
  type: 'csv',
  config: z.strictObject({
    payerName: z.string().min(1, 'must not be empty').max(70, 'must not be longer than 70 characters').optional(),
    payerIban: z
      .string()
      .regex(/^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/, 'must be an IBAN without spaces')
      .optional(),
    payerBic: z
      .string()
      .regex(/^[A-Z0-9]{8}([A-Z0-9]{3})?$/, 'must be a BIC of 8 or 11 characters')
      .optional(),
  }),
  capabilities: ['payouts', 'export'],
};
