// What the sheet of a product shows: its details, who may promote it, and which commission rule applies.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Facts } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { CopyButton } from '../../ui/marks/copy-button.tsx';
import { Status } from '../../ui/marks/status.tsx';
import { Promoters } from './Promoters.tsx';
import type { Product } from './product-values.ts';
import styles from './products.module.css';

const marks = { active: ['approved', 'check'], draft: ['pending', 'clock'], archived: ['neutral', 'archive'] } as const;

export function ProductFacts({ product }: { product: Product }) {
  const { t } = useTranslation('products');
  const { priceCents, compareAtPriceCents, currency, status, availability, category, brand, sku, externalId } = product;
  const [tone, icon] = marks[status];
  const rows = [
    {
      label: t('column.status'),
      value: (
        <Status tone={tone} icon={icon}>
          {t(`tabs.${status}`)}
        </Status>
      ),
    },
    { label: t('column.availability'), value: t(`availability.${availability}`) },
    { label: t('column.price'), value: <Money cents={priceCents} currency={currency} /> },
    { label: t('field.compareAt'), value: compareAtPriceCents === null ? '–' : <Money cents={compareAtPriceCents} currency={currency} /> },
    { label: t('column.category'), value: category ?? '–' },
    { label: t('field.brand'), value: brand ?? '–' },
    { label: t('field.sku'), value: sku === null ? '–' : <CopyButton value={sku} isMono /> },
    { label: t('field.externalId'), value: externalId === null ? '–' : <CopyButton value={externalId} isMono /> },
    { label: t('column.updated'), value: <DateTime value={product.updatedAt} /> },
  ];
  return (
    <>
      <Facts rows={rows} columns={2} />
      <WhoAndRule product={product} />
      {product.description === null ? null : (
        <section aria-label={t('field.description')}>
          <h3 className={styles.title}>{t('field.description')}</h3>
          <p className={styles.description} dir="auto">
            {product.description}
          </p>
        </section>
      )}
      <section aria-label={t('field.checkoutUrl')}>
        <h3 className={styles.title}>{t('field.checkoutUrl')}</h3>
        <CopyButton value={product.checkoutUrl} isMono />
      </section>
    </>
  );
}

function WhoAndRule({ product: { id, allowedGroupIds } }: { product: Product }) {
  const { t, i18n } = useTranslation('products');
  const { id: programId, href } = useProgram();
  const path = { programId };
  const groups = useRead('groups.list', { path, query: { limit: 200, sort: 'name' } }, { enabled: allowedGroupIds.length > 0 });
  const rule = useRead('commissionRules.resolve', { path, query: { productId: id } });
  const names = groups.data?.groups.filter((group) => allowedGroupIds.includes(group.id)).map(({ name }) => name) ?? [];
  const who = allowedGroupIds.length === 0 ? t('everyone') : new Intl.ListFormat(i18n.language).format(names);
  const winner = rule.data?.winner;
  return (
    <Stack gap={12}>
      <div className={styles.preview}>
        <h3 className={styles.title}>{t('who')}</h3>
        <bdi>{who || '\u00a0'}</bdi>
        <div className={styles.detail}>
          <Promoters groupIds={allowedGroupIds} />
        </div>
      </div>
      <div className={styles.preview}>
        <h3 className={styles.title}>{t('rule')}</h3>
        {rule.data === undefined ? '\u00a0' : winner ? <bdi>{winner.name}</bdi> : t('noRule')}
        <div className={styles.detail}>
          {t('ruleHelp')} <Link href={href('rules')}>{t('openRules')}</Link>
        </div>
      </div>
    </Stack>
  );
}
