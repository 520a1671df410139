import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RequestError } from '../api/errors.ts';
import { Page } from '../ui/layout/page.tsx';
import { Problem } from './problem.tsx';

type Props = {
  error: RequestError;
  read: Pick<UseQueryResult, 'refetch' | 'isFetching'>;
  /** What is loaded, as the object of a sentence: "this order". */
  what: string;
  title: string;
  trail?: ReactNode;
};

/** The screen of an object that could not be read. The page of one that doesn't exist has its own headline. */
export function FailedScreen({ error, read, what, title, trail }: Props) {
  const problem = <Problem error={error} what={what} onRetry={() => void read.refetch()} isRetrying={read.isFetching} />;
  if (error.status === 404) return problem;
  return (
    <Page title={title} trail={trail}>
      {problem}
    </Page>
  );
}
