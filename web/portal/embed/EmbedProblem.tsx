import { useTranslation } from 'react-i18next';
import { readStyleNonce } from '../../frame/style-nonce.ts';
import type { Language } from '../../ui/figures/context.ts';
import { Notice } from '../../ui/states/problem.tsx';
import { UiProvider } from '../../ui/theme/provider.tsx';
import styles from './embed.module.css';

/** Why the portal is not open in the frame. */
export type Problem = 'used' | 'expired' | 'invalid' | 'failed';

/** In place of the portal. Only the page around the frame can get a new token. */
export function EmbedProblem({ problem }: { problem: Problem }) {
  const { i18n } = useTranslation();
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return (
    <UiProvider language={i18n.language as Language} timezone={timeZone} styleNonce={readStyleNonce()} scheme="auto">
      <ProblemNotice problem={problem} />
    </UiProvider>
  );
}

/** The problem itself, where the design system is set up already. */
export function ProblemNotice({ problem }: { problem: Problem }) {
  const { t } = useTranslation('portal-embed');
  return (
    <main className={styles.problem}>
      <h1 className="visually-hidden">{t('navigation')}</h1>
      <div role="alert">
        <Notice title={t(`problem.${problem}.title`)}>{t(`problem.${problem}.text`)}</Notice>
      </div>
    </main>
  );
}
