// The affiliate's postbacks: URLs of the affiliate's tracker that are called for each earning.
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Notice } from '../../ui/states/problem.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';
import { LogSheet } from './LogSheet.tsx';
import { PostbackItem } from './PostbackItem.tsx';
import type { Postback } from './postback.ts';
import styles from './postbacks.module.css';

// Lists of options are large, and most visits change no postback.
const EditSheet = lazy(async () => ({ default: (await import('./EditSheet.tsx')).EditSheet }));

type Opened = { kind: 'edit'; postback: Postback | null } | { kind: 'log'; postback: Postback } | null;

export function Screen() {
  const { t } = useTranslation('portal-postbacks');
  const { programId } = useAccount();
  const read = useRead('portal.postbacks', { path: { programId } }, { refreshMs: 30_000 });
  return (
    <Page title={t('title')} lede={t('lede')} width="reading">
      <Loaded
        read={read}
        what={t('what')}
        skeleton={
          <Card>
            <SkeletonText lines={6} />
          </Card>
        }
      >
        {(list) => <Content list={list} />}
      </Loaded>
    </Page>
  );
}

function Content({ list }: { list: Result<'portal.postbacks'> }) {
  const { t } = useTranslation('portal-postbacks');
  const { programName } = useAccount();
  const [opened, setOpened] = useState<Opened>(null);
  const { postbacks, isAllowed, maxPostbacks } = list;
  const canAdd = isAllowed && postbacks.length < maxPostbacks;
  const add = canAdd ? (
    <Button icon="plus" onClick={() => setOpened({ kind: 'edit', postback: null })}>
      {t('add')}
    </Button>
  ) : null;
  const close = () => setOpened(null);
  return (
    <>
      {isAllowed ? null : (
        <Notice icon="pause" tone="held" title={t('off.title')}>
          {t('off.text', { program: programName })}
        </Notice>
      )}
      {postbacks.length === 0 ? (
        <Card>
          <EmptyState title={t('empty.title')} text={t('empty.text')} actions={add} sample="entries" />
        </Card>
      ) : (
        <Card title={t('list.title')} detail={t('list.count', { count: postbacks.length, max: maxPostbacks })} actions={add} isFlush>
          <ul className={styles.list}>
            {postbacks.map((postback) => (
              <PostbackItem
                key={postback.id}
                postback={postback}
                isAllowed={isAllowed}
                onEdit={() => setOpened({ kind: 'edit', postback })}
                onLog={() => setOpened({ kind: 'log', postback })}
              />
            ))}
          </ul>
        </Card>
      )}
      {opened?.kind === 'edit' ? (
        <Suspense fallback={null}>
          <EditSheet key={opened.postback?.id} postback={opened.postback} macros={list.macros} events={list.eventTypes} onClose={close} />
        </Suspense>
      ) : null}
      <LogSheet postback={opened?.kind === 'log' ? opened.postback : null} onClose={close} />
    </>
  );
}
