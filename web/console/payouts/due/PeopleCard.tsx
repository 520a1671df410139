// A card with affiliates and their amounts: the first five, and the others on request.
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Card, RowList } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import styles from '../payouts.module.css';
import { matchesName, searchedFrom } from './due-groups.ts';
import { NameSearch } from './NameSearch.tsx';

type Person = { id: string; name: string; href: string; amountCents: number; detail?: ReactNode };
type Props = { title: string; detail?: ReactNode; text: ReactNode; action?: ReactNode; currency: string; rows: readonly Person[] };

const shownAtFirst = searchedFrom;

export function PeopleCard({ title, detail, text, action, currency, rows }: Props) {
  const { t } = useTranslation('payouts');
  const { language } = useFigures();
  const [isOpen, setIsOpen] = useState(false);
  const [search, setSearch] = useState('');
  const matching = rows.filter(({ id, name }) => matchesName({ affiliate: { name }, affiliateId: id }, search));
  const shown = isOpen || search !== '' ? matching : matching.slice(0, shownAtFirst);
  return (
    <Card title={title} detail={detail} actions={action} isFlush>
      <p className={styles.why}>{text}</p>
      {rows.length > shownAtFirst ? (
        <div className={styles.find}>
          <NameSearch value={search} onChange={setSearch} />
        </div>
      ) : null}
      {shown.length === 0 && search !== '' ? <p className={styles.why}>{t('noName')}</p> : null}
      <RowList>
        {shown.map((row) => (
          <li key={row.id} className={styles.person}>
            <Link href={row.href} className={styles.name}>
              <bdi>{row.name}</bdi>
            </Link>
            <span className={styles.amount}>
              <Money cents={row.amountCents} currency={currency} />
            </span>
            {row.detail === undefined ? null : <span className={styles.detail}>{row.detail}</span>}
          </li>
        ))}
      </RowList>
      {rows.length <= shownAtFirst || search !== '' ? null : (
        <div className={styles.more}>
          <Button size="small" kind="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? t('showFewer') : t('showAll', { formatted: formatCount(rows.length, language) })}
          </Button>
        </div>
      )}
    </Card>
  );
}
