// Everything that was earned, by day, with its state and date. An earning opens its own history.
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { Day } from '../../ui/figures/date-time.tsx';
import { dayOf } from '../../ui/figures/days.ts';
import { Card } from '../../ui/layout/card.tsx';
import { useNavigate } from '../../ui/layout/link.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Tag } from '../../ui/marks/tag.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { type RawSearch, readCount, readOne, readText, stringifySearch } from '../../url/url-state.ts';
import { useAccount } from '../session/account.ts';
import { ClaimSheet } from './ClaimSheet.tsx';
import { Claims } from './Claims.tsx';
import { EarningRow } from './EarningRow.tsx';
import { EarningSheet } from './EarningSheet.tsx';
import styles from './earnings.module.css';
import { Filters, states } from './Filters.tsx';

const rowsPerPage = 50;

export function Screen() {
  const { t } = useTranslation('portal-earnings');
  const { programId, status, isEmbedded } = useAccount();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as RawSearch;
  const state = readOne(search, 'state', states);
  const subId = readText(search, 'subId');
  const offset = readCount(search, 'offset') ?? 0;
  const opened = readText(search, 'earning');
  const [isClaiming, setIsClaiming] = useState(false);
  const read = useRead('portal.earnings', { path: { programId }, query: { state, subId, offset, limit: rowsPerPage } });
  const toAddress = (change: object) => stringifySearch({ state, subId, offset: offset || undefined, ...change }) || '?';
  return (
    <Page
      title={t('title')}
      lede={t('lede')}
      width="reading"
      actions={
        status === 'active' && !isEmbedded ? (
          <Button icon="search" onClick={() => setIsClaiming(true)}>
            {t('claim.open')}
          </Button>
        ) : null
      }
    >
      <Filters value={state} onChange={(next) => navigate(toAddress({ state: next, offset: undefined }))} />
      {subId === undefined ? null : (
        <div>
          <Tag onRemove={() => navigate(toAddress({ subId: undefined, offset: undefined }))}>{t('subIds.filter', { value: subId })}</Tag>
        </div>
      )}
      <Loaded
        read={read}
        what={t('what')}
        skeleton={
          <Card>
            <SkeletonText lines={8} />
          </Card>
        }
      >
        {(data) => (
          <>
            <Days data={data} hasFilter={state !== undefined || subId !== undefined} hrefOf={(id) => toAddress({ earning: id })} />
            <Pager data={data} onOpen={(next) => navigate(toAddress({ offset: next || undefined }))} />
          </>
        )}
      </Loaded>
      {isEmbedded ? null : <Claims />}
      <EarningSheet
        id={opened}
        onClose={() => navigate(toAddress({}))}
        hrefOf={(value) => toAddress({ subId: value, state: undefined, offset: undefined })}
      />
      <ClaimSheet isOpen={isClaiming} onClose={() => setIsClaiming(false)} />
    </Page>
  );
}

type List = Result<'portal.earnings'>;

function Days({ data, hasFilter, hrefOf }: { data: List; hasFilter: boolean; hrefOf: (id: string) => string }) {
  const { t } = useTranslation('portal-earnings');
  const { timezone } = useFigures();
  if (data.earnings.length === 0) {
    return (
      <Card>
        <EmptyState
          sample={hasFilter ? null : 'orders'}
          title={t(hasFilter ? 'emptyFiltered' : 'emptyTitle')}
          text={t(hasFilter ? 'emptyFilteredText' : 'emptyText')}
        />
      </Card>
    );
  }
  const days = Map.groupBy(data.earnings, ({ earnedAt }) => dayOf(earnedAt, timezone));
  return (
    <Stack gap={12}>
      {[...days].map(([day, earnings]) => (
        <section key={day} aria-labelledby={`day-${day}`}>
          <Stack gap={8}>
            <h2 id={`day-${day}`} className={styles.day}>
              <Day value={day} />
            </h2>
            <Card isFlush>
              <ul className={styles.list}>
                {earnings.map((earning) => (
                  <EarningRow key={earning.id} earning={earning} href={hrefOf(earning.id)} />
                ))}
              </ul>
            </Card>
          </Stack>
        </section>
      ))}
    </Stack>
  );
}

function Pager({ data: { total, offset, limit }, onOpen }: { data: List; onOpen: (offset: number) => void }) {
  const { t } = useTranslation('portal-earnings');
  if (total <= limit) return null;
  return (
    <div className={styles.pager}>
      <Button icon="chevronLeft" disabled={offset === 0} onClick={() => onOpen(Math.max(0, offset - limit))}>
        {t('newer')}
      </Button>
      <Button iconAfter="chevronRight" disabled={offset + limit >= total} onClick={() => onOpen(offset + limit)}>
        {t('older')}
      </Button>
    </div>
  );
}
