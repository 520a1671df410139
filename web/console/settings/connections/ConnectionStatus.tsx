// The state of a connection as a mark.
import { useTranslation } from 'react-i18next';
import { Status } from '../../../ui/marks/status.tsx';
import type { Provider } from './catalogue.ts';

const marks = {
  connected: { tone: 'approved', icon: 'check' },
  needs_attention: { tone: 'held', icon: 'warning' },
  disabled: { tone: 'neutral', icon: 'pause' },
  archived: { tone: 'neutral', icon: 'archive' },
} as const;

export function ConnectionStatus({ status }: Pick<Provider, 'status'>) {
  const { t } = useTranslation('connections');
  return <Status {...marks[status]}>{t(`status.${status}`)}</Status>;
}
