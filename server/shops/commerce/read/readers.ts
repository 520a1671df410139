import type { Reader } from '../act.ts';
import { generic } from './generic.ts';
import { shopify } from './shopify.ts';
import { stripe } from './stripe.ts';
import { woocommerce } from './woocommerce.ts';

/** How each type of shop speaks. */
export const readers: Record<string, Reader> = { stripe, shopify, woocommerce, generic };
