// What every screen has: its title in the window, and the role that it requires.
import { lazy, type ReactNode, useLayoutEffect } from 'react';
import { loadFile } from '../../frame/lazy-screen.tsx';
import { isolate } from '../../locales/isolate.ts';
import { useText } from '../../locales/use-text.ts';
import { useProgram } from '../../session/program.ts';
import { type Screen, screens } from '../screens.ts';
import { SettingsFrame } from '../settings/frame/SettingsFrame.tsx';

const ForbiddenScreen = lazy(async () => ({ default: (await loadFile(() => import('./ForbiddenScreen.tsx'))).ForbiddenScreen }));

export function ScreenRoute({ screen, children }: { screen: Screen; children: ReactNode }) {
  const text = useText();
  const { name, can } = useProgram();
  const title = text(screen.title);
  useLayoutEffect(() => {
    document.title = `${title} · ${isolate(name)} · Tributary`;
  }, [title, name]);
  const content = can(screen.permission) ? children : <ForbiddenScreen title={title} permission={screen.permission} />;
  const place = screen.settings ? screen : screens.find(({ id }) => id === screen.partOf);
  return place ? <SettingsFrame current={place}>{content}</SettingsFrame> : content;
}
