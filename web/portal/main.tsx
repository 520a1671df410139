// Starts the portal: texts of the page's language, cache, router.
import './portal.css';
import * as texts from 'virtual:texts/portal';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { setErrorTexts } from '../api/errors.ts';
import { createQueryClient } from '../api/queries.ts';
import { languageOfPage, startTexts } from '../locales/load.ts';
import { describeError } from '../ui/states/describe-error.ts';
import { createPortalRouter } from './router.tsx';

const container = document.getElementById('root');
if (!container) throw new Error('The page has no element #root.');

await startTexts(languageOfPage(), texts);
setErrorTexts(describeError);
const queryClient = createQueryClient();
const router = createPortalRouter();

createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
