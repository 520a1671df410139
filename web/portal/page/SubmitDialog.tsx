import { useTranslation } from 'react-i18next';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { useAccount } from '../session/account.ts';
import { stageOf } from './draft-state.ts';
import { useEditor } from './editor-context.ts';
import type { Submit } from './use-submit.ts';

/** Says what submitting means before it happens: a live page is offline until the program approves the change. */
export function SubmitDialog({ submit }: { submit: Submit }) {
  const { t } = useTranslation('portal-page');
  const { programName: program } = useAccount();
  const { page } = useEditor();
  const isLive = stageOf(page.page) === 'live';
  return (
    <Confirm
      isOpen={submit.isAsking}
      onClose={submit.cancel}
      title={t('submit.title')}
      text={t(isLive ? 'submit.liveText' : 'submit.text', { program })}
      action={t('submit.open')}
      kind="primary"
      isBusy={submit.isBusy}
      onConfirm={() => void submit.send()}
    />
  );
}
