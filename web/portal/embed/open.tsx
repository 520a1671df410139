// The portal inside a page of the program. A token opens it once; the session that it gets stays in the memory of the frame.
import { type AnyRouter, type RouterHistory, RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call, setInterventions, sharedHeaders } from '../../api/call.ts';
import { RequestError } from '../../api/errors.ts';
import { changeLanguage, languageOfPage, loadScreenTexts } from '../../locales/load.ts';
import type { Screen } from '../screens.ts';
import { EmbedProblem, type Problem } from './EmbedProblem.tsx';
import { EmbedRoot } from './EmbedRoot.tsx';
import { EmbedShell } from './EmbedShell.tsx';
import { createEmbed, EmbedContext } from './embed.ts';
import { embeddedScreens } from './embedded-screens.ts';
import { createFrameHistory } from './frame-history.ts';
import { applyLook } from './look.ts';
import { notifyPage } from './notify-page.ts';

type CreateRouter = (parts: {
  root: () => ReactNode;
  shell: () => ReactNode;
  shown: readonly Screen[];
  history: RouterHistory;
}) => AnyRouter;

/** Uses the token, and returns what the frame shows: the portal, or why it could not be opened. */
export async function openEmbed(createRouter: CreateRouter): Promise<ReactNode> {
  // The token is in the fragment, which must not stay in the address.
  const token = location.hash.slice(1);
  window.history.replaceState(null, '', location.pathname + location.search);
  const opening = call('embedSessions.create', { body: { token } }, { isSilent: true }).catch(toProblem);
  const [session] = await Promise.all([opening, loadScreenTexts('embed')]);
  if (typeof session === 'string') {
    // The origin of the page is unknown, and the message says nothing else.
    notifyPage('*', 'ended');
    return <EmbedProblem problem={session} />;
  }
  sharedHeaders.authorization = `Bearer ${session.session}`;
  applyLook(session.look);
  if (session.locale !== null && session.locale !== languageOfPage()) await changeLanguage(session.locale);
  notifyPage(session.origin, 'open');
  const embed = createEmbed(session);
  // Nothing can be confirmed or signed in to in a frame: a session that has ended is opened again by the page.
  setInterventions({
    async signIn() {
      embed.end();
      notifyPage(session.origin, 'ended');
      return false;
    },
    confirm: async () => false,
    setUpFactor: async () => false,
  });
  const history = createFrameHistory(embed.account.href());
  const router = createRouter({ root: EmbedRoot, shell: EmbedShell, shown: embeddedScreens, history });
  return (
    <EmbedContext value={embed}>
      <RouterProvider router={router} />
    </EmbedContext>
  );
}

const problems: Record<string, Problem> = {
  embed_token_used: 'used',
  embed_token_expired: 'expired',
  embed_token_invalid: 'invalid',
  invalid_request: 'invalid',
};

function toProblem(error: unknown): Problem {
  return (error instanceof RequestError && problems[error.code]) || 'failed';
}
