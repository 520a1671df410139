// Whether the affiliates whose commission changes get an email, and the email to one of them.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/form/choices.tsx';
import { useSettled } from '../../../ui/form/use-settled.ts';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import type { RuleChange } from '../rule-change.ts';
import styles from '../rules.module.css';

const pauseMs = 400;

type Props = { change: RuleChange; value: boolean; onChange: (value: boolean) => void };

export function NotifyAffiliates({ change, value, onChange }: Props) {
  const { t } = useTranslation('rules');
  const { id: programId } = useProgram();
  const body = JSON.parse(useSettled(JSON.stringify(change), pauseMs)) as RuleChange;
  const { data } = useRead('commissionRules.previewEmails', { path: { programId }, body });
  if (!data) return null;
  if (data.email === null) return <Text size="small">{t('notify.none')}</Text>;
  return (
    <Stack gap={8}>
      <Checkbox label={t('notify.label', { count: data.affiliateCount })} help={t('notify.help')} value={value} onChange={onChange} />
      <Email email={data.email} />
    </Stack>
  );
}

type Email = NonNullable<Result<'commissionRules.previewEmails'>['email']>;

function Email({ email: { to, subject, text } }: { email: Email }) {
  const { t } = useTranslation('rules');
  const [isShown, setIsShown] = useState(false);
  return (
    <div>
      <Button size="small" kind="quiet" icon={isShown ? 'chevronUp' : 'eye'} aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {t(isShown ? 'notify.hide' : 'notify.show')}
      </Button>
      {isShown ? (
        <article className={styles.mail}>
          <Text size="small" tone="ink-3">
            {t('notify.to', { email: to })}
          </Text>
          <strong>{subject}</strong>
          <pre className={styles.mailText}>{text}</pre>
        </article>
      ) : null}
    </div>
  );
}
