import { z } from 'zod';
import { centsOut, currencyOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { Availability } from './product.ts';

/** A product in a feed. */
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
    currency: currencyOut,
    checkoutUrl: z.string().describe("Includes the affiliate's referral code if `affiliateId` was sent."),
    availability: Availability,
  })
  .meta({
    id: 'FeedProduct',
    example: {
      id: '01980a4e-9c11-7d20-8b42-5e6f7a8b9c0d',
      externalId: 'tea-1',
      sku: 'TEA-SLEEP-20',
      name: 'Sleep tea',
      description: 'Valerian, lemon balm and lavender; 20 bags.',
      category: 'Teas',
      brand: 'Fern & Field',
      imageUrl: 'https://shop.example/images/sleep-tea.jpg',
      priceCents: 1490,
      compareAtPriceCents: null,
      currency: 'USD',
      checkoutUrl: 'https://shop.example/cart/sleep-tea?ref=K7QM3XWP',
      availability: 'in_stock',
    },
  });
export type FeedProduct = z.infer<typeof FeedProduct>;
