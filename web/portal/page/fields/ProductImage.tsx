import { Icon } from '../../../ui/icons.tsx';
import type { PortalPage } from '../draft-state.ts';
import { small } from './Design.tsx';
import styles from './fields.module.css';

export type Product = PortalPage['products'][number];

/** The picture of a product, or a mark in its place. */
export function ProductImage({ product: { imageUrl } }: { product: Product }) {
  return (
    <span className={styles.productImage} aria-hidden>
      {imageUrl === null ? <Icon name="products" size={22} /> : <img src={small(imageUrl)} alt="" loading="lazy" />}
    </span>
  );
}
