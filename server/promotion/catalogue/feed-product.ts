import { z } from 'zod';
import { centsOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { Availability } from './product.ts';

/** A product as feeds list it. */
export const FeedProduct = z
  .object({
    id: uuidOut,
    externalId: z.string().nullable(),
    sku: z.string().nullable(),
    name: z.string(),
    description: z.string().nullable(),
    category: z.string().nullable(),
    brand: z.string().nullable(),
    imageUrl: z.string().nullable(),
    priceCents: centsOut,
    compareAtPriceCents: centsOut.nullable(),
    currency: z.string(),
    checkoutUrl: z.string().describe("Carries the affiliate's referral where one is named."),
    availability: Availability,
  })
  .meta({ id: 'FeedProduct' });
export type FeedProduct = z.infer<typeof FeedProduct>;
