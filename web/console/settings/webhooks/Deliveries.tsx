// The latest deliveries of a webhook, each with its requests and responses.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { RequestError } from '../../../api/errors.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import type { IconName } from '../../../ui/icons.tsx';
import { RowList, Section } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Status, type Tone } from '../../../ui/marks/status.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import type { Webhook } from './WebhookStatus.tsx';
import styles from './webhooks.module.css';

type Delivery = Result<'webhookDeliveries.list'>['deliveries'][number];
type Attempt = Result<'webhookDeliveries.get'>['attempts'][number];

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks');
  const { id: programId } = useProgram();
  const [open, setOpen] = useState<string | null>(null);
  const read = useRead('webhookDeliveries.list', { path: { programId, webhookId: webhook.id }, query: { limit: 20 } }, { refreshMs: 3000 });
  return (
    <Section title={t('deliveries.title')} detail={t('deliveries.detail')}>
      <Loaded read={read} what={t('deliveries.what')} skeleton={<SkeletonText lines={5} />}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <p className={styles.detail}>{t('deliveries.none')}</p>
          ) : (
            <RowList>
              {deliveries.map((delivery) => (
                <DeliveryItem
                  key={delivery.id}
                  delivery={delivery}
                  isOpen={delivery.id === open}
                  onToggle={() => setOpen(delivery.id === open ? null : delivery.id)}
                />
              ))}
            </RowList>
          )
        }
      </Loaded>
    </Section>
  );
}

const marks: Record<Delivery['status'], [Tone, IconName]> = {
  pending: ['pending', 'clock'],
  delivered: ['approved', 'check'],
  failed: ['reversed', 'close'],
};

type ItemProps = { delivery: Delivery; isOpen: boolean; onToggle: () => void };

function DeliveryItem({ delivery, isOpen, onToggle }: ItemProps) {
  const { t } = useTranslation('webhooks');
  const [tone, icon] = marks[delivery.status];
  const label = t(isOpen ? 'deliveries.hide' : 'deliveries.show');
  return (
    <li>
      <div className={styles.delivery}>
        <div className={styles.text}>
          <div className={styles.url}>{delivery.eventType}</div>
          <div className={styles.detail}>
            <DateTime value={delivery.lastAttemptAt ?? delivery.createdAt} as="exact" />
          </div>
        </div>
        <Status tone={tone} icon={icon}>
          {delivery.responseStatus === null
            ? t(`delivery.${delivery.status}`)
            : `${t(`delivery.${delivery.status}`)} · ${delivery.responseStatus}`}
        </Status>
        <Button size="small" kind="quiet" aria-expanded={isOpen} aria-label={`${label}: ${delivery.eventType}`} onClick={onToggle}>
          {label}
        </Button>
      </div>
      {isOpen ? <DeliveryContent delivery={delivery} /> : null}
    </li>
  );
}

function DeliveryContent({ delivery: { id, webhookId } }: { delivery: Delivery }) {
  const { t } = useTranslation('webhooks');
  const { id: programId, can } = useProgram();
  const path = { programId, webhookId, id };
  const read = useRead('webhookDeliveries.get', { path }, { refreshMs: 3000 });
  const redeliver = useAction('webhookDeliveries.redeliver', { invalidates: ['webhookDeliveries.list', 'webhookDeliveries.get'] });
  const again = () =>
    redeliver.mutate(
      { path },
      {
        onSuccess: () => showToast(t('redelivered')),
        onError: (error) => showToast(error instanceof RequestError ? error.message : t('failed'), { tone: 'error' }),
      },
    );
  return (
    <div className={styles.opened}>
      <Loaded read={read} what={t('deliveries.what')} skeleton={<SkeletonText lines={6} />}>
        {({ body, attempts }) => (
          <Stack gap={12}>
            {can('webhooks.write') ? (
              <div>
                <Button size="small" icon="refresh" isBusy={redeliver.isPending} onClick={again}>
                  {t('redeliver')}
                </Button>
              </div>
            ) : null}
            {body === null ? null : <Code label={t('body')} text={indent(body)} />}
            {attempts.map((attempt) => (
              <AttemptContent key={attempt.number} attempt={attempt} />
            ))}
          </Stack>
        )}
      </Loaded>
    </div>
  );
}

function AttemptContent({ attempt: { number, outcome, durationMs, request, response, createdAt } }: { attempt: Attempt }) {
  const { t } = useTranslation('webhooks');
  const lines = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Stack gap={8}>
      <div className={styles.detail}>
        {t('attempt', { number, outcome: t(`outcome.${outcome}`), ms: durationMs })} · <DateTime value={createdAt} as="exact" />
      </div>
      <Code label={t('request')} name={t('requestOf', { number })} text={[`POST ${request.url}`, ...lines(request.headers)].join('\n')} />
      {response === null ? null : (
        <Code
          label={t('response')}
          name={t('responseOf', { number })}
          text={[String(response.status), ...lines(response.headers), '', response.body].join('\n')}
        />
      )}
    </Stack>
  );
}

/** `name` is what assistive technology calls the text; landmarks of a page need different ones. */
function Code({ label, name = label, text }: { label: string; name?: string; text: string }) {
  return (
    <div className={styles.figure}>
      <div className={styles.detail}>{label}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section className={styles.code} tabIndex={0} aria-label={name}>
        <pre className={styles.pre}>{text}</pre>
      </section>
    </div>
  );
}

function indent(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
