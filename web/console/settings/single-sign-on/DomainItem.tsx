// One domain: whether it is verified, the record that verifies it, and whether single sign-on is required for it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { showProblem } from '../../../states/show-problem.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/form/choices.tsx';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import { Status } from '../../../ui/marks/status.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import type { SingleSignOn } from './settings.ts';
import styles from './single-sign-on.module.css';

type Domain = SingleSignOn['domains'][number];
type Props = { domain: Domain; canChange: boolean; isOn: boolean };

export function DomainItem({ domain, canChange, isOn }: Props) {
  const { t } = useTranslation('single-sign-on');
  const isVerified = domain.verifiedAt !== null;
  return (
    <li className={styles.item}>
      <Stack gap={12}>
        <div className={styles.head}>
          <strong className={styles.domain}>{domain.domain}</strong>
          <Status tone={isVerified ? 'approved' : 'neutral'} icon={isVerified ? 'check' : 'clock'}>
            {t(isVerified ? 'verified' : 'unverified')}
          </Status>
        </div>
        {isVerified ? (
          <RequireSwitch domain={domain} isDisabled={!canChange || (!isOn && !domain.isRequired)} />
        ) : (
          <DnsRecord domain={domain} />
        )}
        {canChange ? <Actions domain={domain} /> : null}
      </Stack>
    </li>
  );
}

function DnsRecord({ domain: { recordName, recordValue } }: { domain: Domain }) {
  const { t } = useTranslation('single-sign-on');
  return (
    <Stack gap={4}>
      <Text size="small">{t('record')}</Text>
      <CopyButton value={recordName} isMono />
      <CopyButton value={recordValue} isMono />
    </Stack>
  );
}

function RequireSwitch({ domain: { domain, isRequired }, isDisabled }: { domain: Domain; isDisabled: boolean }) {
  const { t } = useTranslation('single-sign-on');
  const { id: programId } = useProgram();
  const update = useAction('singleSignOnDomains.update', { invalidates: ['singleSignOn.get'] });
  const change = (next: boolean) => update.mutate({ path: { programId, domain }, body: { isRequired: next } }, { onError: showProblem });
  return (
    <Switch
      label={t('require', { domain })}
      help={t('requireHelp')}
      value={update.isPending ? !isRequired : isRequired}
      isDisabled={isDisabled || update.isPending}
      onChange={change}
    />
  );
}

function Actions({ domain: { domain, verifiedAt } }: { domain: Domain }) {
  const { t } = useTranslation('single-sign-on');
  const { id: programId } = useProgram();
  const [isOpen, setIsOpen] = useState(false);
  const invalidates = ['singleSignOn.get'] as const;
  const verify = useAction('singleSignOnDomains.verify', { invalidates });
  const remove = useAction('singleSignOnDomains.remove', { invalidates });
  const input = { path: { programId, domain } };
  const close = () => setIsOpen(false);
  const check = () => verify.mutate(input, { onSuccess: () => showToast(t('domainVerified', { domain })), onError: showProblem });
  const confirm = () =>
    remove.mutate(input, { onSuccess: () => showToast(t('domainRemoved', { domain })), onError: showProblem, onSettled: close });
  return (
    <Row>
      {verifiedAt === null ? (
        <Button size="small" icon="check" isBusy={verify.isPending} aria-label={`${t('verify')}: ${domain}`} onClick={check}>
          {t('verify')}
        </Button>
      ) : null}
      <Button size="small" kind="quiet" icon="trash" aria-label={`${t('remove')}: ${domain}`} onClick={() => setIsOpen(true)}>
        {t('remove')}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={close}
        title={t('removeTitle', { domain })}
        text={t('removeText')}
        action={t('removeAction', { domain })}
        isBusy={remove.isPending}
        onConfirm={confirm}
      />
    </Row>
  );
}
