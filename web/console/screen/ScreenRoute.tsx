// What every screen has: its title in the window, the role that it requires, and a page for a failure of its code.
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useText } from '../../locales/use-text.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { ErrorCard } from '../../ui/states/problem.tsx';
import type { Screen } from '../screens.ts';
import { useProgram } from '../session/program.ts';
import { SettingsFrame } from '../settings/frame/SettingsFrame.tsx';
import { ForbiddenScreen } from './ForbiddenScreen.tsx';
import { ScreenFileError } from './lazy-screen.tsx';
import { MissingFile } from './MissingFile.tsx';

export function ScreenRoute({ screen, children }: { screen: Screen; children: ReactNode }) {
  const text = useText();
  const { name, can } = useProgram();
  const title = text(screen.title);
  useLayoutEffect(() => {
    document.title = `${title} · ${name} · Tributary`;
  }, [title, name]);
  const content = can(screen.permission) ? children : <ForbiddenScreen title={title} permission={screen.permission} />;
  return screen.settings ? <SettingsFrame current={screen}>{content}</SettingsFrame> : content;
}

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
