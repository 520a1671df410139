// The page of a screen whose code failed or could not be loaded, in both apps.
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/controls/button.tsx';
import { Page } from '../ui/layout/page.tsx';
import { ErrorCard } from '../ui/states/problem.tsx';
import { ScreenFileError } from './lazy-screen.tsx';
import { MissingFile } from './MissingFile.tsx';

/** The code of a screen failed, or could not be loaded. */
export function CrashedScreen({ error }: { error: unknown }) {
  return error instanceof ScreenFileError ? <MissingFile /> : <Crash />;
}

function Crash() {
  const { t } = useTranslation('shell');
  const router = useRouter();
  return (
    <Page title={t('problem.crashTitle')} width="reading">
      <ErrorCard title={t('problem.crashTitle')} detail={t('problem.crashText')} onRetry={() => void router.invalidate()} />
      <div>
        <Button icon="refresh" onClick={() => location.reload()}>
          {t('signIn.reload')}
        </Button>
      </div>
    </Page>
  );
}
