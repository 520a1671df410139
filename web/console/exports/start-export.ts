// Exports a list: a short one is downloaded at once; a long one is announced when it is finished.
import type { TFunction } from 'i18next';
import { call, type Input, operationUrl, type Result, toQuery } from '../../api/call.ts';
import { saveFile } from '../../states/download.ts';
import { showProblem } from '../../states/show-problem.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import type { ExportRequest } from '../../ui/table/export/export-context.ts';

type Export = Result<'exports.get'>;
/** `file`: how downloads start, for texts and the address of the list of exports. */
type Place = { programId: string; t: TFunction<'shell'>; openList: () => void };

const pollMs = 2_000;
/** Larger files are saved by the browser itself, without being in memory. */
const maxBlobRows = 10_000;

/** Requests an export, and downloads or announces its file. Errors are shown. */
export async function startExport({ query, ids, list, rows }: ExportRequest, place: Place): Promise<void> {
  try {
    const body: NonNullable<Input<'exports.create'>['body']> = { list, rows, query: toQuery(query).slice(1), ids: [...ids] };
    const created = await call('exports.create', { path: { programId: place.programId }, body });
    if (created.finishedAt !== null) return await downloadExport(place.programId, created);
    showToast(place.t('export.started'), { icon: 'download', action: { label: place.t('export.view'), onClick: place.openList } });
    await announce(created.id, place);
  } catch (error) {
    showProblem(error);
  }
}

/** Waits until an export has ended, and says so. */
async function announce(id: string, { programId, t }: Place): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const found = await call('exports.get', { path: { programId, id } });
    if (found.finishedAt === null) continue;
    const action = { label: t('export.download'), onClick: () => void downloadExport(programId, found) };
    if (found.status === 'succeeded') showToast(t('export.finished'), { tone: 'success', action });
    if (found.status === 'failed') showToast(t('export.failed'), { tone: 'error' });
    return;
  }
}

/** Saves the file of a finished export. */
export async function downloadExport(programId: string, { id, list, total, createdAt }: Export): Promise<void> {
  const input = { path: { programId, id } };
  const name = `${list}-${createdAt.slice(0, 10)}.csv`;
  if (total > maxBlobRows) {
    const link = document.createElement('a');
    link.href = operationUrl('exports.download', input);
    link.download = name;
    link.click();
    return;
  }
  try {
    const file: unknown = await call('exports.download', input);
    if (file instanceof Blob) saveFile(file, name);
  } catch (error) {
    showProblem(error);
  }
}
