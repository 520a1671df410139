// Starts the console: texts of the page's language, cache, router.

import * as texts from 'virtual:texts/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { setErrorTexts } from '../api/errors.ts';
import { createQueryClient } from '../api/queries.ts';
import { languageOfPage, startTexts } from '../locales/load.ts';
import { describeError } from '../ui/states/describe-error.ts';
import { createConsoleRouter } from './router.tsx';
// Part of the first load: every table needs the libraries that place panels and lists.
import '../ui/overlay/content/menu-panel.tsx';
import '../ui/overlay/content/popover-panel.tsx';
import '../ui/overlay/content/sheet-panel.tsx';

const container = document.getElementById('root');
if (!container) throw new Error('The page has no element #root.');

await startTexts(languageOfPage(), texts);
setErrorTexts(describeError);
const queryClient = createQueryClient();
const router = createConsoleRouter();

createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
