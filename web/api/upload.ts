// Uploading an image with its progress, which `fetch` doesn't report.
import { newIdempotencyKey, type Result } from './call.ts';
import { offlineError, type RequestError, readError } from './errors.ts';
import { routes } from './operations.gen.ts';

export type Media = Result<'media.upload'>;

type Upload = { programId: string; file: Blob; onProgress: (share: number) => void };

/** Uploads an image. Large photos are made smaller first, so that it takes seconds on a mobile network too. */
export async function uploadImage({ programId, file, onProgress }: Upload): Promise<Media> {
  const image = await toBase64(await shrink(file));
  const [method = 'POST', path = ''] = routes['media.upload'].split(' ');
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.setRequestHeader('content-type', 'application/json');
    request.setRequestHeader('idempotency-key', newIdempotencyKey());
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = async () => reject(await offlineError(new Error('The upload was interrupted.')));
    request.onload = async () => {
      if (request.status === 201) return resolve(JSON.parse(request.responseText) as Media);
      const headers = { 'x-request-id': request.getResponseHeader('x-request-id') ?? '' };
      reject(await readError(new Response(request.responseText, { status: request.status, headers })));
    };
    request.send(JSON.stringify({ programId, image }));
  });
}

/** Wider than the largest variant that the service keeps. */
const maxSide = 2400;
const smallBytes = 1_000_000;

/** A photo of a camera at a size that pages show, upright; other files and undecodable ones are left to the service. */
async function shrink(file: Blob): Promise<Blob> {
  if (file.type !== 'image/jpeg' || file.size <= smallBytes) return file;
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const smaller = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));
    return smaller ?? file;
  } catch {
    return file;
  }
}

/** The content of a chosen file in Base64; large photos are made smaller first. */
export async function readUpload(file: Blob): Promise<string> {
  return toBase64(await shrink(file));
}

async function toBase64(file: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = async () => reject(await offlineError(reader.error));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}

export type UploadProblem = 'tooLarge' | 'tooManyPixels' | 'wrongFormat' | 'damaged' | 'tooMany' | 'failed';

/** Why an upload failed. */
export function uploadProblemOf({ status, details }: RequestError): UploadProblem {
  const text = details[0]?.message ?? '';
  if (status === 413 || text.includes('10 MB')) return 'tooLarge';
  if (text.includes('megapixels')) return 'tooManyPixels';
  if (text.includes('JPEG')) return 'wrongFormat';
  if (status === 400) return 'damaged';
  return status === 429 ? 'tooMany' : 'failed';
}
