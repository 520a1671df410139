// For those who connect the program: the first request, an order that is tested before it is sent, and what arrives.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../session/program.ts';
import { Page } from '../../ui/layout/page.tsx';
import { Grid, Stack } from '../../ui/layout/stack.tsx';
import { LiveEvents } from './LiveEvents.tsx';
import { OrderTester } from './OrderTester.tsx';
import { RequestLog } from './RequestLog.tsx';
import { SampleCode } from './SampleCode.tsx';
import { WebsiteCheck } from './WebsiteCheck.tsx';

export function Screen() {
  const { t } = useTranslation('developers');
  const { can } = useProgram();
  return (
    <Page title={t('title')} lede={t('lede')}>
      <Stack gap={24}>
        {can('conversions.write') ? <OrderTester /> : null}
        <Grid columns="main-aside" gap={16}>
          <Stack>
            <SampleCode />
            {can('stores.write') ? <WebsiteCheck /> : null}
          </Stack>
          <Stack>
            <LiveEvents />
          </Stack>
        </Grid>
        <RequestLog />
      </Stack>
    </Page>
  );
}
