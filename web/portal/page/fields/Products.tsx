// The products of the page: which ones, in which order, and why the affiliate likes them.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import { announce } from '../../../ui/overlay/announcements.ts';
import { move } from '../draft-state.ts';
import { useEditor } from '../editor-context.ts';
import { ChangeNote, FieldHelp } from './FieldHelp.tsx';
import styles from './fields.module.css';
import { type Product, ProductImage } from './ProductImage.tsx';
import { ProductPicker } from './ProductPicker.tsx';

const maxNote = 160;

export function ProductsSection() {
  const { t } = useTranslation('portal-page');
  const { page, content, change } = useEditor();
  const [isPicking, setIsPicking] = useState(false);
  const byId = new Map(page.products.map((product) => [product.id, product]));
  const chosen = content.featuredProductIds.flatMap((id) => byId.get(id) ?? []);
  return (
    <Card title={t('product.title')}>
      <Stack gap={16}>
        <Segments
          label={t('product.mode')}
          value={content.promotionMode}
          onChange={(promotionMode) => change({ promotionMode })}
          tabs={[
            { id: 'all', label: t('product.all') },
            { id: 'featured_only', label: t('product.featured_only') },
          ]}
        />
        <Text size="small">{t(`product.${content.promotionMode}Text`)}</Text>
        <ChangeNote name="featuredProductIds" />
        <ChangeNote name="productNotes" />
        {chosen.length === 0 ? null : (
          <ol className={styles.products}>
            {chosen.map((product, index) => (
              <ChosenProduct key={product.id} product={product} index={index} count={chosen.length} />
            ))}
          </ol>
        )}
        {page.products.length === 0 ? (
          <Text>{t('product.none')}</Text>
        ) : (
          <div>
            <Button icon="plus" onClick={() => setIsPicking(true)}>
              {t('product.add')}
            </Button>
          </div>
        )}
      </Stack>
      <ProductPicker isOpen={isPicking} onClose={() => setIsPicking(false)} />
    </Card>
  );
}

type ChosenProps = { product: Product; index: number; count: number };

function ChosenProduct({ product, index, count }: ChosenProps) {
  const { t } = useTranslation('portal-page');
  const { page, content, change } = useEditor();
  const { name } = product;
  const { [product.id]: note = '', ...otherNotes } = content.productNotes;
  const shift = (by: number) => {
    const ids = content.featuredProductIds;
    const from = ids.indexOf(product.id);
    change({ featuredProductIds: move(ids, from, from + by) });
    announce(t('product.moved', { name, place: index + by + 1, count }));
  };
  const remove = () =>
    change({ featuredProductIds: content.featuredProductIds.filter((id) => id !== product.id), productNotes: otherNotes });
  return (
    <li className={styles.product}>
      <div className={styles.productHead}>
        <ProductImage product={product} />
        <div className={styles.productText}>
          <bdi className={styles.productName}>{name}</bdi>
          <span className={styles.help}>
            <Money cents={product.priceCents} currency={page.currency} />
          </span>
        </div>
        <div className={styles.productButtons}>
          <IconButton icon="arrowUp" label={t('product.up', { name })} disabled={index === 0} onClick={() => shift(-1)} />
          <IconButton icon="arrowDown" label={t('product.down', { name })} disabled={index === count - 1} onClick={() => shift(1)} />
          <IconButton icon="trash" label={t('product.remove', { name })} onClick={remove} />
        </div>
      </div>
      <TextInput
        label={t('product.note')}
        value={note}
        maxLength={maxNote}
        placeholder={t('product.notePlaceholder')}
        onChange={(text) => change({ productNotes: { ...otherNotes, [product.id]: text } })}
        help={<FieldHelp text={note} maxLength={maxNote} />}
      />
    </li>
  );
}
