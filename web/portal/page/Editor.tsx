// The editor: on phones a form with a preview that slides in, on wide screens the form next to the page as it will look.
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readKey } from '../../api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { useMedia } from '../../ui/layout/use-media.ts';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { useAccount } from '../session/account.ts';
import { type Changes, type PortalPage, stageOf } from './draft-state.ts';
import { EditorContext, useEditor } from './editor-context.ts';
import { AddressSection } from './fields/Address.tsx';
import { DesignSection } from './fields/Design.tsx';
import { LinksSection } from './fields/Links.tsx';
import { PhotosSection } from './fields/Photos.tsx';
import { ProductsSection } from './fields/Products.tsx';
import { TextSection } from './fields/Texts.tsx';
import { Preview } from './Preview.tsx';
import styles from './page.module.css';
import { StatusLine } from './StatusLine.tsx';
import { SubmitDialog } from './SubmitDialog.tsx';
import { useDraft } from './use-draft.ts';
import { useSubmit } from './use-submit.ts';

export function Editor({ page: loaded }: { page: PortalPage }) {
  const { programId } = useAccount();
  const [page, setPage] = useState(loaded);
  const draft = useDraft(programId, loaded);
  const client = useQueryClient();
  const adopt = (next: PortalPage) => {
    setPage(next);
    draft.adopt(next);
    client.setQueryData(readKey('portalPage.get', { path: { programId } }), next);
  };
  const submit = useSubmit({ programId, draft, onSubmitted: adopt });
  const { content } = draft;
  const { clearErrors, errors } = submit;
  const { change: changeDraft } = draft;
  const parts = useMemo(() => {
    const change = (changes: Changes) => {
      changeDraft(changes);
      clearErrors(Object.keys(changes));
    };
    return { programId, page, content, change, errors };
  }, [programId, page, content, changeDraft, clearErrors, errors]);
  return (
    <EditorContext value={parts}>
      <Frame draft={draft} submit={submit} onReset={adopt} />
    </EditorContext>
  );
}

type FrameProps = { draft: ReturnType<typeof useDraft>; submit: ReturnType<typeof useSubmit>; onReset: (page: PortalPage) => void };

function Frame({ draft, submit, onReset }: FrameProps) {
  const { t } = useTranslation('portal-page');
  const isWide = useMedia('(min-width: 1040px)');
  const [isPreviewing, setIsPreviewing] = useState(false);
  return (
    <div className={styles.editor} data-wide={isWide || undefined}>
      <div className={styles.form}>
        <Stack gap={16}>
          <StatusLine draft={draft} onReset={onReset} />
          <DesignSection />
          <PhotosSection />
          <TextSection />
          <ProductsSection />
          <LinksSection />
          <AddressSection />
        </Stack>
        <SubmitBar
          submit={submit}
          hasChanges={draft.savedAt !== null || draft.state !== 'saved'}
          onPreview={isWide ? undefined : () => setIsPreviewing(true)}
        />
      </div>
      {isWide ? (
        <aside className={styles.aside} aria-label={t('preview.title')}>
          <Preview draft={draft} />
        </aside>
      ) : (
        <Sheet isOpen={isPreviewing} onClose={() => setIsPreviewing(false)} title={t('preview.title')} detail={t('preview.detail')}>
          {isPreviewing ? <Preview draft={draft} /> : null}
        </Sheet>
      )}
      <SubmitDialog submit={submit} />
    </div>
  );
}

type BarProps = { submit: FrameProps['submit']; hasChanges: boolean; onPreview: (() => void) | undefined };

function SubmitBar({ submit, hasChanges, onPreview }: BarProps) {
  const { t } = useTranslation('portal-page');
  const { programName } = useAccount();
  return (
    <div className={styles.bar}>
      {submit.message === null ? null : (
        <p className={styles.barProblem} role="alert">
          {submit.message}
        </p>
      )}
      <div className={styles.barButtons}>
        {onPreview === undefined ? null : (
          <Button icon="eye" onClick={onPreview}>
            {t('preview.open')}
          </Button>
        )}
        <SubmitButton submit={submit} hasChanges={hasChanges} />
      </div>
      <SubmitNote program={programName} />
    </div>
  );
}

function SubmitButton({ submit, hasChanges }: { submit: FrameProps['submit']; hasChanges: boolean }) {
  const { t } = useTranslation('portal-page');
  const { page } = useEditor();
  // A page that is live or in review has nothing new to review without changes.
  const isNeeded = hasChanges || !['live', 'in_review'].includes(stageOf(page.page));
  return (
    <Button
      kind="primary"
      icon="send"
      isBusy={submit.isBusy}
      disabled={!submit.isPossible || !isNeeded || !page.canSubmit}
      onClick={submit.ask}
    >
      {t('submit.open')}
    </Button>
  );
}

function SubmitNote({ program }: { program: string }) {
  const { t } = useTranslation('portal-page');
  const { page } = useEditor();
  if (!page.canSubmit) return <p className={styles.barNote}>{t('submit.pending', { program })}</p>;
  return stageOf(page.page) === 'live' ? <p className={styles.barNote}>{t('submit.liveNote', { program })}</p> : null;
}
