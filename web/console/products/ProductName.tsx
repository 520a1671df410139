import { useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import styles from './products.module.css';

/** A product by its picture and name. A picture that can't be loaded is replaced by the sign of products. */
export function ProductName({ product: { name, imageUrl } }: { product: { name: string; imageUrl: string | null } }) {
  return (
    <span className={styles.named}>
      <ProductPicture key={imageUrl} imageUrl={imageUrl} />
      <bdi className={styles.name}>{name}</bdi>
    </span>
  );
}

function ProductPicture({ imageUrl }: { imageUrl: string | null }) {
  const [isBroken, setIsBroken] = useState(false);
  return (
    <span className={styles.picture}>
      {imageUrl === null || isBroken ? (
        <Icon name="products" size={16} />
      ) : (
        <img src={imageUrl} alt="" loading="lazy" referrerPolicy="no-referrer" onError={() => setIsBroken(true)} />
      )}
    </span>
  );
}
