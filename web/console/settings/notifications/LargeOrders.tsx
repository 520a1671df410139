// The amount from which an order is large, for everyone in the program.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { StaleNotice } from '../../../states/edit/StaleNotice.tsx';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { MoneyInput } from '../../../ui/form/amounts.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { type Program, useProgramForm } from '../form/use-program-form.ts';

export function LargeOrders() {
  const { t } = useTranslation('notifications');
  const { id: programId } = useProgram();
  const read = useRead('programs.get', { path: { programId } });
  return (
    <Card title={t('largeOrders.title')} detail={t('largeOrders.detail')}>
      <Loaded read={read} what={t('largeOrders.title')} skeleton={<SkeletonText lines={2} />}>
        {(program) => <Amount program={program} />}
      </Loaded>
    </Card>
  );
}

type Values = Pick<Program, 'largeOrderCents'>;

const toValues = ({ largeOrderCents }: Program): Values => ({ largeOrderCents });
const toUpdate = (values: Values) => values;

function Amount({ program }: { program: Program }) {
  const { t } = useTranslation('notifications');
  const texts = { labels: { largeOrderCents: t('largeOrders.amount') }, show: () => undefined };
  const { form, save, isBusy, stale } = useProgramForm<Values>(program, { toValues, toUpdate, texts });
  return (
    <Form form={form} onSubmit={save}>
      <Stack gap={16}>
        <StaleNotice {...stale} />
        <MoneyInput
          {...form.field('largeOrderCents')}
          label={t('largeOrders.amount')}
          help={t('largeOrders.help')}
          currency={program.currency}
        />
        <div>
          <Button type="submit" isBusy={isBusy} disabled={stale.edit.conflict !== null}>
            {t('largeOrders.save')}
          </Button>
        </div>
      </Stack>
    </Form>
  );
}
