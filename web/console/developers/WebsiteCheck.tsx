// Whether the tracking script is in the website of the program, and works there.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Row, Stack, Text } from '../../ui/layout/stack.tsx';
import { Notice } from '../../ui/states/problem.tsx';

export function WebsiteCheck() {
  const { t } = useTranslation('developers');
  const { id: programId, href } = useProgram();
  const check = useAction('website.check');
  const { data, error } = check;
  const hasNoWebsite = error?.code === 'no_website';
  return (
    <Card title={t('website.title')}>
      <Stack gap={16}>
        <Text>{t('website.text')}</Text>
        <Row>
          <Button onClick={() => check.mutate({ path: { programId } })} isBusy={check.isPending}>
            {t('website.submit')}
          </Button>
        </Row>
        <div aria-live="polite">
          {data?.isInstalled ? (
            <Notice tone="neutral" icon="check" title={t('website.installed')}>
              {t(data.waitsForConsent ? 'website.waits' : 'website.found', { url: data.url })}
            </Notice>
          ) : null}
          {data && !data.isInstalled ? (
            <Notice tone="held" icon="warning" title={t('website.notInstalled')}>
              {data.problems.map(({ code }) => (
                <div key={code}>{t(`website.problem.${code}`, { url: data.url, status: data.httpStatus ?? '' })}</div>
              ))}
            </Notice>
          ) : null}
          {hasNoWebsite ? (
            <Text>
              {t('website.none')} <Link href={href('settings/program')}>{t('website.enter')}</Link>
            </Text>
          ) : null}
          {error && !hasNoWebsite ? <Problem error={error} what={t('website.what')} /> : null}
        </div>
      </Stack>
    </Card>
  );
}
