import { generic } from './generic.ts';
import { lemonSqueezy } from './lemon-squeezy.ts';
import { paddle } from './paddle.ts';
import { shopify } from './shopify.ts';
import type { StoreType } from './store.ts';
import { stripe } from './stripe.ts';
import { woocommerce } from './woocommerce.ts';

/** Every type of store. */
export const storeTypes: readonly StoreType[] = [stripe, shopify, woocommerce, paddle, lemonSqueezy, generic];
