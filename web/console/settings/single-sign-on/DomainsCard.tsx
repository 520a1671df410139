// The domains whose users sign in through the provider, with the DNS record that proves each.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Card, RowList } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { DomainItem } from './DomainItem.tsx';
import type { SingleSignOn } from './settings.ts';
import styles from './single-sign-on.module.css';

const empty = { domain: '' };

export function DomainsCard({ stored }: { stored: SingleSignOn }) {
  const { t } = useTranslation('single-sign-on');
  const { domains, canChange } = stored;
  return (
    <Card title={t('domains')} detail={t('domainsDetail')} isFlush>
      {domains.length === 0 ? <p className={styles.padded}>{t('noDomains')}</p> : null}
      <RowList>
        {domains.map((domain) => (
          <DomainItem key={domain.domain} domain={domain} canChange={canChange} isOn={stored.issuer !== null} />
        ))}
      </RowList>
      {canChange ? <AddDomain /> : null}
    </Card>
  );
}

function AddDomain() {
  const { t } = useTranslation('single-sign-on');
  const { id: programId } = useProgram();
  const form = useForm(empty);
  const add = useAction('singleSignOnDomains.add', { invalidates: ['singleSignOn.get'] });
  const submit = () =>
    add.mutate({ path: { programId }, body: form.values }, { onSuccess: () => form.reset(empty), onError: form.setProblem });
  return (
    <div className={styles.padded}>
      <Form form={form} onSubmit={submit}>
        <Stack gap={12}>
          <TextInput {...form.field('domain')} label={t('domain')} placeholder="example.com" isMono isRequired maxLength={253} />
          <Text size="small">{t('domainHelp')}</Text>
          <div>
            <Button type="submit" icon="plus" isBusy={add.isPending}>
              {t('addDomain')}
            </Button>
          </div>
        </Stack>
      </Form>
    </div>
  );
}
