// Chooses among the products that the affiliate may promote, with a search.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/controls/button.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { useEditor } from '../editor-context.ts';
import styles from './fields.module.css';
import { type Product, ProductImage } from './ProductImage.tsx';

const maxShown = 60;

export function ProductPicker({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('portal-page');
  const { page, content } = useEditor();
  const [search, setSearch] = useState('');
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = page.products.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={t('product.add')}
      detail={t('product.chosen', { count: content.featuredProductIds.length })}
      footer={
        <Button kind="primary" onClick={onClose}>
          {t('product.done')}
        </Button>
      }
    >
      <Stack gap={16}>
        <TextInput label={t('product.search')} type="search" value={search} onChange={setSearch} hasAutoFocus />
        {found.length === 0 ? <Text>{t('product.notFound')}</Text> : null}
        <ul className={styles.choicesList}>
          {found.slice(0, maxShown).map((product) => (
            <Choice key={product.id} product={product} />
          ))}
        </ul>
        {found.length > maxShown ? <Text size="small">{t('product.more', { count: found.length - maxShown })}</Text> : null}
      </Stack>
    </Sheet>
  );
}

function Choice({ product }: { product: Product }) {
  const { page, content, change } = useEditor();
  const ids = content.featuredProductIds;
  const isChosen = ids.includes(product.id);
  const toggle = () => change({ featuredProductIds: isChosen ? ids.filter((id) => id !== product.id) : [...ids, product.id] });
  return (
    <li>
      <label className={styles.choice}>
        <input type="checkbox" checked={isChosen} onChange={toggle} />
        <ProductImage product={product} />
        <span className={styles.productText}>
          <bdi className={styles.productName}>{product.name}</bdi>
          <span className={styles.help}>
            <Money cents={product.priceCents} currency={page.currency} />
          </span>
        </span>
      </label>
    </li>
  );
}
