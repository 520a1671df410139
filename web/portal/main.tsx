// Starts the portal: texts of the page's language, cache, router. In a page of the program, what its token opens.
import './portal.css';
import * as texts from 'virtual:texts/portal';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { setErrorTexts } from '../api/errors.ts';
import { createQueryClient } from '../api/queries.ts';
import { languageOfPage, startTexts } from '../locales/load.ts';
import { describeError } from '../ui/states/describe-error.ts';
import { embed } from './embed-screens.ts';
import { createPortalRouter } from './router.tsx';

const container = document.getElementById('root');
if (!container) throw new Error('The page has no element #root.');

await startTexts(languageOfPage(), texts);
setErrorTexts(describeError);
const queryClient = createQueryClient();
const show = (content: ReactNode) =>
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>{content}</QueryClientProvider>
    </StrictMode>,
  );

// Not awaited: its file depends on this module.
if (location.pathname.startsWith('/embed/')) void embed.load().then(async ({ openEmbed }) => show(await openEmbed(createPortalRouter)));
else show(<RouterProvider router={createPortalRouter()} />);
