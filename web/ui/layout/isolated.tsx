// Names and other typed texts may be written from right to left. Isolated, they don't reorder the text around them.
import type { ReactNode } from 'react';

/** Content of a shared component: a text is isolated, elements isolate their own texts. */
export function isolated(content: ReactNode): ReactNode {
  return typeof content === 'string' ? <bdi>{content}</bdi> : content;
}
