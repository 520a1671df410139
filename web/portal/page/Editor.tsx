// The editor: on phones a form with a preview that slides in, on wide screens the form beside the page as it will look.
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readKey } from '../../api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { useMedia } from '../../ui/layout/use-media.ts';
import { useAccount } from '../session/account.ts';
import { type Changes, type PortalPage, stageOf } from './draft-state.ts';
import { EditorContext, useEditor } from './editor-context.ts';
import { AddressSection } from './fields/Address.tsx';
import { DesignSection } from './fields/Design.tsx';
import { LinksSection } from './fields/Links.tsx';
import { PhotosSection } from './fields/Photos.tsx';
import { ProductsSection } from './fields/Products.tsx';
import { TextSection } from './fields/Texts.tsx';
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
  const isWide = useMedia('(min-width: 1040px)');
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
        <SubmitBar submit={submit} />
      </div>
      <SubmitDialog submit={submit} />
    </div>
  );
}

function SubmitBar({ submit }: { submit: FrameProps['submit'] }) {
  const { programName } = useAccount();
  return (
    <div className={styles.bar}>
      {submit.message === null ? null : (
        <p className={styles.barProblem} role="alert">
          {submit.message}
        </p>
      )}
      <div className={styles.barButtons}>
        <SubmitButton submit={submit} />
      </div>
      <SubmitHint program={programName} />
    </div>
  );
}

function SubmitButton({ submit }: { submit: FrameProps['submit'] }) {
  const { t } = useTranslation('portal-page');
  return (
    <Button kind="primary" icon="send" isBusy={submit.isBusy} disabled={!submit.isPossible} onClick={submit.ask}>
      {t('submit.open')}
    </Button>
  );
}

function SubmitHint({ program }: { program: string }) {
  const { t } = useTranslation('portal-page');
  const { page } = useEditor();
  if (!page.canSubmit) return <p className={styles.barHint}>{t('submit.pending', { program })}</p>;
  return stageOf(page.page) === 'live' ? <p className={styles.barHint}>{t('submit.liveHint', { program })}</p> : null;
}
