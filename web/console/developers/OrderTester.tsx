// What an order would do: the path that it would have once it is reported. In a test program, it can then be recorded.
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import type { RequestError } from '../../api/errors.ts';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { MoneyInput } from '../../ui/form/amounts.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import { FieldRow, Form, useForm } from '../../ui/form/form.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useNavigate } from '../../ui/layout/link.tsx';
import { Row, Stack, Text } from '../../ui/layout/stack.tsx';
import { showToast } from '../../ui/overlay/toast-store.ts';
import { Notice } from '../../ui/states/problem.tsx';
import { AffiliatePicker } from '../conversions/AffiliatePicker.tsx';
import { OrderPathView } from '../conversions/order/OrderPathView.tsx';
import { toSentences } from '../conversions/order/sentences.ts';
import { useSay } from '../conversions/order/use-say.ts';
import { emptyOrder, type TestedOrder, toBody } from './tested-order.ts';

type Explanation = Result<'conversions.test'>;
/** What the last test said about the order that was sent. */
type Tested = { body: string; explanation: Explanation | null; uncredited: RequestError | null };

export function OrderTester() {
  const { t } = useTranslation('developers');
  const { id: programId, currency, mode } = useProgram();
  const form = useForm(emptyOrder);
  const [tested, setTested] = useState<Tested | null>(null);
  const test = useAction('conversions.test');
  const result = useRef<HTMLDivElement>(null);
  // Below the fields, the result is out of sight on a phone.
  useEffect(() => {
    if (tested !== null) result.current?.scrollIntoView({ block: 'nearest' });
  }, [tested]);
  const body = toBody(form.values);
  const submit = () => {
    if (body === null) return form.setMissing(['amountCents']);
    const sent = JSON.stringify(body);
    test.mutate(
      { path: { programId }, body },
      {
        onSuccess: (explanation) => setTested({ body: sent, explanation, uncredited: null }),
        onError: (error) => {
          if (error.status === 422) setTested({ body: sent, explanation: null, uncredited: error });
          else form.setProblem({ message: error.message, details: error.details });
        },
      },
    );
  };
  const current = tested?.body === JSON.stringify(body) ? tested : null;
  return (
    <Stack gap={24}>
      <Card title={t('tester.title')}>
        <Stack gap={16}>
          <Text>{t('tester.text')}</Text>
          <Form form={form} onSubmit={submit} isTrial>
            <Fields form={form} currency={currency} />
            <Row gap={8}>
              <Button kind={current === null ? 'primary' : 'secondary'} type="submit" isBusy={test.isPending}>
                {t('tester.submit')}
              </Button>
              {current?.explanation && mode === 'test' ? <RecordButton order={form.values} /> : null}
            </Row>
          </Form>
        </Stack>
      </Card>
      <div ref={result} aria-live="polite">
        {current?.explanation ? <Credited explanation={current.explanation} /> : null}
        {current?.uncredited ? <Uncredited error={current.uncredited} /> : null}
      </div>
    </Stack>
  );
}

function Fields({ form, currency }: { form: ReturnType<typeof useForm<TestedOrder>>; currency: string }) {
  const { t } = useTranslation('developers');
  return (
    <>
      <FieldRow columns={3}>
        <MoneyInput label={t('tester.amount')} {...form.field('amountCents')} currency={currency} />
        <TextInput label={t('tester.referralCode')} {...form.field('referralCode')} isMono maxLength={100} />
        <TextInput label={t('tester.coupon')} {...form.field('couponCode')} isMono maxLength={100} />
      </FieldRow>
      <FieldRow columns={3}>
        <AffiliatePicker label={t('tester.affiliate')} help={t('tester.affiliateHelp')} {...form.field('affiliateId')} />
        <TextInput label={t('tester.click')} help={t('tester.clickHelp')} {...form.field('clickId')} isMono maxLength={100} />
        <TextInput label={t('tester.customer')} help={t('tester.customerHelp')} {...form.field('customer')} type="email" />
      </FieldRow>
    </>
  );
}

function Credited({ explanation }: { explanation: Explanation }) {
  const say = useSay(explanation.currency);
  return (
    <Stack gap={12}>
      <div>
        {toSentences(explanation, say).map((sentence) => (
          <Text key={sentence}>{sentence}</Text>
        ))}
      </div>
      <OrderPathView explanation={explanation} say={say} />
    </Stack>
  );
}

/** Why no affiliate would be credited, signal by signal. */
function Uncredited({ error }: { error: RequestError }) {
  const { t } = useTranslation('developers');
  const { currency } = useProgram();
  const say = useSay(currency);
  const signals = (error.body.signals ?? []) as { signal: string; outcome: string }[];
  return (
    <Notice tone="held" icon="gate" title={t('tester.uncredited')}>
      {signals.length === 0 ? t('tester.noSignal') : null}
      {signals.map(({ signal, outcome }) => (
        <div key={signal}>
          {t(`tester.signals.${signal as 'click'}`)}: {say.t(`signalReason.${outcome}`)}
        </div>
      ))}
    </Notice>
  );
}

/** Records the tested order under a new id, and offers what can follow: its refund, and the time of the program's clock. */
function RecordButton({ order }: { order: TestedOrder }) {
  const { t } = useTranslation('developers');
  const program = useProgram();
  const navigate = useNavigate();
  const record = useAction('conversions.enter', { invalidates: ['orderTable.list', 'conversions.totals', 'events.list', 'checklist.get'] });
  const submit = () => {
    const body = toBody(order);
    if (body === null) return;
    const orderId = `test-${crypto.randomUUID().slice(0, 8)}`;
    record.mutate(
      { path: { programId: program.id }, body: { ...body, orderId } },
      {
        onSuccess: ({ id }) => {
          const action = { label: t('tester.open'), onClick: () => navigate(program.href(`conversions/${id}`)) };
          showToast(t('tester.recorded', { orderId }), { tone: 'success', action });
        },
        onError: showProblem,
      },
    );
  };
  return (
    <Button kind="primary" onClick={submit} isBusy={record.isPending}>
      {t('tester.record')}
    </Button>
  );
}
