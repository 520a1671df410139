// What the program's servers sent lately, to find out why a request failed.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import { useSettled } from '../../ui/form/use-settled.ts';
import { Card, RowList } from '../../ui/layout/card.tsx';
import { Row } from '../../ui/layout/stack.tsx';
import { Segments } from '../../ui/layout/tabs.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import styles from './developers.module.css';
import { HttpStatus } from './HttpStatus.tsx';
import { type LoggedRequest, RequestSheet } from './RequestSheet.tsx';

const refreshMs = 5000;
const settleMs = 300;
const shown = 25;
const scopes = ['all', 'failed'] as const;

export function RequestLog() {
  const { t } = useTranslation('developers');
  const { id: programId } = useProgram();
  const [search, setSearch] = useState('');
  const [scope, setScope] = useState<(typeof scopes)[number]>('all');
  const [openId, setOpenId] = useState<string | null>(null);
  const requestId = useSettled(search.trim(), settleMs);
  const wanted = requestId === '' ? undefined : requestId;
  const query = { limit: shown, httpStatusMin: scope === 'failed' ? 400 : 100, requestId: wanted };
  const read = useRead('requests.list', { path: { programId }, query }, { refreshMs });
  const isFiltered = requestId !== '' || scope === 'failed';
  return (
    <Card title={t('log.title')} detail={t('log.detail')} isFlush>
      <div className={styles.padded}>
        <Row gap={12}>
          <TextInput
            type="search"
            label={t('log.search')}
            isLabelHidden
            placeholder={t('log.search')}
            value={search}
            onChange={setSearch}
            isMono
          />
          <Segments
            label={t('log.scope')}
            tabs={scopes.map((id) => ({ id, label: t(`log.scopes.${id}`) }))}
            value={scope}
            onChange={setScope}
          />
        </Row>
      </div>
      <Loaded
        read={read}
        what={t('log.what')}
        skeleton={
          <div className={styles.padded}>
            <SkeletonText lines={6} />
          </div>
        }
      >
        {({ requests }) =>
          requests.length === 0 ? (
            <EmptyState
              sample={isFiltered ? null : 'entries'}
              title={t(isFiltered ? 'log.noMatchTitle' : 'log.emptyTitle')}
              text={t(isFiltered ? 'log.noMatchText' : 'log.emptyText')}
            />
          ) : (
            <RowList>
              {requests.map((request) => (
                <RequestRow key={request.id} request={request} onOpen={() => setOpenId(request.id)} />
              ))}
            </RowList>
          )
        }
      </Loaded>
      <RequestSheet requestId={openId} onClose={() => setOpenId(null)} />
    </Card>
  );
}

function RequestRow({ request: { method, path, httpStatus, createdAt }, onOpen }: { request: LoggedRequest; onOpen: () => void }) {
  return (
    <li>
      <button type="button" className={styles.request} onClick={onOpen}>
        <HttpStatus value={httpStatus} />
        <code className={styles.type}>
          {method} {path}
        </code>
        <span className={styles.time}>
          <DateTime value={createdAt} />
        </span>
      </button>
    </li>
  );
}
