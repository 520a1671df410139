// Everything that a public page shows. The renderer is a pure function of it (render.ts).
import type { PageDetails } from '../landing-pages/content.ts';

export type TemplateName = 'clinical' | 'creator' | 'minimalist';

/** An image that a browser may load from the page: on this service with its variants, or on another site. */
export type Picture = { url: string; variants: { url: string; width: number }[] };

export type StorefrontProduct = {
  id: string;
  name: string;
  /** Why the affiliate recommends it, else its description. */
  text: string | null;
  picture: Picture | null;
  priceCents: number;
  compareAtPriceCents: number | null;
  availability: string;
  /** Counts the click and redirects to the store. */
  url: string;
};

export type Storefront = Pick<PageDetails, 'accent' | 'heroFocus' | 'links'> & {
  template: TemplateName;
  title: string;
  headline: string | null;
  bio: string | null;
  avatar: Picture | null;
  hero: Picture | null;
  offer: string | null;
  coupon: { code: string; discount: string | null } | null;
  affiliateName: string;
  program: { name: string; currency: string; logo: Picture | null; disclosure: string; disclaimer: string | null };
  products: StorefrontProduct[];
  /** Set if the affiliate may promote more products than the page shows. */
  moreUrl: string | null;
  /** The address of the page, and of the image that previews of links show. */
  url: string;
  shareImageUrl: string;
  /** Previews and pages that are not live are not indexed. */
  isPreview: boolean;
};

/** The images that the page shows. */
export function picturesOf({ avatar, hero, program, products }: Storefront): (Picture | null)[] {
  return [avatar, hero, program.logo, ...products.map(({ picture }) => picture)];
}
