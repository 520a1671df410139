// Always visible: where the page is, whether the draft is saved, and what the program asked to change.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { Row } from '../../ui/layout/stack.tsx';
import { Status, type Tone } from '../../ui/marks/status.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { Notice } from '../../ui/states/problem.tsx';
import { useAccount } from '../session/account.ts';
import { type PageStage, type PortalPage, stageOf } from './draft-state.ts';
import { useEditor } from './editor-context.ts';
import styles from './page.module.css';
import type { DraftEditor } from './use-draft.ts';

const marks: Record<PageStage, { tone: Tone; icon: IconName }> = {
  new: { tone: 'neutral', icon: 'edit' },
  in_review: { tone: 'pending', icon: 'clock' },
  changes_requested: { tone: 'held', icon: 'note' },
  live: { tone: 'approved', icon: 'check' },
  offline: { tone: 'neutral', icon: 'pause' },
};

type Props = { draft: DraftEditor; onReset: (page: PortalPage) => void };

export function StatusLine({ draft, onReset }: Props) {
  const { t } = useTranslation('portal-page');
  const { page } = useEditor();
  const stage = stageOf(page.page);
  return (
    <>
      <div className={styles.status}>
        <div className={styles.statusMain}>
          <Status {...marks[stage]}>
            {t(`stage.${stage}`)}
            {stage === 'in_review' && page.page ? (
              <>
                {' '}
                <DateTime value={page.page.submittedAt} as="exact" />
              </>
            ) : null}
          </Status>
          <span className={styles.saveState} role="status" data-state={draft.state}>
            <SaveText draft={draft} />
          </span>
        </div>
        <StatusActions draft={draft} onReset={onReset} />
      </div>
      <RequestedChanges />
      <Outdated draft={draft} />
      {draft.state === 'rejected' ? (
        <Notice icon="warning" tone="error" title={t('save.rejected')}>
          {t('save.rejectedText')}
        </Notice>
      ) : null}
    </>
  );
}

function SaveText({ draft }: { draft: DraftEditor }) {
  const { t } = useTranslation('portal-page');
  if (draft.state === 'waiting' || draft.state === 'saving') return t('save.saving');
  if (draft.state === 'offline') return t('save.offline');
  if (draft.state === 'outdated' || draft.state === 'rejected') return t('save.stopped');
  if (draft.savedAt === null) return t('save.nothing');
  return (
    <>
      {t('save.savedAt')} <DateTime value={draft.savedAt} as="time" />
    </>
  );
}

function StatusActions({ draft, onReset }: Props) {
  const { t } = useTranslation('portal-page');
  const { programId, page } = useEditor();
  const [isAsking, setIsAsking] = useState(false);
  const discard = async () => {
    setIsAsking(false);
    await call('portalPage.discard', { path: { programId } });
    onReset(await call('portalPage.get', { path: { programId } }));
  };
  return (
    <Row gap={8}>
      {page.page?.isLive ? (
        <a href={page.page.url} target="_blank" rel="noreferrer">
          {t('open')}
        </a>
      ) : null}
      {draft.savedAt !== null && page.page !== null ? (
        <Button size="small" kind="quiet" icon="undo" onClick={() => setIsAsking(true)}>
          {t('discard.open')}
        </Button>
      ) : null}
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('discard.title')}
        text={t('discard.text')}
        action={t('discard.open')}
        onConfirm={() => void discard()}
      />
    </Row>
  );
}

function RequestedChanges() {
  const { t } = useTranslation('portal-page');
  const { programName: program } = useAccount();
  const { page } = useEditor();
  const changes = page.page?.changes;
  if (!changes) return null;
  return (
    <Notice icon="note" tone="held" title={t('changes.title', { program })}>
      {changes.note === null ? null : <blockquote className={styles.note}>{changes.note}</blockquote>}
      {t('changes.text')}
    </Notice>
  );
}

function Outdated({ draft }: { draft: DraftEditor }) {
  const { t } = useTranslation('portal-page');
  if (draft.state !== 'outdated') return null;
  return (
    <Notice icon="warning" tone="held" title={t('outdated.title')}>
      <p>{t('outdated.text')}</p>
      <div className={styles.noticeButtons}>
        <Button size="small" icon="refresh" onClick={() => void draft.resolve('load')}>
          {t('outdated.load')}
        </Button>
        <Button size="small" onClick={() => void draft.resolve('keep')}>
          {t('outdated.keep')}
        </Button>
      </div>
    </Notice>
  );
}
