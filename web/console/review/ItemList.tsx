import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Kbd } from '../../ui/marks/kbd.tsx';
import { type Item, nameOf } from './kind-of.ts';
import { ReviewFact } from './ReviewFact.tsx';
import styles from './review.module.css';

type Props = { items: readonly Item[]; openId: string | undefined; onOpen: (item: Item) => void; loadMore: (() => void) | null };

/** The queue, oldest first: who or what, its type, how long it has waited, and the first risk. */
export function ItemList({ items, openId, onOpen, loadMore }: Props) {
  const { t } = useTranslation('review');
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const current = openId === undefined ? null : list.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest' });
  }, [openId]);
  return (
    <div className={styles.listFrame}>
      <ol className={styles.list} ref={list}>
        {items.map((item) => (
          <li key={`${item.kind}:${item.id}`}>
            <button type="button" className={styles.item} aria-current={item.id === openId || undefined} onClick={() => onOpen(item)}>
              <bdi className={styles.itemName}>{nameOf(item)}</bdi>
              <span className={styles.itemAge}>
                <DateTime value={item.since} />
              </span>
              <span className={styles.itemFact} data-risk={item.risks.length > 0 || undefined}>
                <ReviewFact item={item} />
              </span>
            </button>
          </li>
        ))}
        {loadMore === null ? null : (
          <li className={styles.more}>
            <Button size="small" onClick={loadMore}>
              {t('more')}
            </Button>
          </li>
        )}
      </ol>
      <p className={styles.keys} aria-hidden>
        <Kbd keys="j" /> <Kbd keys="k" /> {t('keys')}
      </p>
    </div>
  );
}
