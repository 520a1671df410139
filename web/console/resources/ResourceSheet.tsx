// A resource: what affiliates see of it, changing it, and archiving it.
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { DownloadButton } from '../../states/download-button.tsx';
import { StaleNotice } from '../../states/edit/StaleNotice.tsx';
import { useEdit } from '../../states/edit/use-edit.ts';
import { Loaded } from '../../states/loaded.tsx';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Row, Stack } from '../../ui/layout/stack.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { ResourceFields } from './ResourceFields.tsx';
import { affected, findMissing, type Resource, toUpdate, toValues } from './resource-values.ts';
import styles from './resources.module.css';
import { TextPreview } from './TextPreview.tsx';
import { previewOf, ResourceStatus, useAudience } from './use-columns.tsx';
import { useProblem } from './use-problem.ts';

const formId = 'edit-resource';

type Props = { id: string; isOpen: boolean; onClose: () => void };

export function ResourceSheet({ id, isOpen, onClose }: Props) {
  const { t } = useTranslation('resources');
  const { id: programId, can } = useProgram();
  const read = useRead('resources.get', { path: { programId, id } }, { enabled: isOpen });
  if (read.data && can('settings.write')) return <EditSheet resource={read.data} isOpen={isOpen} onClose={onClose} />;
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={read.data?.title ?? t('title')}>
      <Loaded read={read} what={t('what')} skeleton={<SkeletonText lines={6} />}>
        {(resource) => <Shown resource={resource} />}
      </Loaded>
    </Sheet>
  );
}

function EditSheet({ resource, isOpen, onClose }: { resource: Resource; isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('resources');
  const edit = useResourceEdit(resource, onClose);
  const { form, conflict, isBusy } = edit;
  const labels = {
    kind: t('column.kind'),
    title: t('field.title'),
    description: t('field.description'),
    text: t('field.text'),
    file: t('field.file'),
    groupIds: t('field.groups'),
    language: t('field.language'),
    position: t('field.position'),
  };
  const submit = () => {
    const missing = findMissing(form.values, false);
    if (missing.length > 0) form.setMissing(missing);
    else edit.submit();
  };
  const footer = (
    <>
      <CancelButton>{t('cancel')}</CancelButton>
      <Button kind="primary" type="submit" form={formId} keys="mod+s" isBusy={isBusy} disabled={conflict !== null || !form.hasChanges}>
        {t('save')}
      </Button>
    </>
  );
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={<bdi>{resource.title}</bdi>} hasChanges={form.hasChanges} footer={footer}>
      <Stack gap={16}>
        <Actions resource={resource} onClose={onClose} />
        <Picture resource={resource} />
        <Form form={form} id={formId} onSubmit={submit}>
          <StaleNotice edit={edit} toValues={toValues} labels={labels} />
          <ResourceFields form={form} stored={resource} />
        </Form>
      </Stack>
    </Sheet>
  );
}

function useResourceEdit(resource: Resource, onClose: () => void) {
  const { t } = useTranslation('resources');
  const { id: programId } = useProgram();
  const path = { programId, id: resource.id };
  const update = useAction('resources.update', { invalidates: affected });
  const toProblem = useProblem();
  return useEdit({
    stored: resource,
    toValues,
    load: () => call('resources.get', { path }),
    save: async ({ base, values }) => update.mutateAsync({ path, body: await toUpdate(toValues(base), values), ifMatch: base.version }),
    onSaved: () => {
      showToast(t('saved'), { tone: 'success' });
      onClose();
    },
    toProblem,
  });
}

function Actions({ resource, onClose }: { resource: Resource; onClose: () => void }) {
  const { t } = useTranslation('resources');
  const { id: programId } = useProgram();
  const update = useAction('resources.update', { invalidates: affected });
  const next = resource.status === 'active' ? 'archived' : 'active';
  const change = () =>
    update.mutate(
      { path: { programId, id: resource.id }, body: { status: next } },
      {
        onSuccess: () => {
          showToast(t(next === 'active' ? 'restored' : 'archived', { title: resource.title }), { tone: 'success' });
          onClose();
        },
        onError: showProblem,
      },
    );
  return (
    <Row>
      <ResourceStatus status={resource.status} />
      <Download resource={resource} />
      <Button size="small" icon={next === 'active' ? 'refresh' : 'archive'} isBusy={update.isPending} onClick={change}>
        {t(next === 'active' ? 'restore' : 'archive')}
      </Button>
    </Row>
  );
}

function Download({ resource: { id, file } }: { resource: Resource }) {
  const { t } = useTranslation('resources');
  const { id: programId } = useProgram();
  if (file === null) return null;
  const load = () => call('resources.getFile', { path: { programId, id }, query: { format: 'file' } }, { isFile: true });
  return (
    <DownloadButton name={file.name} load={load} size="small">
      {t('download')}
    </DownloadButton>
  );
}

function Picture({ resource }: { resource: Resource }) {
  const { id: programId } = useProgram();
  if (resource.kind !== 'image') return null;
  return <img className={styles.picture} key={resource.version} src={previewOf(programId, resource.id)} alt={resource.title} />;
}

/** For members who may not change it. */
function Shown({ resource }: { resource: Resource }) {
  const audience = useAudience();
  return (
    <Stack gap={16}>
      <Row>
        <ResourceStatus status={resource.status} />
        <span>{audience(resource)}</span>
        <Download resource={resource} />
      </Row>
      <Picture resource={resource} />
      {resource.description === null ? null : <p className={styles.text}>{resource.description}</p>}
      {resource.text === null ? null : <TextPreview text={resource.text} />}
    </Stack>
  );
}
